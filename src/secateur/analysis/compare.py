"""Two tables side by side: each question is a search for one code that shows the cautious answer.

Independence of actions that may have several results (or none) is equality of the sets of
what both orders lead to, and that no result of one keeps the other from happening; a weaker
demand loses deadlocks.  A fault of one of them that is met on the way counts as a difference.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import field
from typing import Final

from secateur.analysis.assumptions import ANYTHING, Admitted
from secateur.analysis.effort import Purse, TooMuch
from secateur.analysis.tables import Member, Table, Truths
from secateur.source.records import dataclass

TRUE: Final = frozenset({True})
NOT_TRUE: Final = frozenset({False, None})
PERHAPS: Final = frozenset({True, None})
"""For conditions whose None means that the evaluator might find them true, or false."""

Place = tuple[int, int]
"""A mask, and a code over it."""

_NOW_AND_THEN: Final = 1023


@dataclass(slots=True)
class Comparison:
    """Looks for witnesses, as long as that is allowed; raises TooMuch where it is not."""

    purse: Purse
    _steps: int = field(default=0)

    def clash(
        self, a: Table, b: Table, touched: tuple[int, int], admitted: Admitted = ANYTHING
    ) -> Place | None:
        """Return where both may happen and their order matters.

        `touched` are the bits of the slots that each of them reads or writes.
        """
        self._steps = 0
        found = self._together(a.faults, b.possible, admitted)
        found = found or self._together(b.faults, a.possible, admitted)
        if found is not None:
            return found
        lefts = a.members(touched[1] | admitted.mask)
        rights = b.members(touched[0] | admitted.mask)
        common = a.mask & b.mask
        pair = _Pair(a, b, touched, admitted)
        for right in rights:
            by_common: dict[int, list[int]] = {}
            for code in right.rows:
                by_common.setdefault(code & common, []).append(code)
            for left in lefts:
                where = self._clash(pair, left, right, by_common)
                if where is not None:
                    return a.mask | b.mask, left.rest | right.rest | where
        return None

    def _clash(
        self, pair: _Pair, left: Member, right: Member, by_common: dict[int, list[int]]
    ) -> int | None:
        for x, results in left.rows.items():
            if not results:  # no result, or a fault that has been looked at
                continue
            for y in by_common.get(x & pair.common, ()):
                self._step()
                others = right.rows[y]
                if others and pair.admits(x | y) and pair.differs(x | y, left, right):
                    return x | y
        return None

    def meeting(self, a: Table, b: Table, admitted: Admitted = ANYTHING) -> Place | None:
        """Return where both may happen."""
        self._steps = 0
        return self._together(a.possible, b.possible, admitted)

    def _together(
        self, lefts: Iterable[Place], rights: Iterable[Place], admitted: Admitted
    ) -> Place | None:
        """Return where one of these places and one of those are the same."""
        others = _by_mask(rights)
        for mask, codes in _by_mask(lefts).items():
            for over, more in others.items():
                seen = mask & over | admitted.mask
                by_common: dict[int, dict[int, int]] = {}
                for code in codes:
                    by_common.setdefault(code & mask & over, {}).setdefault(code & seen, code)
                for another in {code & seen: code for code in more}.values():
                    for code in by_common.get(another & mask & over, {}).values():
                        self._step()
                        if admitted(code | another, mask | over):
                            return mask | over, code | another
        return None

    def change(
        self,
        a: Table,
        condition: Truths,
        values: tuple[Collection[bool | None], Collection[bool | None]],
        admitted: Admitted = ANYTHING,
    ) -> Place | None:
        """Return where an action takes a condition from some values to some others.

        Where the action is at fault, nobody knows where it leads.
        """
        self._steps = 0
        before, after = values
        by_known = _indexed(condition, a.mask, before)
        mask = a.mask | condition.mask
        kept = condition.mask & ~a.writes
        for x, result, example in _effects(a, condition.mask | admitted.mask):
            for y in by_known.get(x & condition.mask, ()):
                self._step()
                if result is not None:
                    code = (y & kept) | (result & condition.mask)
                    if condition.values[code] not in after:
                        continue
                if admitted(example | y, mask):
                    return mask, example | y
        for others, another in a.troubles:
            for y, value in condition.values.items():
                self._step()
                same = not (y ^ another) & condition.mask & others
                if value in before and same and admitted(y | another, others | condition.mask):
                    return others | condition.mask, y | another
        return None

    def _step(self) -> None:
        self._steps += 1
        if self._steps > self.purse.effort.steps:
            raise TooMuch
        if self._steps & _NOW_AND_THEN == 0:
            self.purse.check()


class _Pair:
    """Two actions that are both enabled somewhere."""

    def __init__(self, a: Table, b: Table, touched: tuple[int, int], admitted: Admitted) -> None:
        self.common = a.mask & b.mask
        self._known = a.mask | b.mask
        self._left = a.mask & (touched[1] | admitted.mask)
        self._right = b.mask & (touched[0] | admitted.mask)
        self._kept = ~a.writes, ~b.writes
        self._admitted = admitted

    def admits(self, code: int) -> bool:
        """Whether a state is one of those that matter."""
        return self._admitted(code, self._known)

    def differs(self, code: int, left: Member, right: Member) -> bool:
        """Whether the order matters here, or one of the two keeps the other from happening."""
        first: set[tuple[int, int, int]] = set()
        for r, i in left.rows[code & self._left] or ():
            between = (code & self._kept[0]) | r
            others = right.rows.get(between & self._right)
            if not others:
                return True
            first.update(((between & self._kept[1]) | q, i, j) for q, j in others)
        second: set[tuple[int, int, int]] = set()
        for q, j in right.rows[code & self._right] or ():
            between = (code & self._kept[1]) | q
            results = left.rows.get(between & self._left)
            if not results:
                return True
            second.update(((between & self._kept[0]) | r, i, j) for r, i in results)
        return first != second


def _by_mask(places: Iterable[Place]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = {}
    for mask, code in places:
        found.setdefault(mask, []).append(code)
    return found


def _indexed(
    condition: Truths, known: int, values: Collection[bool | None]
) -> dict[int, Sequence[int]]:
    found: dict[int, list[int]] = {}
    for code, value in condition.values.items():
        if value in values:
            found.setdefault(code & known, []).append(code)
    return dict(found)


def _effects(table: Table, mask: int) -> Sequence[tuple[int, int | None, int]]:
    """Return what an action does within a mask: codes before and after, and an example of each."""
    found: dict[tuple[int, int | None], int] = {}
    for code, results in table.rows.items():
        for result in (None,) if results is None else results:
            after = None if result is None else result & mask
            found.setdefault((code & mask, after), code)
    return [(x, after, example) for (x, after), example in found.items()]
