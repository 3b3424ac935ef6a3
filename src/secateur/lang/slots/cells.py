"""Where the parts of a stored value are: fields and regions of the packed state.

Every cell is an array: `count` values of one shape, each under its number.  A variable is
the only value of its cell; the values of a function are a cell with a value per argument.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from secateur.kernel.language import WORD, Field, Region
from secateur.kernel.places import bits_of_field, bits_of_region
from secateur.lang.slots import shapes
from secateur.lang.slots.shapes import Shape
from secateur.lang.slots.spaces import Range, Space
from secateur.maths.types import Type
from secateur.source.records import dataclass


@dataclass(frozen=True, slots=True)
class NumberCell:
    """Numbers of the values of a space; integers as they are if `space` is None (64 bits)."""

    field: Field
    space: Space | None


@dataclass(frozen=True, slots=True)
class PairCell:
    """Pairs, part by part."""

    left: Cell
    right: Cell


@dataclass(frozen=True, slots=True)
class RecordCell:
    """Records, field by field."""

    names: tuple[str, ...]
    parts: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class SubsetCell:
    """Sets over a space, one after the other in one region."""

    region: Region
    space: Space


@dataclass(frozen=True, slots=True)
class FunctionCell:
    """Functions; value number `i * domain.size + j` is that of the i-th function at argument j.

    Where there is no value, its bit in `defined` and all bits of the value are 0.
    """

    domain: Space
    defined: Region | None
    value: Cell


@dataclass(frozen=True, slots=True)
class SequenceCell:
    """Sequences; value number `i * limit + j` is that of the i-th one at position j + 1.

    Beyond the length, all bits are 0.
    """

    limit: int
    length: Field
    value: Cell


@dataclass(frozen=True, slots=True)
class OpaqueCell:
    """Numbers of values in a table that grows, one table for each type."""

    field: Field
    type: Type


Cell = NumberCell | PairCell | RecordCell | SubsetCell | FunctionCell | SequenceCell | OpaqueCell

OPAQUE_BITS = 32


class Allocator:
    """Hands out bits of a state; small things share words, nothing straddles one needlessly."""

    def __init__(self, first_word: int = 0) -> None:
        self._free: dict[int, int] = {}
        """The words that are not full: how many bits are used."""
        self.words = first_word
        self.first = first_word

    def field(self, size: int, count: int, least: int = 0) -> Field:
        """Return room for `count` numbers from `least` on, `size` different ones each."""
        width = max(1, (size - 1).bit_length())
        word, shift = self._room(width, count)
        return Field(word, shift, width, count, least, size)

    def wide(self, count: int) -> Field:
        """Return room for `count` integers of 64 bits."""
        word, shift = self._room(WORD, count)
        return Field(word, shift, WORD, count)

    def region(self, width: int) -> Region:
        """Return room for `width` bits."""
        word, shift = self._room(1, width)
        return Region(word, shift, width)

    def _room(self, width: int, count: int) -> tuple[int, int]:
        needed = width * count
        if needed <= WORD:
            for word, used in self._free.items():
                if used + needed <= WORD:
                    self._free[word] = used + needed
                    return word, used
            self._free[self.words] = needed
            self.words += 1
            return self.words - 1, 0
        first = self.words
        per_word = WORD // width
        self.words += -(-count // per_word)
        self._free[self.words - 1] = ((count - 1) % per_word + 1) * width
        return first, 0


def allocate(shape: Shape, count: int, room: Allocator) -> Cell:
    """Return places for `count` values of a shape."""
    match shape:
        case shapes.Dense(space):
            least = space.low if isinstance(space, Range) else 0
            return NumberCell(room.field(space.size, count, least), space)
        case shapes.Wide():
            return NumberCell(room.wide(count), None)
        case shapes.Pair(left, right):
            return PairCell(allocate(left, count, room), allocate(right, count, room))
        case shapes.Record(names, parts):
            return RecordCell(names, tuple(allocate(p, count, room) for p in parts))
        case shapes.Subset(space):
            return SubsetCell(room.region(count * space.size), space)
        case shapes.Function(domain, value, total):
            defined = None if total else room.region(count * domain.size)
            return FunctionCell(domain, defined, allocate(value, count * domain.size, room))
        case shapes.Sequence(limit, value):
            length = room.field(limit + 1, count)
            return SequenceCell(limit, length, allocate(value, count * limit, room))
        case shapes.Opaque(type_):
            return OpaqueCell(room.field(1 << OPAQUE_BITS, count), type_)


def places(cell: Cell) -> Iterator[Field | Region]:
    """Yield the fields and regions of a cell."""
    match cell:
        case NumberCell(field) | OpaqueCell(field):
            yield field
        case PairCell(left, right):
            yield from places(left)
            yield from places(right)
        case RecordCell(_, parts):
            for part in parts:
                yield from places(part)
        case SubsetCell(region):
            yield region
        case FunctionCell(_, defined, value):
            if defined is not None:
                yield defined
            yield from places(value)
        case SequenceCell(_, length, value):
            yield length
            yield from places(value)


def mask(cells: Sequence[Cell], words: int) -> list[int]:
    """Return the bits that some cells occupy, word by word."""
    found = [0] * words
    for cell in cells:
        for place in places(cell):
            width, count = (
                (1, place.width) if isinstance(place, Region) else (place.width, place.count)
            )
            if place.shift + width * count <= WORD:
                found[place.word] |= ((1 << width * count) - 1) << place.shift
                continue
            per_word = WORD // width
            for first in range(0, count, per_word):
                there = min(per_word, count - first)
                found[place.word + first // per_word] |= (1 << width * there) - 1
    return found


def bits(cell: Cell) -> int:
    """Return the bits that a cell occupies, as one number."""
    found = 0
    for place in places(cell):
        found |= bits_of_region(place) if isinstance(place, Region) else bits_of_field(place)
    return found


def position(word: int, shift: int, width: int, count: int, index: int) -> tuple[int, int]:
    """Return the word and the bit at which a number of a field begins."""
    if shift + width * count <= WORD:
        return word, shift + index * width
    per_word = WORD // width
    return word + index // per_word, index % per_word * width
