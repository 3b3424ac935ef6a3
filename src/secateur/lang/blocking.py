"""Which conditions keep an operation from being executed with given arguments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from secateur.lang.explain.blocked import unmet
from secateur.lang.explain.point import Point
from secateur.lang.guards import Demands, demands_of
from secateur.lang.lower import MachineSystem
from secateur.lang.model import Operation
from secateur.maths.ast import Expr, Labelled, Name, free_names
from secateur.maths.print import show
from secateur.maths.show import brief
from secateur.maths.values import IllDefined, Undecided, Value
from secateur.source import Span
from secateur.source.records import dataclass
from secateur.system.system import State


@dataclass(frozen=True, slots=True)
class Blocking:
    """A condition that is not met: its text, what is the matter with it, the values it is about."""

    condition: str
    problem: str
    values: tuple[tuple[str, str], ...]
    span: Span | None


def blocking(
    system: MachineSystem, operation: Operation, state: State, given: Mapping[str, Value]
) -> list[Blocking]:
    """Return the conjuncts of the guard that fail in `state`; none if the guard is met.

    If some parameters are not `given`, it is the first conjunct that no value of theirs can meet together
    with the conjuncts before it.
    """
    demands = demands_of(operation)
    bound = [(b, given[b.name]) for b in demands.binders if b.name in given]
    point = Point(system.scope, system.environment(state)).with_values(bound)
    left = tuple(b for b in demands.binders if b.name not in given)
    found = list(_failing(demands, {b.name for b in left}, point))
    if not found:
        found = list(_unmet(Demands(left, demands.conditions), point))
    names = [
        b.name for b in (*system.model.constants, *system.model.variables, *operation.parameters)
    ]
    return [_told(condition, problem, point, names) for condition, problem in found]


def _failing(demands: Demands, left: set[str], point: Point) -> Iterator[tuple[Expr, str]]:
    """Yield the conditions that fail whatever the identifiers are that have no values."""
    for condition in demands.conditions:
        if free_names(condition) & left:
            continue
        try:
            if not point.value(condition):
                yield condition, "does not hold"
        except IllDefined as error:
            yield condition, f"is not well-defined: {error.message}"
        except Undecided:
            continue  # nobody can say that it is this one


def _unmet(demands: Demands, point: Point) -> Iterator[tuple[Expr, str]]:
    try:
        found = unmet(demands, point)
    except (IllDefined, Undecided):
        return
    if found.condition is not None:
        yield found.condition, "cannot be met together with what comes before it"


def _told(condition: Expr, problem: str, point: Point, names: list[str]) -> Blocking:
    used = free_names(condition)
    found = [
        (name, point.known(Name(name)))
        for name in names
        if name in used and point.scope.knows(name)
    ]
    values = tuple((name, brief(value)) for name, value in found if value is not None)
    return Blocking(_text(condition), problem, values, condition.span)


def _text(condition: Expr) -> str:
    """Return a condition as the user wrote it, on one line; with its label, if it has one."""
    if isinstance(condition, Labelled):
        return f"{condition.label}: {_text(condition.body)}"
    return " ".join(condition.span.text.split()) or show(condition)
