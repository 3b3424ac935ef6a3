"""The graph of a system, found state by state.

It is what the native engine's must be (`native/graph.py`), and has all arguments of steps.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import Any

from secateur.engine.limits import Interrupted, Meter, states_reached
from secateur.system.graph import Column, StateGraph, said_of
from secateur.system.system import (
    Breach,
    Fault,
    Gap,
    Outgoing,
    PropertyKind,
    State,
    Step,
    System,
    Transition,
)

_KINDS = frozenset(PropertyKind)


class Gathering:
    """A graph that grows; states are expanded in the order in which they are found."""

    def __init__(self, system: System, meter: Meter) -> None:
        self.system = system
        self.meter = meter
        self.states: list[State] = []
        self.steps: list[Step] = []
        self.beginnings: list[tuple[int, int]] = []
        self.sources = array("I")
        self.labels = array("I")
        self.targets = array("I")
        self.expanded = 0
        self.violations: dict[int, list[str]] = {}
        self.goals: set[int] = set()
        self.reasons: dict[str, None] = {}
        self._numbers: dict[State, int] = {}
        self._labels: dict[Step, int] = {}

    def run(self) -> None:
        """Find everything, unless a limit is reached or somebody interrupts."""
        try:
            with self.meter.running():
                self.begin()
                while self.expanded < len(self.states) and not self.over():
                    self.expand()
        except Interrupted:
            self.reasons[self.meter.why_interrupted()] = None
        except MemoryError:
            self.reasons["the machine ran out of memory"] = None

    def begin(self) -> None:
        """Find the states that the root leads to."""
        for item in self.system.initial():
            if isinstance(item, Transition):
                self.beginnings.append((self.label(item.step), self.number(item.target)))
            elif isinstance(item, Gap):
                self.reasons[f"{item.where}: {item.reason}"] = None
            else:
                self.reasons[said_of(item)] = None

    def expand(self) -> None:
        """Find the transitions out of the next state, and what is wrong with it."""
        source = self.expanded
        state = self.states[source]
        sources, labels, targets = len(self.sources), len(self.labels), len(self.targets)
        try:
            self._go_on(source, self.system.successors(state))
            if self.system.is_initialised(state):
                self._judge(source, self.system.breaches(state, _KINDS))
        except BaseException:
            # What was interrupted in the middle is not expanded.
            del self.sources[sources:], self.labels[labels:], self.targets[targets:]
            raise
        self.expanded += 1

    def _go_on(self, source: int, items: Iterable[Outgoing]) -> None:
        for item in items:
            if isinstance(item, Transition):
                label, target = self.label(item.step), self.number(item.target)
                self.sources.append(source)
                self.labels.append(label)
                self.targets.append(target)
            else:
                self._judge(source, (item,))

    def _judge(self, state: int, items: Iterable[Breach | Fault | Gap]) -> None:
        for item in items:
            if isinstance(item, Gap):
                self.reasons[f"{item.where}: {item.reason}"] = None
            elif isinstance(item, Breach) and item.kind is PropertyKind.GOAL:
                self.goals.add(state)
            else:
                self.blame(state, said_of(item))

    def blame(self, state: int, said: str) -> None:
        """Note what is wrong with a state."""
        listed = self.violations.setdefault(state, [])
        if said not in listed:
            listed.append(said)

    def over(self) -> bool:
        """Whether it must end here; the reason is noted."""
        limit = self.meter.limits.states
        if limit is not None and len(self.states) >= limit:
            self.reasons[states_reached(limit)] = None
            return True
        waiting = len(self.states) - self.expanded
        reason = self.meter.reason_to_stop(len(self.states), len(self.sources), waiting)
        if reason is not None:
            self.reasons[reason] = None
        return reason is not None

    def number(self, state: State) -> int:
        """Return the number of a state, which may be new."""
        found = self._numbers.setdefault(state, len(self.states))
        if found == len(self.states):
            self.states.append(state)
        return found

    def label(self, step: Step) -> int:
        """Return the number of a step, which may be new."""
        found = self._labels.setdefault(step, len(self.steps))
        if found == len(self.steps):
            self.steps.append(step)
        return found

    def graph(self) -> StateGraph:
        """Return what was found."""
        numbers = range(len(self.states))
        return StateGraph(
            name=self.system.name,
            states=self.states,
            columns=ListedColumns(self.system, self.states),
            steps=self.steps,
            beginnings=self.beginnings,
            sources=self.sources,
            labels=self.labels,
            targets=self.targets,
            uninitialised=frozenset(
                i for i in numbers if not self.system.is_initialised(self.states[i])
            ),
            violations={state: tuple(said) for state, said in self.violations.items()},
            goals=frozenset(self.goals),
            unexpanded=frozenset(range(self.expanded, len(self.states))),
            reasons=tuple(self.reasons),
            may_end=self.system.may_end,
        )


class ListedColumns:
    """Columns of states that are known one by one."""

    def __init__(self, system: System, states: Sequence[State]) -> None:
        self._system = system
        self._states = states
        self._known: dict[str, Column] | None = None
        self.names: Sequence[str] = names_of(system, states)

    def column(self, name: str) -> Column:
        """Return the values of one name in all states; all names are looked at the first time."""
        if self._known is None:
            self._known = self._look()
        return self._known[name]

    def _look(self) -> dict[str, Column]:
        codes = {name: array("i", [-1]) * len(self._states) for name in self.names}
        seen: dict[str, dict[Any, int]] = {name: {} for name in self.names}
        for i, state in enumerate(self._states):
            for name, value in self._system.values(state):
                known = seen[name]
                codes[name][i] = known.setdefault(value, len(known))
        return {name: Column(codes[name], list(seen[name])) for name in self.names}


def names_of(system: System, states: Sequence[State]) -> list[str]:
    """Return the constants and variables of a system with at least one state."""
    full = next((s for s in states if system.is_initialised(s)), states[0] if states else None)
    return [] if full is None else [name for name, _ in system.values(full)]
