"""Which statements of processes have been reached: a process has been at a place where it stands.

Whether it could be executed there does not matter.  Places that a step only passes through count
as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from secateur.lang.guards import split_guard
from secateur.lang.model import Model, Operation
from secateur.lang.processes import Statement
from secateur.maths import substitution as sub
from secateur.maths.ast import Name, Number
from secateur.maths.substitution import Substitution
from secateur.system.coverage import Unit
from secateur.system.result import Result

_Place = tuple[str, int]
"""A place of a unit."""


def units_of(model: Model, found: Result) -> Iterator[Unit]:
    """Yield which statements of each unit no process has reached."""
    reached = _reached(model, found)
    for name in dict.fromkeys(statement.unit for statement in model.statements):
        written: dict[int, list[Statement]] = {}
        for statement in model.statements:
            if statement.unit == name:
                written.setdefault(statement.number, []).append(statement)
        missing = [same[0] for same in written.values() if reached.isdisjoint(same)]
        yield Unit(name, len(written), tuple((s.text, s.span) for s in missing))


def _reached(model: Model, found: Result) -> set[Statement]:
    taken = list(_taken(model, found))
    executed = {
        statement
        for operation in taken
        for each in operation.executions
        for statement in (each.statement, each.answer)
        if statement is not None
    }
    bodies = [model.initialisation, *(operation.body for operation in taken)]
    places = {(statement.unit, statement.target) for statement in executed}
    places |= set(_led_to(model, bodies))
    standing = _standing(model)
    return executed.union(*(standing.get(place, ()) for place in places))


def _taken(model: Model, found: Result) -> Iterator[Operation]:
    """Yield the steps that processes have taken; one that does nothing but fail fails at its end."""
    failed = {violation.name for violation in found.violations}
    for operation in model.operations:
        fails = isinstance(split_guard(operation.body)[1], sub.Assertion)
        if found.statistics.operations.get(operation.name, 0) or (
            fails and operation.name in failed
        ):
            yield operation


def _standing(model: Model) -> dict[_Place, set[Statement]]:
    """Return which statements stand at each place."""
    found: dict[_Place, set[Statement]] = {}
    for statement in model.statements:
        found.setdefault((statement.unit, statement.place), set()).add(statement)
    for process in model.processes:
        for number, place in process.places.items():
            for statement in place.statements:
                found.setdefault((statement.unit, number), set()).add(statement)
    return found


def _led_to(model: Model, bodies: Iterable[Substitution]) -> Iterator[_Place]:
    """Yield where steps lead processes, those that they create among them."""
    units = {
        process.variable: statement.unit
        for process in model.processes
        for place in process.places.values()
        for statement in place.statements
    }
    for body in bodies:
        _, assigned = split_guard(body)
        if isinstance(assigned, sub.Assign):
            for target, value in zip(assigned.targets, assigned.values, strict=True):
                if isinstance(target, Name) and isinstance(value, Number) and target.text in units:
                    yield units[target.text], value.value
