"""The lawful states of a system, slot by slot."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product
from math import prod

from secateur.analysis.effort import TooMuch
from secateur.system.events import EventSystem, Slot
from secateur.system.packing import Misfit
from secateur.system.system import Transition


class Space:
    """All states whose slots have lawful codes; a part of one is an integer, too.

    A *code* over some slots is a state whose other bits are 0.
    """

    def __init__(self, slots: Sequence[Slot], example: Callable[[], int | None]) -> None:
        self.slots = slots
        self.together: Mapping[int, frozenset[int]] = {}
        """What is known beyond the codes of each slot; it is for those who ask."""
        self._example = example
        self._slot_at = {
            bit: number for number, slot in enumerate(slots) for bit in _places(slot.bits)
        }
        self._touching: dict[int, tuple[int, ...]] = {}
        self._base: int | None = None
        self._sets: dict[int, frozenset[int]] = {}

    def restricted(
        self, codes: Mapping[int, Sequence[int]], together: Mapping[int, frozenset[int]]
    ) -> Space:
        """Return the space in which some slots have no other codes than these, alone or together.

        For the bits of some slots each, `together` are the codes that they have at once.
        """
        slots = [
            replace(slot, codes=codes.get(number, slot.codes))
            for number, slot in enumerate(self.slots)
        ]
        space = Space(slots, self._example)
        space.together = together
        return space

    def touching(self, mask: int) -> tuple[int, ...]:
        """Return the numbers of the slots that some of these bits belong to."""
        found = self._touching.get(mask)
        if found is None:
            numbers: set[int] = set()
            left = mask
            while left:
                bit = (left & -left).bit_length() - 1
                number = self._slot_at.get(bit)
                if number is None:  # a bit that is always 0
                    left &= left - 1
                else:
                    numbers.add(number)
                    left &= ~self.slots[number].bits
            found = self._touching[mask] = tuple(sorted(numbers))
        return found

    def bits(self, numbers: Sequence[int]) -> int:
        """Return the bits of some slots."""
        mask = 0
        for number in numbers:
            mask |= self.slots[number].bits
        return mask

    def whole(self, mask: int) -> int:
        """Return all bits of the slots that some bits belong to."""
        return self.bits(self.touching(mask))

    def count(self, numbers: Sequence[int]) -> int | None:
        """Return how many codes there are over some slots; None if that is not known."""
        counts: list[int] = []
        for number in numbers:
            codes = self.slots[number].codes
            if codes is None:
                return None
            counts.append(len(codes))
        return prod(counts)

    def codes(self, numbers: Sequence[int], most: int) -> Iterator[int]:
        """Return all codes over some slots; raise TooMuch if they are more than `most`."""
        count = self.count(numbers)
        if count is None or count > most:
            raise TooMuch
        lists = [self.slots[n].codes or () for n in numbers]
        return map(sum, product(*lists)) if lists else iter((0,))

    def lawful(self, code: int, mask: int) -> bool:
        """Whether the slots of a mask, as far as their codes are listed, have lawful ones."""
        for number in self.touching(mask):
            slot = self.slots[number]
            codes = self._sets.get(number)
            if codes is None:
                codes = self._sets[number] = frozenset(slot.codes or ())
            if slot.codes is not None and code & slot.bits not in codes:
                return False
        return True

    def lawful_ones(self, codes: Iterable[int], mask: int) -> Iterable[int]:
        """Return those of some codes of which that is so."""
        left = codes
        for number in self.touching(mask):
            slot = self.slots[number]
            if slot.codes is not None:
                bits, allowed = slot.bits, frozenset(slot.codes)
                left = [code for code in left if code & bits in allowed]
        return left

    def common(self, other: Space) -> int:
        """Return the bits of the slots that have the same codes in another space."""
        mask = 0
        for slot, another in zip(self.slots, other.slots, strict=True):
            if slot.codes is another.codes or slot.codes == another.codes:
                mask |= slot.bits
        return mask

    @property
    def base(self) -> int:
        """A lawful state, for the slots that do not matter; raises TooMuch if none is known."""
        if self._base is None:
            base = 0
            unknown = 0
            for slot in self.slots:
                if slot.codes is None:
                    unknown |= slot.bits
                elif slot.codes:
                    base |= slot.codes[0]
            if unknown:
                example = self._example()
                if example is None:
                    raise TooMuch
                base |= example & unknown
            self._base = base
        return self._base

    def state(self, code: int, mask: int) -> int:
        """Return a lawful state with this code over the slots of a mask."""
        return (self.base & ~mask) | code

    def names(self, mask: int) -> list[str]:
        """Return the names of the slots that some bits belong to."""
        return [self.slots[n].name for n in self.touching(mask)]


def _places(mask: int) -> Iterator[int]:
    while mask:
        yield (mask & -mask).bit_length() - 1
        mask &= mask - 1


def space_of(system: EventSystem) -> Space:
    """Return the space of a system."""

    def example() -> int | None:
        try:
            return next(initial_states(system, most=16), None)
        except (Misfit, TooMuch):
            return None

    return Space(system.slots, example)


def initial_states(system: EventSystem, most: int) -> Iterator[int]:
    """Yield states in which the system may begin; raise TooMuch after looking at `most`."""
    seen = 0
    waiting = [(item.target for item in system.initial() if isinstance(item, Transition))]
    while waiting:
        for state in waiting.pop():
            seen += 1
            if seen > most:
                raise TooMuch
            if isinstance(state, int) and system.is_initialised(state):
                yield state
            else:  # the constants have values, the variables do not yet
                waiting.append(
                    t.target for t in system.successors(state) if isinstance(t, Transition)
                )
