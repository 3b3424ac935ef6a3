"""Why an operation cannot happen in a state: the first part of its guard that fails."""

from __future__ import annotations

from dataclasses import dataclass

from secateur.lang.explain.point import Point
from secateur.lang.guards import hints, split_guard
from secateur.lang.model import Operation
from secateur.maths import substitution as sub
from secateur.maths.ast import Binder, Expr, conjuncts, free_names
from secateur.maths.substitution import Substitution
from secateur.maths.values import IllDefined, Undecided

NO_VALUES = "no values of its parameters satisfy"
NO_OUTCOME = "its guard holds, but its body has no outcome"
UNKNOWN = "why cannot be told"


@dataclass(frozen=True, slots=True)
class Demands:
    """What an operation asks for, one condition after the other, and of which identifiers."""

    binders: tuple[Binder, ...]
    conditions: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Obstacle:
    """The first condition that fails, at a point where those before it hold; or a remark."""

    condition: Expr | None
    point: Point
    remark: str | None = None


def demands_of(operation: Operation) -> Demands:
    """Return the guard of an operation, with what the choices inside of it ask for."""
    guard, body = split_guard(operation.body)
    binders = list(operation.parameters)
    conditions = [c for each in guard for c in conjuncts(each)]
    taken = {b.name for b in (*operation.parameters, *operation.results)}
    while True:
        inside = _opened(body, taken)
        if inside is None:
            break
        more, condition, body = inside
        binders += more
        taken |= {b.name for b in more}
        conditions += conjuncts(condition)
    conditions += [c for each in hints(body) for c in conjuncts(each)]
    results = {b.name for b in operation.results} - {b.name for b in operation.parameters}
    kept = tuple(c for c in conditions if not free_names(c) & results)
    return Demands(tuple(binders), kept)


def _opened(
    body: Substitution, taken: set[str]
) -> tuple[tuple[Binder, ...], Expr, Substitution] | None:
    """Return what a choice binds, asks for and does; None if it is none, or hides other names."""
    match body:
        case sub.AnyWhere(binders, condition, inner) | sub.LetBe(binders, condition, inner):
            return None if {b.name for b in binders} & taken else (binders, condition, inner)
        case sub.Select((sub.Branch(condition, inner),), None):
            return (), condition, inner
        case _:
            return None


def obstacle(operation: Operation, point: Point) -> Obstacle:
    """Return what keeps an operation, which does not happen here, from happening."""
    try:
        return _obstacle(demands_of(operation), point)
    except (IllDefined, Undecided):
        return Obstacle(None, point, UNKNOWN)


def _obstacle(demands: Demands, point: Point) -> Obstacle:
    names = {b.name for b in demands.binders}
    near = point
    for i, condition in enumerate(demands.conditions):
        held = demands.conditions[: i + 1]
        used = frozenset[str]().union(*map(free_names, held)) & names
        binders = [b for b in demands.binders if b.name in used]
        found = _holding(point, binders, held)
        if found is not None:
            near = found
        elif free_names(condition) & names <= {b.name for b, _ in near.bound}:
            return Obstacle(condition, near)
        else:
            return Obstacle(condition, near, NO_VALUES)
    return Obstacle(None, point, NO_OUTCOME)


def _holding(point: Point, binders: list[Binder], conditions: tuple[Expr, ...]) -> Point | None:
    if binders:
        return point.smallest(binders, conditions)
    return point if all(point.value(c) for c in conditions) else None
