"""Which actions may lead to a state in which nothing happens.

A state is looked for in which each guard is false, slot by slot: the conjunct with the fewest
codes that are still open is decided first, and where all conjuncts of an action are true,
something happens.  No action need be looked at whose guard is not listed: it could only
add to what happens.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final

from secateur.analysis.compare import Place
from secateur.analysis.effort import Purse, TooMuch
from secateur.analysis.tables import Table, Tables, Truths

MOST_LOOKS: Final = 1 << 12
"""How often guards are looked at for one action; four times as often for all together."""

_MANY: Final = 64
"""So many guards are one look, more of them several."""


class Stranding:
    """Looks for states in which nothing happens."""

    def __init__(self, tables: Tables, purse: Purse) -> None:
        self._tables = tables
        self._space = tables.space
        self._purse = purse
        self._looks = 0
        self._left = 4 * MOST_LOOKS
        self._guards = list(_guards(tables))
        self._seen = 0
        for guard in self._guards:
            for conjunct in guard:
                self._seen |= conjunct.mask

    @cached_property
    def possible(self) -> bool:
        """Whether there may be a lawful state in which nothing happens."""
        self._looks = MOST_LOOKS
        try:
            return self._stuck(0, 0, self._guards) is not None
        except TooMuch:
            return True

    def after(self, table: Table) -> Place | None:
        """Return such a state that an action leads to, or one in which it is at fault.

        Raises TooMuch where that takes too long.
        """
        self._looks = min(MOST_LOOKS, self._left)
        fault = next(table.faults, None)
        if fault is not None:  # nobody knows where that leads
            return fault
        known = self._known(table)
        alike: dict[int, set[int]] = {}
        for code, results in table.rows.items():
            for result in results or ():
                after = ((code & ~table.writes) | result) & known
                alike.setdefault(after & self._seen, set()).add(after)
        for seen, codes in alike.items():
            # What guards do not look at may still tell which states occur: what is found
            # without it is looked for again with it.
            if len(codes) > 1 and self._stuck(known & self._seen, seen, self._guards) is None:
                continue
            for after in codes:
                found = self._stuck(known, after, self._guards)
                if found is not None:
                    return found
        return None

    def _known(self, table: Table) -> int:
        """Return the bits of the slots that are known after a step."""
        bits = table.mask | table.writes
        numbers = self._space.touching(bits)
        return self._space.bits([n for n in numbers if not self._space.slots[n].bits & ~bits])

    def _stuck(self, known: int, code: int, guards: Sequence[Sequence[Truths]]) -> Place | None:
        """Return a state that agrees with a code and in which none of these guards holds."""
        price = 1 + len(guards) // _MANY
        self._looks -= price
        self._left -= price
        if self._looks < 0:
            raise TooMuch
        self._purse.check()
        left: list[Sequence[Truths]] = []
        for guard in guards:
            if any(_surely_not(c, known, code) for c in guard):
                continue
            unknown = [c for c in guard if c.mask & ~known]
            if not unknown:
                return None
            left.append(unknown)
        if not left:
            return known, code
        next_one = min((c for guard in left for c in guard), key=lambda c: self._open(c, known))
        slots = self._space.touching(next_one.mask & ~known)
        known |= next_one.mask
        occurs = self._tables.within(known)
        for more in self._space.codes(slots, self._tables.most):
            if occurs(code | more, known):
                found = self._stuck(known, code | more, left)
                if found is not None:
                    return found
        return None

    def _open(self, conjunct: Truths, known: int) -> int:
        """Return how many codes there are for what is not known of a conjunct."""
        count = self._space.count(self._space.touching(conjunct.mask & ~known))
        assert count is not None  # it is listed
        return count


def _surely_not(conjunct: Truths, known: int, code: int) -> bool:
    """Whether a conjunct is known not to be true."""
    return not conjunct.mask & ~known and conjunct.values[code & conjunct.mask] is not True


def _guards(tables: Tables) -> Iterator[list[Truths]]:
    """Yield the guards that are listed: where all parts are true, the action happens."""
    for number, action in enumerate(tables.system.actions):
        guard: list[Truths] = []
        for conjunct in range(len(action.guard) + (not action.total)):
            truths = tables.conjunct(number, conjunct)
            if truths is None:
                break
            guard.append(truths)
        else:
            yield guard
