"""Bounds of integers: `x < e`, `x : NATURAL`, `x : a..b`, and sets that are nothing but bounds."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from secateur.maths.ast import Apply, Comprehension, Expr, Name, conjuncts
from secateur.maths.evaluate.costs import HALF_LINES, UNKNOWN_SIZE, str_of, written_number
from secateur.maths.evaluate.environment import Code, Env, Scope
from secateur.maths.operators import comparison, integers, sets
from secateur.maths.operators.protocol import Operator
from secateur.maths.symbolic import INTEGERS, interval
from secateur.maths.symbolic import integers as integers_between
from secateur.maths.types import Base
from secateur.maths.values import SetValue
from secateur.source.records import dataclass

_BOUNDS: Final = {
    integers.LESS: (-1, -1),
    integers.LESS_EQUAL: (-1, 0),
    integers.GREATER: (1, 1),
    integers.GREATER_EQUAL: (1, 0),
}
"""`x < e` bounds x from above by e - 1, and so on."""


@dataclass(frozen=True, slots=True, eq=False)
class Bound:
    """What a conjunct says of an integer: at least each of `lower`, at most each of `upper`."""

    lower: tuple[Code, ...] = ()
    upper: tuple[Code, ...] = ()
    least: int | None = None
    """The lower bound, where the text has it as a number; likewise the upper one."""
    greatest: int | None = None


def bound_of(scope: Scope, name: str, e: Expr, unbound: Collection[str]) -> Bound | None:
    """Return `e` as a bound of `name`; None if it is none, or its other side is not known."""

    def known(side: Expr) -> bool:
        return not (scope.free(side) & set(unbound))

    match e:
        case Apply(operator, (Name(text), right)) if text == name and known(right):
            if operator is comparison.MEMBER:
                return _membership(scope, right)
            return _comparison(scope, operator, right, flipped=False)
        case Apply(operator, (left, Name(text))) if text == name and known(left):
            return _comparison(scope, operator, left, flipped=True)
        case _:
            return None


def _membership(scope: Scope, set_: Expr) -> Bound | None:
    match set_:
        case Apply(operator, (low, high)) if operator is sets.INTERVAL:
            return Bound((scope.code(low),), (scope.code(high),), _number(low), _number(high))
        case Apply(_, ()) if str_of(set_) == "INTEGER":
            return Bound()
        case Apply(_, ()) if str_of(set_) in HALF_LINES:
            least = HALF_LINES[str_of(set_) or ""]
            return Bound((lambda env: least,), (), least)
        case _:
            return None


def _comparison(scope: Scope, operator: Operator, side: Expr, *, flipped: bool) -> Bound | None:
    """Return what `name operator side` (`side operator name` if flipped) says of `name`."""
    meaning = _BOUNDS.get(operator)
    if meaning is None:
        return None
    direction, distance = meaning
    if flipped:
        direction, distance = -direction, -distance
    code = scope.code(side)
    moved = code if distance == 0 else lambda env: code(env) + distance
    number = _number(side, distance)
    return Bound((moved,), least=number) if direction > 0 else Bound((), (moved,), greatest=number)


def _number(e: Expr, distance: int = 0) -> int | None:
    number = written_number(e)
    return None if number is None else number + distance


def guessed_width(bounds: Sequence[Bound]) -> float:
    """Return a guess at the number of integers within all of `bounds`."""
    least = [b.least for b in bounds if b.least is not None]
    greatest = [b.greatest for b in bounds if b.greatest is not None]
    return max(1, min(greatest) - max(least) + 1) if least and greatest else UNKNOWN_SIZE


def interval_of(scope: Scope, e: Comprehension) -> Code | None:
    """Return the code of `{x | 0 <= x & x < n}` as an interval; None if it is none."""
    if len(e.binders) != 1 or e.value is not None or e.binders[0].type is not Base.INTEGER:
        return None
    name = e.binders[0].name
    found = [bound_of(scope, name, c, {name}) for c in conjuncts(e.condition)]
    bounds = [b for b in found if b is not None]
    if len(bounds) < len(found):
        return None

    def between(env: Env) -> SetValue:
        low: int | None = None
        high: int | None = None
        for bound in bounds:
            for code in bound.lower:
                low = code(env) if low is None else max(low, code(env))
            for code in bound.upper:
                high = code(env) if high is None else min(high, code(env))
            if low is not None and high is not None and low > high:
                break  # empty, whatever the others say, should they be ill-defined
        if low is None and high is None:
            return INTEGERS
        if low is not None and high is not None:
            return interval(low, high)
        return integers_between(low, high)

    return between
