"""What a run counted."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import field
from typing import Any, Final

from secateur.source.records import dataclass
from secateur.system.system import State, System

MOST_VALUES: Final = 10_000
"""The values of a variable are counted up to here: to keep more would take longer than to find them."""


@dataclass(frozen=True, slots=True)
class VariableCoverage:
    """The values that a constant or variable took; `least` and `greatest` for numbers only.

    With `more`, there were more values than `distinct`, which is as far as they were counted.
    """

    name: str
    distinct: int
    least: int | float | None = None
    greatest: int | float | None = None
    more: bool = False
    without: int | None = None
    """How many states there would be if it were not for this one, where that was counted."""


@dataclass(frozen=True, slots=True)
class Statistics:
    """The size of what was explored.

    States do not include the root; one state per solution of the constants is
    included.  Transitions are distinct (step, target) per state and include
    SETUP_CONSTANTS and INITIALISATION.  `waiting` states were found but not expanded.
    """

    states: int
    transitions: int
    operations: Mapping[str, int] = field(default_factory=dict)
    """Transitions per operation."""
    never_enabled: tuple[str, ...] = ()
    """Operations without a transition so far; final only if the run was exhaustive."""
    waiting: int = 0
    coverage: tuple[VariableCoverage, ...] = ()
    fresh: Mapping[str, int] = field(default_factory=dict)
    """How many transitions of each operation led to a state that was new then; none if not known."""
    ways: bool = False
    """Whether operations are ways to execute statements: one of them may be never enabled although
    its statements are executed in others."""


def coverage(system: System, states: Iterable[State]) -> tuple[VariableCoverage, ...]:
    """Return the values that each constant and variable takes in `states`."""
    seen: dict[str, set[Any]] = {}
    for state in states:
        for name, value in system.values(state):
            values = seen.setdefault(name, set())
            if len(values) <= MOST_VALUES:
                values.add(value)
    return tuple(summary(name, values) for name, values in seen.items())


def shares(system: System, states: Collection[State]) -> dict[str, int]:
    """Return for each name how many states would be left without it."""
    listed = [tuple(system.values(state)) for state in states]
    names = [name for name, _ in listed[0]] if listed else []
    return {
        name: len({tuple(v for n, v in values if n != name) for values in listed}) for name in names
    }


def summary(name: str, values: set[Any]) -> VariableCoverage:
    """Return what is told of the values that a constant or variable took."""
    if len(values) > MOST_VALUES:
        return VariableCoverage(name, MOST_VALUES, more=True)
    if values and all(type(value) in (int, float) for value in values):
        return VariableCoverage(name, len(values), min(values), max(values))
    return VariableCoverage(name, len(values))
