"""Event systems small enough to be tabulated: every answer is looked up.

States are vectors of small numbers; a slot has as many bits as its domain needs, and its
codes stand at their places in the packed state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from secateur.system.events import Action, Check, Conjunct, Guard, Slot, disabled
from secateur.system.system import (
    INITIALISATION,
    Breach,
    Fault,
    Gap,
    Outgoing,
    PropertyKind,
    State,
    Step,
    Transition,
)

Values = dict[str, int]
Truth = bool | None
Condition = Callable[[Values], Truth]
Results = Sequence[Mapping[str, int]] | None


class Undefined(Exception):
    """Raised by a condition or a body where it has no value."""


def variables_of(condition: Callable[[Values], object], universe: Sequence[Values]) -> set[str]:
    """Return the variables on which an answer depends, from the definition."""
    answers = {tuple(sorted(v.items())): _answer(condition, v) for v in universe}
    found = set()
    for name in universe[0] if universe else ():
        seen: dict[tuple[tuple[str, int], ...], object] = {}
        for key, answer in answers.items():
            rest = tuple(item for item in key if item[0] != name)
            if seen.setdefault(rest, answer) != answer:
                found.add(name)
                break
    return found


def _answer(condition: Callable[[Values], object], values: Values) -> object:
    try:
        return condition(dict(values))
    except Undefined:
        return "undefined"


@dataclass(frozen=True)
class Event:
    """An action by its conditions and its body.

    The body returns the assignments of each result, or one mapping, or raises Undefined.
    `reads` and `writes` are found out if they are not given.
    """

    name: str
    guard: Sequence[Condition]
    body: Callable[[Values], Mapping[str, int] | Sequence[Mapping[str, int]]]
    arguments: tuple[tuple[str, Any], ...] = ()
    ordered: int = 0
    total: bool = True


class Tables:
    """An `EventSystem` whose answers were all worked out before.

    Subclasses fill in the tables: `guards` and `outcomes` of each action in each state, and
    `truths` of each property.
    """

    name = "Tables"

    def __init__(self, domains: Mapping[str, int], start: Sequence[Mapping[str, int]]) -> None:
        self.domains = domains
        self.start = start
        self.slots: list[Slot] = []
        self._shift: dict[str, int] = {}
        shift = 0
        for variable, size in domains.items():
            width = max(1, (size - 1).bit_length())
            self._shift[variable] = shift
            bits = ((1 << width) - 1) << shift
            self.slots.append(Slot(variable, bits, [v << shift for v in range(size)]))
            shift += width
        self.valuation: dict[int, Values] = {}
        for codes in product(*map(range, domains.values())):
            values = dict(zip(domains, codes, strict=True))
            self.valuation[self.pack(values)] = values
        self.states = list(self.valuation)
        self.actions: list[Action] = []
        self.checks: list[Check] = []
        self.guards: list[dict[int, Guard]] = []
        self.outcomes: list[dict[int, tuple[int, ...] | None]] = []
        self.truths: list[dict[int, Truth]] = []
        self.ends: frozenset[int] = frozenset()

    def pack(self, values: Mapping[str, int]) -> int:
        """Return the state in which variables have these values, and 0 otherwise."""
        return sum(values.get(n, 0) << self._shift[n] for n in self.domains)

    def mask(self, names: Iterable[str]) -> int:
        """Return the bits of variables."""
        wanted = set(names)
        return sum(slot.bits for slot in self.slots if slot.name in wanted)

    @property
    def operations(self) -> Sequence[str]:
        """The names of the actions."""
        return list(dict.fromkeys(action.operation for action in self.actions))

    # -- the protocol ---------------------------------------------------------------------------

    def guard(self, action: int, state: int) -> Guard:
        """Look it up."""
        return self.guards[action][state]

    def results(self, action: int, state: int) -> tuple[int, ...] | None:
        """Look it up."""
        return self.outcomes[action][state]

    def holds(self, check: int, state: int) -> bool | None:
        """Look it up."""
        return self.truths[check][state]

    def initial(self) -> Iterable[Outgoing]:
        """Yield the states to start from."""
        return [Transition(Step(INITIALISATION), self.pack(v)) for v in self.start]

    def successors(self, state: State) -> Iterable[Outgoing]:
        """Yield what every action does, or that it is at fault."""
        assert isinstance(state, int)
        items: list[Outgoing] = []
        for a, action in enumerate(self.actions):
            guard = self.guards[a][state]
            if disabled(action, guard):
                continue
            results = self.outcomes[a][state] if guard.holds else None
            if results is None:
                items.append(Fault(f"{action.operation} {action.arguments}", "ill-defined"))
                continue
            step = Step(action.operation, action.arguments)
            items.extend(Transition(step, r) for r in results)
        return items

    def is_initialised(self, state: State) -> bool:
        """Every state is."""
        return state in self.valuation

    def may_end(self, state: State) -> bool:
        """Look it up."""
        return state in self.ends

    def breaches(
        self, state: State, kinds: frozenset[PropertyKind]
    ) -> Iterable[Breach | Fault | Gap]:
        """Yield what does not hold."""
        assert isinstance(state, int)
        for check, holds in zip(self.checks, self.truths, strict=True):
            if check.kind in kinds and holds[state] is not True:
                yield (
                    Fault(check.name, "ill-defined")
                    if holds[state] is None
                    else Breach(check.kind, check.name)
                )

    def values(self, state: State) -> Sequence[tuple[str, Any]]:
        """Return the values of the variables."""
        assert isinstance(state, int)
        return list(self.valuation[state].items())

    def shown(self, state: State) -> Sequence[tuple[str, Any]]:
        """Return the same."""
        return self.values(state)

    def why_no_initial_state(self) -> str:
        """Say that there is none."""
        return "there is none"


def add_feasibility(system: Tables, action: int) -> None:
    """Make it a part of the guard that there is a result."""
    guards, outcomes = system.guards[action], system.outcomes[action]
    for state in system.states:
        if guards[state].holds and outcomes[state] == ():
            guards[state] = Guard(1 << len(system.actions[action].guard), 0)


class Tabulated(Tables):
    """A system given by conditions and bodies, which are tried in every state."""

    name = "Tabulated"

    def __init__(
        self,
        domains: Mapping[str, int],
        events: Sequence[Event],
        properties: Mapping[str, tuple[PropertyKind, Condition]] | None = None,
        start: Sequence[Mapping[str, int]] = ({},),
    ) -> None:
        super().__init__(domains, start)
        properties = properties or {}
        self.events = events
        self.actions = [self._action(e) for e in events]
        self.checks = [self._check(n, k, c) for n, (k, c) in properties.items()]
        self.guards = [{s: self._guard(e, s) for s in self.states} for e in events]
        self.outcomes = [{s: self._perform(a, s) for s in self.states} for a in range(len(events))]
        for a, action in enumerate(self.actions):
            if not action.total:
                add_feasibility(self, a)
        self.truths = [{s: self._truth(c, s) for s in self.states} for _, c in properties.values()]

    def _action(self, event: Event) -> Action:
        universe = list(self.valuation.values())
        written: set[str] = set()
        several = False
        reads: set[str] = set()

        def outcome(values: Values) -> object:
            return [tuple(sorted(r.items())) for r in self._assignments(event, values)]

        for values in universe:
            try:
                results = self._assignments(event, values)
            except Undefined:
                continue
            several = several or len(results) > 1
            written.update(n for r in results for n in r)
        reads = variables_of(outcome, universe) | written
        guard = tuple(
            Conjunct(f"{event.name} {i}", self.mask(variables_of(c, universe)))
            for i, c in enumerate(event.guard)
        )
        return Action(
            event.name,
            event.arguments,
            guard,
            self.mask(reads),
            self.mask(written),
            0,
            not several,
            event.total,
            event.ordered,
        )

    @staticmethod
    def _assignments(event: Event, values: Values) -> list[Mapping[str, int]]:
        found = event.body(dict(values))
        return [found] if isinstance(found, Mapping) else list(found)

    def _check(self, name: str, kind: PropertyKind, condition: Condition) -> Check:
        reads = self.mask(variables_of(condition, list(self.valuation.values())))
        return Check(kind, name, reads)

    def _truth(self, condition: Condition, state: int) -> Truth:
        answer = _answer(condition, self.valuation[state])
        return None if answer == "undefined" else bool(answer)

    def _guard(self, event: Event, state: int) -> Guard:
        false = undefined = 0
        for i, condition in enumerate(event.guard):
            truth = self._truth(condition, state)
            false |= (truth is False) << i
            undefined |= (truth is None) << i
        return Guard(false, undefined)

    def _perform(self, action: int, state: int) -> tuple[int, ...] | None:
        if not self.guards[action][state].holds:
            return ()
        values = self.valuation[state]
        try:
            found = [{**values, **r} for r in self._assignments(self.events[action], values)]
        except Undefined:
            return None
        if any(not 0 <= r[n] < size for r in found for n, size in self.domains.items()):
            return None
        return tuple(dict.fromkeys(map(self.pack, found)))
