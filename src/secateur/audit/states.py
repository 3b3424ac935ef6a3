"""States as the system tells them, each asked once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from secateur.source.records import dataclass
from secateur.system.events import EventSystem, disabled
from secateur.system.packing import Misfit
from secateur.system.system import Breach, Fault, Gap, PropertyKind, Transition


class Look(NamedTuple):
    """What the actions do in one state."""

    state: int
    untrue: tuple[int, ...]
    """For each action the conjuncts that are not true, bit by bit."""
    enabled: int
    """The actions that happen, bit by bit."""
    results: dict[int, tuple[int, ...]]
    """Where those lead."""
    faulty: frozenset[int]
    """Actions of which that cannot be told."""

    def targets(self, actions: Iterable[int]) -> Iterable[int]:
        """Yield where some actions that happen lead."""
        for a in actions:
            yield from self.results[a]


@dataclass(frozen=True)
class Evaluated:
    """The same as the evaluator finds it, by operations."""

    targets: dict[str, set[int]]
    wrong: tuple[tuple[str, str], ...]
    """Kind and name of what is wrong on the way out."""
    gaps: tuple[str, ...]
    transitions: int
    """How many there are, whether or not they lead to the same states."""


def members(mask: int) -> list[int]:
    """Return the numbers whose bits are set, in their order."""
    found: list[int] = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found


def mask_of(numbers: Iterable[int]) -> int:
    """Return the bits of some numbers."""
    mask = 0
    for n in numbers:
        mask |= 1 << n
    return mask


class States:
    """Answers about the states of a system, remembered."""

    def __init__(self, system: EventSystem, kinds: frozenset[PropertyKind]) -> None:
        self.system = system
        self.kinds = kinds
        self.known: dict[int, Look] = {}
        self.checks = [n for n, check in enumerate(system.checks) if check.kind in kinds]
        self._holds: dict[tuple[int, int], bool | None] = {}

    def look(self, state: int) -> Look:
        """Return what the actions do in a state."""
        found = self.known.get(state)
        if found is None:
            found = self.known[state] = look_at(self.system, state)
        return found

    def holds(self, check: int, state: int) -> bool | None:
        """Say whether a property holds."""
        key = check, state
        if key not in self._holds:
            self._holds[key] = self.system.holds(check, state)
        return self._holds[key]

    def evaluated(self, state: int) -> Evaluated:
        """Return what the evaluator says of the way out; raise Misfit if a result has no code."""
        targets: dict[str, set[int]] = {}
        wrong: list[tuple[str, str]] = []
        gaps: list[str] = []
        transitions = 0
        for item in self.system.successors(state):
            match item:
                case Transition(step, target):
                    assert isinstance(target, int)
                    transitions += 1
                    targets.setdefault(step.operation, set()).add(target)
                case Fault(where):
                    wrong.append((PropertyKind.WELL_DEFINEDNESS.value, where))
                case Breach(kind, name) if kind in self.kinds:
                    wrong.append((kind.value, name))
                case Gap(where, reason):
                    gaps.append(f"{where}: {reason}")
        return Evaluated(targets, tuple(wrong), tuple(gaps), transitions)

    def wrong_in(self, state: int) -> tuple[list[tuple[str, str]], list[str]]:
        """Return the properties that fail in a state as the evaluator sees it, and what is open."""
        wrong: list[tuple[str, str]] = []
        gaps: list[str] = []
        for item in self.system.breaches(state, self.kinds):
            match item:
                case Breach(kind, name) if kind in self.kinds:
                    wrong.append((kind.value, name))
                case Fault(where):
                    wrong.append((PropertyKind.WELL_DEFINEDNESS.value, where))
                case Gap(where, reason):
                    gaps.append(f"{where}: {reason}")
        return wrong, gaps

    def next_to(self, state: int) -> set[int] | None:
        """Return all states that a state leads to; None if one of them has no code."""
        look = self.look(state)
        if not look.faulty:
            return set(look.targets(look.results))
        try:
            return set().union(*self.evaluated(state).targets.values())
        except Misfit:
            return None


def look_at(system: EventSystem, state: int) -> Look:
    """Return what the actions of a system do in a state."""
    untrue: list[int] = []
    results: dict[int, tuple[int, ...]] = {}
    faulty: list[int] = []
    for a, action in enumerate(system.actions):
        guard = system.guard(a, state)
        untrue.append(guard.false | guard.undefined)
        if guard.holds:
            found = system.results(a, state)
            if found is None:
                faulty.append(a)
            else:
                results[a] = found
        elif not disabled(action, guard):
            faulty.append(a)
    return Look(state, tuple(untrue), mask_of(results), results, frozenset(faulty))
