"""The explanation of a violation."""

from __future__ import annotations

from collections.abc import Sequence

from secateur.lang.explain.blocked import NO_OUTCOME, obstacle
from secateur.lang.explain.causes import blocked, cause_of
from secateur.lang.explain.point import Point
from secateur.lang.explain.processes import stuck
from secateur.lang.explain.reasons import reasons
from secateur.lang.explain.terms import Past
from secateur.lang.lower import MachineSystem
from secateur.lang.model import Operation
from secateur.maths.ast import Expr, free_names
from secateur.maths.evaluate.effort import FOR_A_STATE, OutOfEffort, Pool, within
from secateur.maths.evaluate.environment import METER
from secateur.system.explanation import Explanation
from secateur.system.system import PropertyKind
from secateur.system.verdict import Violation

_STATED = frozenset({PropertyKind.INVARIANT, PropertyKind.ASSERTION, PropertyKind.GOAL})
_STEPS = 20_000_000
"""How many steps of evaluation may be spent on one explanation."""


def explain(violation: Violation) -> Explanation | None:
    """Return why a property fails at the end of its trace; None where there is nothing to add."""
    trace = violation.trace
    system = trace.system
    if not isinstance(system, MachineSystem) or not trace.transitions:
        return None
    if not system.is_initialised(trace.states[-1]):
        return None
    past = Past(system, trace)
    point = past.point()
    meter = point.env[METER]
    try:
        with Pool(meter, FOR_A_STATE):
            return within(meter, _STEPS, lambda: _explained(violation, system, past, point))
    except OutOfEffort:
        return None


def _explained(
    violation: Violation, system: MachineSystem, past: Past, point: Point
) -> Explanation | None:
    if violation.kind is PropertyKind.DEADLOCK:
        if system.model.processes:
            return Explanation(stuck=stuck(system.model, past, point))
        return Explanation(blocked=tuple(blocked(o, past, point) for o in system.model.operations))
    if violation.kind not in _STATED:
        return None
    predicate = _predicate_of(violation, system, point)
    if predicate is None:
        return None
    holds = violation.kind is PropertyKind.GOAL
    found = reasons(predicate, point, holds=holds)
    return Explanation(tuple(cause_of(reason, past) for reason in found))


def _predicate_of(violation: Violation, system: MachineSystem, point: Point) -> Expr | None:
    for each in system.properties:
        if (each.kind, each.name, each.predicate.span) == (
            violation.kind,
            violation.name,
            violation.span,
        ):
            return each.predicate
    return _broken(violation, system.model.operations, point)


def _broken(violation: Violation, operations: Sequence[Operation], point: Point) -> Expr | None:
    """Return what an operation that can happen here promises of this state, and does not keep."""
    for operation in operations:
        for each in operation.obligations:
            if (each.kind, each.name, each.predicate.span) != (
                violation.kind,
                violation.name,
                violation.span,
            ):
                continue
            later = any(name.endswith("'") for name in free_names(each.predicate))
            happens = obstacle(operation, point).remark == NO_OUTCOME
            if happens and not later and point.known(each.predicate) is False:
                return each.predicate
    return None
