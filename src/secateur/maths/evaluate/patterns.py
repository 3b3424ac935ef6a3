"""Patterns: what can be bound by taking a value apart.

`x`, `x |-> y`, `(x |-> 1) |-> y`, `x + 1`, `{x}`, `[x, y]`, `r~`, `rev(s)` and what is nested of
these: at most one value of the identifiers gives the value at hand.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final

from secateur.maths.ast import Apply, Expr, Name, SequenceDisplay, SetDisplay
from secateur.maths.evaluate.environment import Env, Scope
from secateur.maths.operators import integers, sequences
from secateur.maths.operators.protocol import Operator
from secateur.maths.operators.relations import INVERSE, PAIR, inverse
from secateur.maths.values import IllDefined, Value, cardinality
from secateur.source.records import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Pattern:
    """`match(env, value)` binds `names` in `env`, or says that `value` does not fit."""

    names: frozenset[str]
    match: Callable[[Env, Value], bool]
    place: int | None = None
    """Where the value goes, for a pattern that is a single identifier."""


def pattern(scope: Scope, e: Expr, unbound: Collection[str]) -> Pattern | None:
    """Return `e` as a pattern for the unbound identifiers in it; None if it is none."""
    if not (scope.free(e) & set(unbound)):
        return _known(scope, e)
    match e:
        case Name(text):
            return _identifier(text, scope.place(text))
        case Apply(operator, (left, right)) if operator is PAIR:
            first, second = pattern(scope, left, unbound), pattern(scope, right, unbound)
            if first is None or second is None or first.names & second.names:
                return None
            return _pair(first, second)
        case Apply(operator, (left, right)) if operator in _SUMS:
            return _sum(scope, e, unbound)
        case Apply(operator, (body,)) if operator in _UNDONE:
            inner = pattern(scope, body, unbound)
            return None if inner is None else _undone(inner, _UNDONE[operator])
        case Apply(operator, args) if operator.undo is not None:
            return _parts([pattern(scope, a, unbound) for a in args], operator.undo)
        case SetDisplay((item,)):
            inner = pattern(scope, item, unbound)
            return None if inner is None else _singleton(inner)
        case SequenceDisplay(items):
            return _parts([pattern(scope, item, unbound) for item in items], sequences.items)
        case _:
            return None


def _known(scope: Scope, e: Expr) -> Pattern:
    code = scope.code(e)
    return Pattern(frozenset(), lambda env, value: bool(code(env) == value))


def _identifier(name: str, place: int) -> Pattern:
    def match(env: Env, value: Value) -> bool:
        env[place] = value
        return True

    return Pattern(frozenset({name}), match, place)


def _pair(first: Pattern, second: Pattern) -> Pattern:
    match_first, match_second = first.match, second.match
    left, right = first.place, second.place

    def match(env: Env, value: Value) -> bool:
        return match_first(env, value[0]) and match_second(env, value[1])

    def both(env: Env, value: Value) -> bool:
        env[left], env[right] = value  # type: ignore[index]
        return True

    identifiers = left is not None and right is not None
    return Pattern(first.names | second.names, both if identifiers else match)


_SUMS: Final = frozenset({integers.ADD, integers.SUBTRACT})
_REVERSE: Final = sequences.REVERSE.overloads[0]
_UNDONE: Final[Mapping[Operator, Callable[[Value], Value]]] = {
    integers.NEGATE: lambda value: -value,
    integers.SUCCESSOR: lambda value: value - 1,
    integers.PREDECESSOR: lambda value: value + 1,
    INVERSE: inverse,
    _REVERSE: sequences.reverse,
}
"""Operators of one argument, with what leads back to it."""


def _sum(scope: Scope, e: Apply, unbound: Collection[str]) -> Pattern | None:
    """Return `x + k`, `k + x`, `x - k` or `k - x` as a pattern, where k is known."""
    left, right = e.args
    names = set(unbound)
    if scope.free(left) & names and scope.free(right) & names:
        return None
    first = bool(scope.free(left) & names)
    inner = pattern(scope, left if first else right, unbound)
    if inner is None:
        return None
    match, known = inner.match, scope.code(right if first else left)
    if e.operator is integers.ADD:
        return Pattern(inner.names, lambda env, value: match(env, value - known(env)))
    if first:
        return Pattern(inner.names, lambda env, value: match(env, value + known(env)))
    return Pattern(inner.names, lambda env, value: match(env, known(env) - value))


def _undone(inner: Pattern, undo: Callable[[Value], Value]) -> Pattern:
    match_inner = inner.match

    def match(env: Env, value: Value) -> bool:
        try:
            argument = undo(value)
        except IllDefined:
            return False  # not a value of the operator, such as a set that is no sequence
        return match_inner(env, argument)

    return Pattern(inner.names, match)


def _singleton(inner: Pattern) -> Pattern:
    match_inner = inner.match

    def match(env: Env, value: Value) -> bool:
        return cardinality(value) == 1 and match_inner(env, next(iter(value)))

    return Pattern(inner.names, match)


def _parts(
    parts: Sequence[Pattern | None], undo: Callable[[Value], Sequence[Value]]
) -> Pattern | None:
    known = [part for part in parts if part is not None]
    names = frozenset[str]().union(*(part.names for part in known))
    if len(known) < len(parts) or len(names) < sum(len(part.names) for part in known):
        return None

    def match(env: Env, value: Value) -> bool:
        try:
            found = undo(value)
        except IllDefined:
            return False  # not a value of this form
        return len(found) == len(known) and all(
            part.match(env, item) for part, item in zip(known, found, strict=True)
        )

    return Pattern(names, match)


def items_of(value: Value) -> Sequence[Value] | None:
    """Return the elements of a sequence in order; None if it is none."""
    try:
        return sequences.items(value)
    except IllDefined:
        return None
