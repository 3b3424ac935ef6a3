"""Whether two guards exclude each other.

A conjunct of each, never both true, perhaps because of what is known of two slots together, such as
the places of two processes; or a conjunct of one that is never true where the whole of the other is,
such as that nobody else can go on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from secateur.analysis.tables import Truths

NOTHING_KNOWN: Final[Mapping[int, frozenset[int]]] = {}


class Exclusion:
    """Compares conjuncts; what each of them leaves of some bits is found once."""

    def __init__(self, together: Mapping[int, frozenset[int]] = NOTHING_KNOWN) -> None:
        self._together = together
        """For the bits of a few slots, the codes that they have at once."""
        self._left: dict[tuple[int, int], frozenset[int]] = {}
        self._kept: list[Truths] = []
        """Those whose identities must not be given to others."""
        self._apart: dict[tuple[int, int], bool] = {}

    def holds(self, first: Sequence[Truths], second: Sequence[Truths]) -> bool:
        """Whether two guards, told by some of their conjuncts, are never both true."""
        return (
            any(self.are_apart(one, another) for one in first for another in second)
            or any(self._never(one, second) for one in first)
            or any(self._never(one, first) for one in second)
        )

    def _never(self, one: Truths, others: Iterable[Truths]) -> bool:
        """Whether a conjunct is never true where some others are, looked at one by one."""
        shared = [other for other in others if one.mask & other.mask]
        if len(shared) <= 1:  # that was looked at
            return False
        left: Iterable[int] = self._codes(one, one.mask)
        for other in shared:
            common = one.mask & other.mask
            allowed = self._codes(other, common)
            left = [code for code in left if code & common in allowed]
        return not left

    def are_apart(self, one: Truths, another: Truths) -> bool:
        """Whether two conjuncts are never both true."""
        key = id(one), id(another)
        found = self._apart.get(key)
        if found is None:
            found = self._apart[key] = self._compared(one, another)
            self._kept += (one, another)
        return found

    def _compared(self, one: Truths, another: Truths) -> bool:
        common = one.mask & another.mask
        if common:
            return self._codes(one, common).isdisjoint(self._codes(another, common))
        allowed = self._together.get(one.mask | another.mask)
        if allowed is None:
            return False
        codes, others = self._codes(one, one.mask), self._codes(another, another.mask)
        return not any(c | d in allowed for c in codes for d in others)

    def _codes(self, truths: Truths, mask: int) -> frozenset[int]:
        """Return what some bits can be where a condition may hold."""
        found = self._left.get((id(truths), mask))
        if found is None:
            found = frozenset(c & mask for c, value in truths.values.items() if value is not False)
            self._left[id(truths), mask] = found
            self._kept.append(truths)
        return found


class Neighbours:
    """For each action all others that a conjunct of each keeps apart from it, bit by bit.

    Many actions have the same conjuncts, such as the place of a process: these are compared, not the
    actions.
    """

    def __init__(self, exclusion: Exclusion, needs: Sequence[Sequence[Truths]]) -> None:
        self._exclusion = exclusion
        self._needs = needs
        self._conjuncts: dict[int, Truths] = {}
        self._whose: dict[int, int] = {}
        """The actions that have a conjunct, by its identity."""
        for action, conjuncts in enumerate(needs):
            for each in conjuncts:
                self._conjuncts[id(each)] = each
                self._whose[id(each)] = self._whose.get(id(each), 0) | 1 << action
        self._from: dict[int, int] = {}
        self._apart: dict[int, int] = {}

    def apart(self, action: int) -> int:
        """Return the actions that can never happen where this one does, as far as is seen here."""
        found = self._apart.get(action)
        if found is None:
            found = 0
            for conjunct in self._needs[action]:
                found |= self._away_from(conjunct)
            self._apart[action] = found
        return found

    def _away_from(self, conjunct: Truths) -> int:
        found = self._from.get(id(conjunct))
        if found is None:
            found = 0
            for another in self._conjuncts.values():
                if self._exclusion.are_apart(conjunct, another):
                    found |= self._whose[id(another)]
            self._from[id(conjunct)] = found
        return found
