"""Which variables of diagrams stand for which bits of a state.

Each bit has two variables, one after the other: what it is *now*, and what it is *next*.  A state is
one integer, as everywhere (`system/events.py`).  Before them, on top, there may be pairs of variables
for whoever needs more than states.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from secateur.engine.symbolic.diagrams.protocol import (
    Diagram,
    Diagrams,
    DiagramsRow,
    assignments,
    one_assignment,
)


class Variables:
    """The variables for the bits of a state, in a given order, after some extra ones."""

    def __init__(
        self,
        row: DiagramsRow,
        order: Sequence[int],
        extra: int = 0,
        nodes: int = 1 << 22,
        *,
        reorder: bool = False,
    ) -> None:
        self.order = tuple(order)
        self.extra = range(extra)
        self.diagrams: Diagrams = row.make(2 * (extra + len(order)), nodes, reorder=reorder)
        self._now = {bit: 2 * (extra + place) for place, bit in enumerate(order)}
        self._bits = {number: bit for bit, number in self._now.items()}
        self.everything = sum(1 << bit for bit in order)

    def now(self, bit: int) -> int:
        """Return the variable for a bit of the state."""
        return self._now[bit]

    def next(self, bit: int) -> int:
        """Return the variable for a bit of the next state."""
        return self._now[bit] + 1

    def extra_now(self, number: int) -> int:
        """Return the first variable of an extra pair."""
        return 2 * self.extra[number]

    def extra_next(self, number: int) -> int:
        """Return the second variable of an extra pair."""
        return 2 * self.extra[number] + 1

    def of(self, mask: int) -> Iterator[int]:
        """Yield the variables for some bits of the state."""
        return (self._now[bit] for bit in places(mask) if bit in self._now)

    def cube(self, mask: int) -> Any:
        """Return the variables for some bits of the state, for quantification."""
        return self.diagrams.variables(self.of(mask))

    # -- states -----------------------------------------------------------------------------------

    def of_state(self, state: int, mask: int | None = None) -> Diagram:
        """Return the set of all states that have these bits; all bits, or those of a mask."""
        diagrams = self.diagrams
        found = diagrams.true
        for bit in reversed(self.order):
            if mask is None or mask >> bit & 1:
                variable = diagrams.variable(self._now[bit])
                found = (variable if state >> bit & 1 else ~variable) & found
        return found

    def of_states(self, states: Sequence[int], mask: int | None = None) -> Diagram:
        """Return the set of all states that have one of these codes over some bits."""
        if not states:
            return self.diagrams.false
        sets = [self.of_state(state, mask) for state in states]
        while len(sets) > 1:  # two by two, so that most are small
            sets = [
                a | b for a, b in zip(sets[::2], [*sets[1::2], self.diagrams.false], strict=False)
            ]
        return sets[0]

    def pick(self, states: Diagram) -> int:
        """Return one of some states."""
        return self._state(one_assignment(self.diagrams, states))

    def states(self, states: Diagram, mask: int) -> Iterator[int]:
        """Yield all codes over some bits of states that are told by these bits alone."""
        for values in assignments(self.diagrams, states, self.of(mask)):
            yield self._state(values)

    def _state(self, values: Mapping[int, bool]) -> int:
        return sum(
            1 << self._bits[number]
            for number, value in values.items()
            if value and number in self._bits
        )

    def count(self, states: Diagram) -> int:
        """Return how many states there are; the extra variables do not matter to the set."""
        return self.diagrams.count(states) >> (2 * len(self.extra) + len(self.order))

    def count_all(self, nodes: Diagram) -> int:
        """Return how many pairs of extra values and states there are."""
        return self.diagrams.count(nodes) >> (len(self.extra) + len(self.order))

    def count_on(self, mask: int, states: Diagram) -> int:
        """Return how many codes over some bits there are; the other bits do not matter to the set."""
        return self.count(states) >> (self.everything & ~mask).bit_count()

    def on(self, mask: int, states: Diagram) -> Diagram:
        """Return what is seen of states through some bits: all that agree with one of them there."""
        return self.diagrams.some(states, self.cube(self.everything & ~mask))


def places(mask: int) -> Iterator[int]:
    """Yield the places of the bits of a mask."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def union(diagrams: Diagrams, sets: Iterable[Diagram]) -> Diagram:
    """Return the union of some sets."""
    found = diagrams.false
    for each in sets:
        found = found | each
    return found
