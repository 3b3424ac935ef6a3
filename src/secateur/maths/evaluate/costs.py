"""What it costs to go through a set: guesses, made when a plan is made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import inf, perm
from typing import Final

from secateur.maths.ast import (
    Apply,
    Comprehension,
    Exists,
    Expr,
    Forall,
    Implies,
    Lambda,
    Name,
    Number,
    Or,
    Quantified,
    SequenceDisplay,
    SetDisplay,
    walk,
)
from secateur.maths.evaluate.environment import Scope
from secateur.maths.operators import comparison, function_spaces, integers, sequences, sets
from secateur.maths.operators.protocol import Operator
from secateur.maths.values import cardinality

ENUMERATION_ONLY: Final = 20.0
"""The cost of what is gone through only if nothing else is asked of it."""
LARGE: Final = frozenset(
    {
        sets.POWER_SET,
        sets.POWER_SET1,
        sets.FINITE_SUBSETS,
        sets.FINITE_SUBSETS1,
        sequences.SEQUENCES,
        sequences.SEQUENCES1,
        sequences.INJECTIVE_SEQUENCES,
        sequences.INJECTIVE_SEQUENCES1,
        sequences.PERMUTATIONS,
        *function_spaces.OPERATORS,
    }
)
INFINITE: Final = frozenset({"INTEGER", "STRING", "REAL", "FLOAT"})
HALF_LINES: Final = {"NATURAL": 0, "NATURAL1": 1}


def str_of(e: Expr) -> str | None:
    """Return the spelling of a built-in constant."""
    return str(e.operator) if isinstance(e, Apply) and not e.args else None


def is_infinite(e: Expr) -> bool:
    """Whether `e` is plainly an infinite set, whatever its identifiers stand for."""
    match e:
        case Apply(operator, ()):
            return str(operator) in HALF_LINES or str(operator) in INFINITE
        case Apply(operator, _) if operator in (sequences.SEQUENCES, sequences.SEQUENCES1):
            return True
        case Apply(operator, args) if operator is sets.PRODUCT or operator in LARGE:
            return any(map(is_infinite, args))
        case _:
            return False


def membership_cost(e: Expr) -> float:
    """Return the cost of going through the elements of `e`."""
    match e:
        case SetDisplay((_,)):
            return 0.0  # an equation in other words
        case SetDisplay(items) | SequenceDisplay(items):
            return 1.0 + len(items) / 1000
        case Name():
            return 3.0
        case Apply(operator, args) if operator in LARGE:
            return ENUMERATION_ONLY
        case Apply(operator, (left, right)) if operator is sets.PRODUCT:
            return 1.0 + membership_cost(left) + membership_cost(right)
        case Apply(operator, args) if operator in (sets.UNION, sets.INTERSECTION, sets.DIFFERENCE):
            return 0.5 + max(map(membership_cost, args))
        case Apply(_, ()):
            return 6.0
        case _:
            return 4.0


def guessed_size(e: Expr, scope: Scope) -> float:
    """Return a guess at the number of elements of `e`."""
    match e:
        case SetDisplay(items) | SequenceDisplay(items):
            return len(items)
        case Apply(operator, (first, last)) if operator is sets.INTERVAL:
            low, high = written_number(first), written_number(last)
            return UNKNOWN_SIZE if low is None or high is None else max(0, high - low + 1)
        case Apply(operator, ()) if operator.constant is not None:
            size = cardinality(operator.constant(scope.universe.settings))
            return UNKNOWN_SIZE if size is None else size
        case Apply(operator, args) if operator in _SIZES:
            return _SIZES[operator](*[guessed_size(a, scope) for a in args])
        case Name(text) if not scope.varies(text):
            return cardinality(scope.universe.names[text]) or UNKNOWN_SIZE
        case _:
            return UNKNOWN_SIZE


UNKNOWN_SIZE: Final = 10.0


def written_number(e: Expr) -> int | None:
    """Return the number that `e` is, where the text says so: `10`, `-1`, `2**16 - 1`."""
    match e:
        case Number(value):
            return value
        case Apply(operator, args) if operator in _ARITHMETIC:
            numbers = [written_number(a) for a in args]
            known = [n for n in numbers if n is not None]
            if len(known) < len(numbers) or max(map(abs, known)) > LARGEST_WRITTEN:
                return None
            return _ARITHMETIC[operator](*known)
        case _:
            return None


LARGEST_WRITTEN: Final = 10**12


def _power(base: int, exponent: int) -> int | None:
    return int(base**exponent) if 0 <= exponent <= 64 else None


_ARITHMETIC: Final[Mapping[Operator, Callable[..., int | None]]] = {
    integers.ADD: lambda a, b: a + b,
    integers.SUBTRACT: lambda a, b: a - b,
    integers.MULTIPLY: lambda a, b: a * b,
    integers.POWER: _power,
    integers.NEGATE: lambda a: -a,
}


def _raised(base: float, exponent: float) -> float:
    try:
        return float(base**exponent) if exponent <= UNKNOWN_SIZE else inf
    except OverflowError:
        return inf


def _arrangements(n: float) -> float:
    """Return the number of sequences without repetition over n elements."""
    return sum(perm(int(n), k) for k in range(int(n) + 1)) if n <= UNKNOWN_SIZE else inf


_SIZES: Final[Mapping[Operator, Callable[..., float]]] = {
    sets.PRODUCT: lambda a, b: a * b,
    sets.POWER_SET: lambda a: _raised(2, a),
    sets.POWER_SET1: lambda a: _raised(2, a),
    sets.FINITE_SUBSETS: lambda a: _raised(2, a),
    sets.FINITE_SUBSETS1: lambda a: _raised(2, a),
    sequences.INJECTIVE_SEQUENCES: _arrangements,
    sequences.INJECTIVE_SEQUENCES1: _arrangements,
    sequences.PERMUTATIONS: _arrangements,
    sequences.SEQUENCES: lambda _: inf,
    sequences.SEQUENCES1: lambda _: inf,
    **{o: lambda a, b: _raised(2, a * b) for o in function_spaces.OPERATORS},
    function_spaces.PARTIAL_FUNCTIONS: lambda a, b: _raised(b + 1, a),
    function_spaces.PARTIAL_INJECTIONS: lambda a, b: _raised(b + 1, a),
    function_spaces.PARTIAL_SURJECTIONS: lambda a, b: _raised(b + 1, a),
    function_spaces.PARTIAL_BIJECTIONS: lambda a, b: _raised(b + 1, a),
    function_spaces.TOTAL_FUNCTIONS: lambda a, b: _raised(b, a),
    function_spaces.TOTAL_INJECTIONS: lambda a, b: _raised(b, a),
    function_spaces.TOTAL_SURJECTIONS: lambda a, b: _raised(b, a),
    function_spaces.TOTAL_BIJECTIONS: lambda a, b: _raised(b, a),
}


def is_costly(test: Expr) -> bool:
    """Whether `test` goes through values of its own, so that others had better come first."""
    return any(isinstance(part, _LOOPS) for part in walk(test))


_LOOPS: Final = (Forall, Exists, Comprehension, Lambda, Quantified)


def guessed_share(test: Expr) -> float:
    """Return a guess at how much of what is tried passes `test`."""
    match test:
        case Or(parts):
            return 1 - 0.5 ** len(parts)
        case Implies():
            return 0.75
        case Apply(operator, _):
            return _SHARES.get(operator, 0.5)
        case _:
            return 0.6


_SHARES: Final[Mapping[Operator, float]] = {
    comparison.EQUAL: 0.2,
    comparison.NOT_EQUAL: 0.9,
    comparison.NOT_MEMBER: 0.7,
}
