"""Numbers and conditions of Promela as formulas, with what is known of their size.

Promela computes as C does, with integers of 32 bits; formulas are exact.  So each number knows
the range that it is in: only where that leaves 32 bits, or the type that it is stored in, is it
cut to size.  What can be computed here and now is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, reduce
from typing import Final

from secateur.lang.promela.ast import Basic
from secateur.lang.promela.values import COMPARISONS, opposite
from secateur.maths.ast import And, Apply, Call, Expr, If, Name, Not, Number, Or, walk
from secateur.maths.operators import comparison, integers, machine_integers
from secateur.maths.operators.channels import REASONS, UNANSWERED
from secateur.maths.operators.protocol import Operator
from secateur.source import NOWHERE, Span
from secateur.source.records import dataclass

INT_BITS: Final = 32
_LEAST: Final = -(1 << (INT_BITS - 1))
_GREATEST: Final = (1 << (INT_BITS - 1)) - 1


@dataclass(frozen=True, slots=True)
class Term:
    """A number: a formula, and the least and the greatest value that it can have."""

    expr: Expr
    low: int
    high: int

    @property
    def constant(self) -> int | None:
        """The value, if it is known, and known to be there."""
        return self.low if self.low == self.high and not may_fail(self.expr) else None


@dataclass(frozen=True, slots=True)
class Width:
    """How a value is stored: in so many bits, perhaps one of them a sign."""

    bits: int
    signed: bool = False

    @property
    def low(self) -> int:
        """The least value."""
        return -(1 << (self.bits - 1)) if self.signed else 0

    @property
    def high(self) -> int:
        """The greatest value."""
        return (1 << (self.bits - self.signed)) - 1


BYTE: Final = Width(8)

_WIDTHS: Final = {
    Basic.BIT: Width(1),
    Basic.BOOL: Width(1),
    Basic.BYTE: BYTE,
    Basic.PID: Width(8),
    Basic.MTYPE: Width(8),
    Basic.CHAN: Width(8),
    Basic.SHORT: Width(16, signed=True),
    Basic.INT: Width(INT_BITS, signed=True),
}


def width_of(type_: Basic, bits: int) -> Width:
    """Return how a type is stored, in so many `bits` if these are given."""
    return Width(bits) if bits else _WIDTHS[type_]


# -- numbers ----------------------------------------------------------------------------------------


@lru_cache
def number(value: int) -> Term:
    """Return a known number."""
    return Term(literal(value), value, value)


def literal(value: int) -> Expr:
    """Return a known number as a formula."""
    if value >= 0:
        return Number(value)
    return Apply(integers.NEGATE, (Number(-value),))


def variable(name: str, width: Width, index: Term | None = None, span: Span = NOWHERE) -> Term:
    """Return the value of a variable, or of one element of an array."""
    expr: Expr = Name(name, span)
    if index is not None:
        expr = Call(expr, (index.expr,), span)
    return Term(expr, width.low, width.high)


def in_int(term: Term) -> Term:
    """Return a number as C has it after a computation: within 32 bits."""
    return cut(term, _WIDTHS[Basic.INT])


def cut(term: Term, width: Width) -> Term:
    """Return a number as it is after it was stored in so many bits."""
    if width.low <= term.low and term.high <= width.high:
        return term
    if term.constant is not None:
        value = term.constant & ((1 << width.bits) - 1)
        return number(value - (1 << width.bits) if value > width.high else value)
    operator = machine_integers.WRAP_SIGNED if width.signed else machine_integers.WRAP_UNSIGNED
    return Term(Apply(operator, (term.expr, Number(width.bits))), width.low, width.high)


def fits(term: Term, width: Width) -> bool:
    """Whether nothing is cut off when a number is stored."""
    return width.low <= term.low and term.high <= width.high


def as_number(condition: Expr) -> Term:
    """Return 1 where a condition holds, 0 elsewhere."""
    known = truth_of(condition)
    if known is not None:
        return number(int(known))
    return Term(If(condition, Number(1), Number(0)), 0, 1)


def choose(condition: Expr, then: Term, otherwise: Term) -> Term:
    """Return one of two numbers."""
    known = truth_of(condition)
    if known is not None:
        return then if known else otherwise
    return Term(
        If(condition, then.expr, otherwise.expr),
        min(then.low, otherwise.low),
        max(then.high, otherwise.high),
    )


def negate(a: Term) -> Term:
    """Return `-a`."""
    if a.constant is not None:
        return in_int(number(-a.constant))
    return in_int(Term(Apply(integers.NEGATE, (a.expr,)), -a.high, -a.low))


def invert(a: Term) -> Term:
    """Return `~a`, which is -1 - a."""
    return subtract(number(-1), a)


def add(a: Term, b: Term) -> Term:
    """Return `a + b`."""
    if a.constant == 0:
        return b
    if b.constant == 0:
        return a
    return _computed(integers.ADD, a, b, (a.low + b.low, a.high + b.high))


def subtract(a: Term, b: Term) -> Term:
    """Return `a - b`."""
    if b.constant == 0:
        return a
    return _computed(integers.SUBTRACT, a, b, (a.low - b.high, a.high - b.low))


def multiply(a: Term, b: Term) -> Term:
    """Return `a * b`."""
    corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
    return _computed(integers.MULTIPLY, a, b, (min(corners), max(corners)))


def divide(a: Term, b: Term, span: Span = NOWHERE) -> Term:
    """Return `a / b`, rounded towards zero; undefined for 0, which is told with its place."""
    most = max(abs(a.low), abs(a.high))
    low = 0 if a.low >= 0 and b.low >= 0 else -most
    return _computed(integers.DIVIDE, a, b, (low, most), span)


def remainder(a: Term, b: Term, span: Span = NOWHERE) -> Term:
    """Return `a % b`, with the sign of `a`; undefined for 0, which is told with its place."""
    most = min(max(abs(b.low), abs(b.high)) - 1, max(abs(a.low), abs(a.high)))
    low = 0 if a.low >= 0 else -max(0, most)
    limits = low, max(0, most if a.high > 0 else 0)
    return _computed(machine_integers.REMAINDER, a, b, limits, span)


def unanswered(reason: str, span: Span = NOWHERE) -> Term:
    """Return a number that there is not, for a reason of `channels.REASONS`."""
    return Term(Apply(UNANSWERED, (literal(REASONS.index(reason)),), span), _LEAST, _GREATEST)


def _bitwise(operator: Operator) -> Callable[[Term, Term], Term]:
    def combined(a: Term, b: Term) -> Term:
        if a.low >= 0 and b.low >= 0:
            high = (1 << max(a.high, b.high).bit_length()) - 1
            return _computed(operator, a, b, (0, high))
        return _computed(operator, a, b, (_LEAST, _GREATEST))

    return combined


bit_and: Final = _bitwise(machine_integers.BIT_AND)
bit_or: Final = _bitwise(machine_integers.BIT_OR)
bit_xor: Final = _bitwise(machine_integers.BIT_XOR)


def shift_left(a: Term, b: Term) -> Term:
    """Return `a << b`."""
    if a.low >= 0 and b.low >= 0 and b.high < INT_BITS - a.high.bit_length():
        return _computed(machine_integers.SHIFT_LEFT, a, b, (a.low << b.low, a.high << b.high))
    return _computed(machine_integers.SHIFT_LEFT, a, b, (_LEAST, _GREATEST))


def shift_right(a: Term, b: Term) -> Term:
    """Return `a >> b`."""
    low = min(a.low, 0)
    return _computed(machine_integers.SHIFT_RIGHT, a, b, (low, max(a.high, 0)))


def _computed(
    operator: Operator, a: Term, b: Term, limits: tuple[int, int], span: Span = NOWHERE
) -> Term:
    if a.constant is not None and b.constant is not None:
        assert operator.apply is not None
        if not operator.partial or b.constant != 0:
            return in_int(number(operator.apply(a.constant, b.constant)))
    return in_int(Term(Apply(operator, (a.expr, b.expr), span), *limits))


# -- conditions -------------------------------------------------------------------------------------

TRUE: Final[Expr] = Apply(comparison.EQUAL, (Number(0), Number(0)))
FALSE: Final[Expr] = Apply(comparison.EQUAL, (Number(0), Number(1)))


def truth_of(condition: Expr) -> bool | None:
    """Return whether a condition holds, if that is known."""
    if condition is TRUE:
        return True
    return False if condition is FALSE else None


def truth(value: bool) -> Expr:  # noqa: FBT001
    """Return a known condition."""
    return TRUE if value else FALSE


def nonzero(term: Term) -> Expr:
    """Return whether a number is not 0."""
    match term.expr:
        case If(condition, Number(1), Number(0)):
            return condition
    return compare("!=", term, number(0))


_COMPARED: Final[dict[str, tuple[Operator, Callable[[int, int], bool]]]] = {
    "==": (comparison.EQUAL, lambda a, b: a == b),
    "!=": (comparison.NOT_EQUAL, lambda a, b: a != b),
    "<": (integers.LESS, lambda a, b: a < b),
    "<=": (integers.LESS_EQUAL, lambda a, b: a <= b),
    ">": (integers.GREATER, lambda a, b: a > b),
    ">=": (integers.GREATER_EQUAL, lambda a, b: a >= b),
}


def compare(op: str, a: Term, b: Term) -> Expr:
    """Return how two numbers compare."""
    known = _known(op, a, b)
    if known is None or may_fail(a.expr) or may_fail(b.expr):
        operator, _ = _COMPARED[op]
        return Apply(operator, (a.expr, b.expr))
    return truth(known)


def may_fail(e: Expr) -> bool:
    """Whether something may have no value: what is computed from it is not to be forgotten.

    Where the index of an element is known, there is one (`Expressions` looks at that).
    """
    return not isinstance(e, Number) and any(map(_may_fail, walk(e)))


def _may_fail(e: Expr) -> bool:
    match e:
        case Call(_, (Number(),)):
            return False
        case Call():
            return True
        case Apply(operator, (_, Number(divisor))):
            return operator.partial and divisor == 0
        case Apply(operator):
            return operator.partial
        case _:
            return False


def _known(op: str, a: Term, b: Term) -> bool | None:
    """Return how two numbers compare, if they have values and that is known beforehand."""
    if a.constant is not None and b.constant is not None:
        _, decide = _COMPARED[op]
        return decide(a.constant, b.constant)
    return _by_range(op, a, b)


def _by_range(op: str, a: Term, b: Term) -> bool | None:
    """Return how two numbers compare, where their ranges say that."""
    below, above = a.high < b.low, a.low > b.high
    match op:
        case "==" | "!=":
            return (op == "!=") if below or above else None
        case "<" | ">=":
            decided = True if below else (False if a.low >= b.high else None)
            return decided if op == "<" or decided is None else not decided
        case _:
            decided = True if a.high <= b.low else (False if above else None)
            return decided if op == "<=" or decided is None else not decided


def equal(a: Term, b: Term) -> Expr:
    """Return whether two numbers are the same."""
    return compare("==", a, b)


def within(index: Term, size: int) -> Expr:
    """Return whether a number is one of an element of an array; who asks uses the number as well."""
    limits = (">=", number(0)), ("<=", number(size - 1))
    known = [_known(op, index, limit) for op, limit in limits]
    unknown = [limit for limit, k in zip(limits, known, strict=True) if k is None]
    return FALSE if False in known else all_of(compare(op, index, n) for op, n in unknown)


def negated(condition: Expr) -> Expr:
    """Return the opposite of a condition."""
    match condition:
        case _ if condition is TRUE:
            return FALSE
        case _ if condition is FALSE:
            return TRUE
        case Not(inner):
            return inner
        case Apply(operator, args) if operator in COMPARISONS:
            return Apply(opposite(operator), args, condition.span)
        case Or(parts):
            return reduce(both, map(negated, parts))
        case _:
            return Not(condition)


def all_of(conditions: Iterable[Expr]) -> Expr:
    """Return the conjunction."""
    parts = _parts(conditions, And, neutral=TRUE, final=FALSE)
    if parts is None:
        return FALSE
    return TRUE if not parts else (parts[0] if len(parts) == 1 else And(tuple(parts)))


def both(left: Expr, right: Expr) -> Expr:
    """Return the conjunction of what is computed from left to right."""
    found = all_of((left, right))
    if found is FALSE and left is not FALSE and may_fail(left):
        return And((left, right))
    return found


def either(left: Expr, right: Expr) -> Expr:
    """Return the disjunction of what is computed from left to right."""
    found = any_of((left, right))
    if found is TRUE and left is not TRUE and may_fail(left):
        return Or((left, right))
    return found


def any_of(conditions: Iterable[Expr]) -> Expr:
    """Return the disjunction."""
    parts = _parts(conditions, Or, neutral=FALSE, final=TRUE)
    if parts is None:
        return TRUE
    return FALSE if not parts else (parts[0] if len(parts) == 1 else Or(tuple(parts)))


def _parts(
    conditions: Iterable[Expr], kind: type[And | Or], neutral: Expr, final: Expr
) -> Sequence[Expr] | None:
    """Return what matters of some conditions, nested ones flattened; None if one decides all."""
    found: dict[Expr, None] = {}
    for each in conditions:
        if each is final:
            return None
        if each is neutral:
            continue
        for part in each.parts if isinstance(each, kind) else (each,):
            if negated(part) in found and not may_fail(part):
                return None
            found[part] = None
    return list(found)


def before(message: Sequence[Term], other: Sequence[Term]) -> Expr:
    """Return whether a message goes before another: the first number that differs decides."""
    if not message:
        return FALSE
    first, second = message[0], other[0]
    rest = all_of((equal(first, second), before(message[1:], other[1:])))
    return any_of((compare("<", first, second), rest))
