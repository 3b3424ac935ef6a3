"""Why an operation cannot happen in a state: the first part of its guard that fails."""

from __future__ import annotations

from secateur.lang.explain.point import Point
from secateur.lang.guards import Demands, demands_of
from secateur.lang.model import Operation
from secateur.maths.ast import Binder, Expr, free_names
from secateur.maths.values import IllDefined, Undecided
from secateur.source.records import dataclass

NO_VALUES = "no values of its parameters satisfy"
NO_OUTCOME = "its guard holds, but nothing in its body can be done"
UNKNOWN = "why cannot be told"


@dataclass(frozen=True, slots=True)
class Obstacle:
    """The first condition that fails, at a point where those before it hold; or a remark."""

    condition: Expr | None
    point: Point
    remark: str | None = None


def obstacle(operation: Operation, point: Point) -> Obstacle:
    """Return what keeps an operation, which does not happen here, from happening."""
    try:
        return unmet(demands_of(operation), point)
    except (IllDefined, Undecided):
        return Obstacle(None, point, UNKNOWN)


def unmet(demands: Demands, point: Point) -> Obstacle:
    """Return the first condition that fails whatever the identifiers are, where those before it hold."""
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
