"""What is wrong with a value that is not in a set of relations, not a subset, not equal to another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

from secateur.lang.explain.point import Point
from secateur.maths.ast import Apply, Expr
from secateur.maths.operators import comparison, function_spaces, sets
from secateur.maths.print import show
from secateur.maths.print_value import show_value
from secateur.maths.symbolic import FunctionSpace
from secateur.maths.symbolic.kinds import Kind
from secateur.maths.values import IllDefined, SetValue, SymbolicSet, Undecided, Value, ordered

_MOST: Final = 5
"""So many elements are named."""
_LISTED: Final = 20_000
"""Sets with more elements are not compared."""


def remark_on(e: Expr, point: Point, *, holds: bool) -> str | None:
    """Say what is wrong with a value, if `e` fails in a way that is not plain to see."""
    if holds or not isinstance(e, Apply):
        return None
    try:
        return _remark(e, point)
    except (IllDefined, Undecided):
        return None


def _remark(e: Apply, point: Point) -> str | None:
    match e.args:
        case (value, Apply(operator, (source, target))) if (
            e.operator is comparison.MEMBER and operator in function_spaces.OPERATORS
        ):
            return _no_relation(value, (source, target), operator_kind(point, e.args[1]), point)
        case (value, Apply(operator, (whole,))) if (
            e.operator is comparison.MEMBER and operator is sets.POWER_SET
        ):
            return _not_within(value, whole, point)
        case (left, right) if e.operator is comparison.SUBSET:
            return _not_within(left, right, point)
        case (left, right) if e.operator is comparison.EQUAL:
            return _unequal(left, right, point)
    return None


def operator_kind(point: Point, space: Expr) -> Kind:
    """Return what a set of relations demands of them."""
    value = point.value(space)
    if not isinstance(value, FunctionSpace):
        raise Undecided(f"the kind of {show(space)}")
    return value.kind


def _no_relation(e: Expr, ends: tuple[Expr, Expr], kind: Kind, point: Point) -> str | None:
    pairs = _listed(point.value(e))
    domain, images = Counter(p[0] for p in pairs), Counter(p[1] for p in pairs)
    source, target = (point.value(end) for end in ends)
    name = show(e)
    strange = _beyond(domain, source) or _beyond(images, target)
    if strange:
        end = show(ends[0] if _beyond(domain, source) else ends[1])
        side = "defined for" if _beyond(domain, source) else "mapped to"
        return f"{name} is {side} {_named(strange)}, not in {end}"
    for unique, counted, what in (
        (kind.functional, domain, "more than one value"),
        (kind.injective, images, "more than one argument"),
    ):
        twice = [x for x, count in counted.items() if count > 1]
        if unique and twice:
            return f"{name} has {what} for {_named(twice)}"
    for whole, counted, end, what in (
        (kind.total, domain, source, "no value for"),
        (kind.surjective, images, target, "no argument for"),
    ):
        missing = [x for x in _listed(end) if x not in counted] if whole else []
        if missing:
            return f"{name} has {what} {_named(missing)}"
    return None


def _not_within(part: Expr, whole: Expr, point: Point) -> str | None:
    strange = _beyond(_listed(point.value(part)), point.value(whole))
    return f"{show(part)} contains {_named(strange)}, not in {show(whole)}" if strange else None


def _unequal(left: Expr, right: Expr, point: Point) -> str | None:
    a, b = point.value(left), point.value(right)
    if not isinstance(a, frozenset | SymbolicSet):
        return None
    told = [
        f"only {show(e)} contains {_named(_beyond(_listed(one), other))}"
        for e, one, other in ((left, a, b), (right, b, a))
        if _beyond(_listed(one), other)
    ]
    return "; ".join(told) or None


def _listed(value: SetValue) -> frozenset[Value]:
    if isinstance(value, SymbolicSet):
        size = value.size()
        if size is None or size > _LISTED:
            raise Undecided("too many elements to compare")
        return value.expand()
    if len(value) > _LISTED:
        raise Undecided("too many elements to compare")
    return value


def _beyond(values: Iterable[Value], whole: SetValue) -> list[Value]:
    return [x for x in values if x not in whole]


def _named(values: Iterable[Value]) -> str:
    listed = ordered(values)
    shown = ", ".join(map(show_value, listed[:_MOST]))
    more = len(listed) - _MOST
    return f"{shown} and {more} more" if more > 0 else shown
