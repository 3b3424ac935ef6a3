"""The distance from a violation, in slots that have to change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from math import ceil, prod
from typing import Final

from secateur.engine.heuristics.protocol import Heuristic
from secateur.system.events import EventSystem, Slot
from secateur.system.system import PropertyKind, State

MOST_VALUATIONS: Final = 4096
"""A property over slots that have more values together is only known to hold or not to hold."""


def slot_distance(system: EventSystem, kinds: frozenset[PropertyKind]) -> Heuristic:
    """Return the least number of steps after which a property of these kinds can be violated.

    For each of them, all valuations of the slots that it reads are tried, once.  As many slots
    have to change as differ from the nearest valuation that violates it; a step changes at most
    as many as an action can write.
    """
    numbers = [i for i, check in enumerate(system.checks) if check.kind in kinds]
    parts = [_Part(system, number) for number in numbers]

    def distance(state: State) -> float:
        assert isinstance(state, int)
        return min((part.distance(state) for part in parts), default=0)

    return distance


class _Part:
    """The distance from a violation of one property."""

    def __init__(self, system: EventSystem, check: int) -> None:
        reads = system.checks[check].reads
        self._system = system
        self._check = check
        self._read = [slot.bits for slot in system.slots if slot.bits & reads]
        self._at_once = max(
            (sum(bool(a.may_write & bits) for bits in self._read) for a in system.actions),
            default=0,
        )
        self._violating = self._valuations(system.slots, reads)

    def _valuations(self, slots: Sequence[Slot], reads: int) -> list[int] | None:
        """Return all that violate the property, on its slots; None if there are too many."""
        choices: list[Sequence[int]] = []
        for slot in slots:
            if slot.codes is None:
                if slot.bits & reads:
                    return None
                continue
            choices.append(slot.codes if slot.bits & reads else slot.codes[:1])
        if prod(map(len, choices)) > MOST_VALUATIONS:
            return None
        mask = sum(self._read)
        return [s & mask for s in map(sum, product(*choices)) if not self._holds(s)]

    def _holds(self, state: int) -> bool:
        return self._system.holds(self._check, state) is True

    def distance(self, state: int) -> int:
        """Return the least number of steps to a violation."""
        if self._violating is None or not self._at_once:
            return int(self._holds(state))
        found = self._differences(state, self._violating)
        return ceil(min(found, default=len(self._read) * self._at_once) / self._at_once)

    def _differences(self, state: int, targets: Iterable[int]) -> Iterable[int]:
        return (sum(bool((state ^ t) & bits) for bits in self._read) for t in targets)
