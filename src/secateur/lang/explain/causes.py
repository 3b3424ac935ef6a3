"""What decides a formula, and what keeps an operation from happening."""

from __future__ import annotations

from secateur.lang.explain.blocked import Obstacle, obstacle
from secateur.lang.explain.point import Point
from secateur.lang.explain.reasons import Reason, decisive
from secateur.lang.explain.remarks import remark_on
from secateur.lang.explain.terms import Past
from secateur.lang.model import Operation
from secateur.system.explanation import Blocked, Cause


def cause_of(reason: Reason, past: Past) -> Cause:
    """Return a reason in words, with the values and steps that it comes from."""
    part, point = reason.part, reason.point
    return Cause(
        past.show(part),
        reason.holds,
        part.span,
        point.bindings,
        past.terms(part, point),
        remark_on(part, point, holds=reason.holds),
        past.since(part, point),
    )


def blocked(operation: Operation, past: Past, point: Point) -> Blocked:
    """Return what keeps an operation from happening at a point."""
    return told(operation.name, obstacle(operation, point), past)


def told(name: str, found: Obstacle, past: Past) -> Blocked:
    """Return an obstacle in words."""
    if found.condition is None:
        return Blocked(name, remark=found.remark)
    near = found.point
    if found.remark is not None:  # it speaks of parameters without values
        whole = Cause(past.show(found.condition), False, found.condition.span, near.bindings)
        return Blocked(name, whole, near.bindings, found.remark)
    return Blocked(name, cause_of(decisive(found.condition, near), past), near.bindings)
