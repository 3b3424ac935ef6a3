"""Why no process can go on: where each of them is, and what keeps its statements from being executed."""

from __future__ import annotations

from secateur.lang.explain.blocked import obstacle
from secateur.lang.explain.causes import told
from secateur.lang.explain.point import Point
from secateur.lang.explain.terms import Past
from secateur.lang.model import Model, Operation
from secateur.lang.processes import Process, Statement
from secateur.maths.ast import Name, free_names
from secateur.system.explanation import Blocked, Stuck

_NEVER = "it can never be executed here"


def stuck(model: Model, past: Past, point: Point) -> tuple[Stuck, ...]:
    """Return what keeps each process that is alive from going on; those at an end come last."""
    asking = _Asking(model, past, point)
    found = [each for process in model.processes if (each := asking.process(process)) is not None]
    return tuple(sorted(found, key=lambda each: each.may_stay))


class _Asking:
    def __init__(self, model: Model, past: Past, point: Point) -> None:
        self._past = past
        self._point = point
        self._where = frozenset(process.variable for process in model.processes)
        self._beginning: dict[tuple[str, Statement], list[Operation]] = {}
        for operation in model.operations:
            if operation.executions:
                first = operation.executions[0]
                key = first.process, first.statement
                self._beginning.setdefault(key, []).append(operation)

    def process(self, process: Process) -> Stuck | None:
        """Return what keeps a process from going on; None if it is not alive."""
        value = self._point.known(Name(process.variable))
        place = process.places.get(value) if isinstance(value, int) else None
        if place is None:
            return None
        blocked = [
            each for statement in place.statements for each in self._statement(process, statement)
        ]
        return Stuck(process.name, place.span, place.end, tuple(blocked))

    def _statement(self, process: Process, statement: Statement) -> list[Blocked]:
        """Return what keeps a statement from being executed, each reason once."""
        found: dict[str, Blocked] = {}
        for operation in self._beginning.get((process.name, statement), ()):
            if statement.awaits is not None and operation.executions[0].message is None:
                continue
            met = obstacle(operation, self._point)
            # Where processes are is no reason: it is this one's place, or others are not ready.
            if met.condition is None or not free_names(met.condition) <= self._where:
                each = told(statement.text, met, self._past)
                found.setdefault(each.cause.text if each.cause else "", each)
        remark = statement.awaits or _NEVER
        return list(found.values()) or [Blocked(statement.text, remark=remark)]
