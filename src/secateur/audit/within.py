"""Sets of states that no run leaves: given in a certificate, and shown here to be so.

Such a set consists of *conditions*, each about few slots.  They hold in all initial states, and an action
that happens where all of them hold leads to where they hold.  A condition of which that cannot be
shown is dropped, and the others are looked at again (C. Flanagan, K. R. M. Leino: *Houdini, an
Annotation Assistant for ESC/Java*, FME 2001).  What an action at fault does does not count: faults are
found, and nothing relies on such a set behind one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from math import prod
from typing import NamedTuple

from secateur.system.events import EventSystem, Slot, disabled


class Condition(NamedTuple):
    """Which patterns some bits may have; or, without those, a check that holds."""

    mask: int
    patterns: frozenset[int] | None
    check: int = -1


class TooMuch(Exception):
    """More would have to be tried than is allowed."""


class Within:
    """The states that satisfy some conditions."""

    def __init__(self, system: EventSystem, conditions: Sequence[Condition] = ()) -> None:
        self.system = system
        self.conditions = conditions
        self._inside: dict[int, list[Condition]] = {}
        self._codes: dict[int, Sequence[int] | None] = {}

    def satisfies(self, condition: Condition, state: int) -> bool:
        """Whether a condition holds in a state."""
        if condition.patterns is not None:
            return state & condition.mask in condition.patterns
        return self.system.holds(condition.check, state) is True

    def inside(self, mask: int) -> list[Condition]:
        """Return the conditions that are about some bits only."""
        if mask not in self._inside:
            self._inside[mask] = [c for c in self.conditions if not c.mask & ~mask]
        return self._inside[mask]

    def admits(self, state: int, mask: int) -> bool:
        """Whether a state may be one of these, as far as some bits tell."""
        return all(self.satisfies(c, state) for c in self.inside(mask))

    def codes(self, slot: Slot) -> Sequence[int] | None:
        """Return the codes that a slot can have; None if they are not listed."""
        if slot.bits not in self._codes:
            found = slot.codes
            for c in self.conditions:
                if c.mask == slot.bits and c.patterns is not None and found is not None:
                    found = [code for code in found if code in c.patterns]
            self._codes[slot.bits] = found
        return self._codes[slot.bits]

    def slots(self, mask: int) -> list[Slot]:
        """Return the slots that have some of these bits."""
        return [slot for slot in self.system.slots if slot.bits & mask]

    def whole(self, mask: int) -> int:
        """Return all bits of those slots."""
        return sum(slot.bits for slot in self.slots(mask))

    def count(self, mask: int) -> int | None:
        """Return how many values the slots of a mask have together; None if they are not listed."""
        lists = [self.codes(slot) for slot in self.slots(mask)]
        return None if None in lists else prod(len(codes) for codes in lists if codes is not None)

    def values(self, mask: int) -> Iterator[int]:
        """Yield all patterns of the slots of a mask; they must be listed."""
        lists = [self.codes(slot) for slot in self.slots(mask)]
        return (sum(codes) for codes in product(*(c for c in lists if c is not None)))


class Closing:
    """Shows conditions to be closed under the actions of a system."""

    def __init__(self, system: EventSystem, initial: Sequence[int], most: int) -> None:
        self.system = system
        self.initial = initial
        self.most = most
        """So many combinations are tried for one action and condition."""
        self.left = 200 * most
        self._touches = [a.sees | a.may_write for a in system.actions]

    def shown(self, candidates: Iterable[Condition]) -> Within:
        """Return those of some conditions that can be shown to hold together."""
        start = Within(self.system)
        left = [c for c in candidates if all(start.satisfies(c, s) for s in self.initial)]
        try:
            while True:
                within = Within(self.system, left)
                lost = self._lost(within)
                if not lost:
                    return within
                left = [c for c in left if c not in lost]
        except TooMuch:
            return start

    def _lost(self, within: Within) -> set[Condition]:
        lost: set[Condition] = set()
        for a, action in enumerate(self.system.actions):
            written = [c for c in within.conditions if c.mask & action.may_write and c not in lost]
            if not written:
                continue
            rows = self._rows(a, within)
            lost.update(c for c in written if rows is None or not self._kept(a, rows, c, within))
        return lost

    def _rows(self, a: int, within: Within) -> list[tuple[int, tuple[int, ...]]] | None:
        """Return where an action happens, and where it leads, by the slots that it touches."""
        own = within.whole(self._touches[a])
        count = within.count(own)
        if count is None or count > self.most:
            return None
        self._spend(count)
        rows: list[tuple[int, tuple[int, ...]]] = []
        for pattern in within.values(own):
            state = self.initial[0] & ~own | pattern
            if within.admits(state, own):
                results = self._results(a, state)
                if results:
                    rows.append((state, results))
        return rows

    def _results(self, a: int, state: int) -> tuple[int, ...]:
        guard = self.system.guard(a, state)
        if guard.holds:
            return self.system.results(a, state) or ()
        assert disabled(self.system.actions[a], guard) or guard.undefined
        return ()

    def _kept(
        self, a: int, rows: list[tuple[int, tuple[int, ...]]], condition: Condition, within: Within
    ) -> bool:
        own = within.whole(self._touches[a])
        more = within.whole(condition.mask) & ~own
        count = within.count(more)
        if count is None or count * len(rows) > self.most:
            return False
        self._spend(count * len(rows))
        tests = [c for c in within.inside(own | more) if c.mask & more]
        patterns = list(within.values(more))
        for state, results in rows:
            for pattern in patterns:
                before = state & ~more | pattern
                if not all(within.satisfies(c, before) for c in tests):
                    continue
                if not all(within.satisfies(condition, r & ~more | pattern) for r in results):
                    return False
        return True

    def _spend(self, count: int) -> None:
        self.left -= count
        if self.left < 0:
            raise TooMuch
