"""Large values that differ little from others: only what has changed is decoded.

A set without some of its elements is a copy of its memory, while to build one is to hash
every element.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import compress
from operator import ne
from typing import Final

from secateur.kernel.language import WORD, Field
from secateur.lang.slots.cells import Cell, FunctionCell, NumberCell, SubsetCell
from secateur.lang.slots.codec import Codec, bits_in
from secateur.lang.slots.spaces import set_of
from secateur.maths.values import Value, exchanged

_LARGE: Final = 64
"""Values with less room than this are decoded as a whole."""

_SHARE: Final = 4
"""At most one part in so many may have changed."""

Stored = tuple[Sequence[int], Value]
"""The words of a state, and the value of a variable there."""


def is_large(cell: Cell) -> bool:
    """Whether the values of a variable may be worth comparing."""
    return elements_of(cell) >= _LARGE


def elements_of(cell: Cell) -> int:
    """Return how many elements a value may have that is compared; 0 where none is."""
    match cell:
        case SubsetCell(_, space):
            return space.size
        case FunctionCell(domain, _, NumberCell(field)) if not field.in_one_word:
            return domain.size
        case _:
            return 0


def changed(codec: Codec, cell: Cell, old: Stored, words: Sequence[int]) -> Value | None:
    """Return the value that a state holds, found by what differs from another; None if that is much."""
    before, value = old
    match cell:
        case SubsetCell(region, space):
            bits = bits_in(region, before) ^ bits_in(region, words)
            if bits.bit_count() * _SHARE > space.size:
                return None
            return set_of(space, bits) ^ value  # a copy of the value: that on the right is copied
        case FunctionCell(domain, defined, NumberCell(field) as inner):
            places = _places(field, before, words)
            was = here = (1 << domain.size) - 1
            if defined is not None:
                was, here = bits_in(defined, before), bits_in(defined, words)
                places.update(_ones(was ^ here))
            if len(places) * _SHARE > domain.size:
                return None
            arguments = [(i, domain.value(i)) for i in places if i < domain.size]
            gone = [(x, codec.decode(inner, before, i)) for i, x in arguments if was >> i & 1]
            come = [(x, codec.decode(inner, words, i)) for i, x in arguments if here >> i & 1]
            return exchanged(value, gone, come)
        case _:
            return None


def _places(field: Field, before: Sequence[int], words: Sequence[int]) -> set[int]:
    """Return which numbers of a field may differ: those in words that do."""
    per_word = WORD // field.width
    count = -(-field.count // per_word)
    first = field.word
    differ = map(ne, before[first : first + count], words[first : first + count])
    return {
        place
        for i in compress(range(count), differ)
        for place in range(i * per_word, (i + 1) * per_word)
    }


def _ones(bits: int) -> Iterator[int]:
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low
