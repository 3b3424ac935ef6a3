"""Values to packed states, and back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import compress
from threading import Lock

from secateur.kernel.language import WORD, Field, Region
from secateur.lang.slots.cells import (
    Cell,
    FunctionCell,
    NumberCell,
    OpaqueCell,
    PairCell,
    RecordCell,
    SequenceCell,
    SubsetCell,
    position,
)
from secateur.lang.slots.spaces import OutOfSpace, Range, Space, Truths, mask_of, set_of
from secateur.maths.types import Type
from secateur.maths.values import RecordValue, Value

_ALL = (1 << WORD) - 1


class Interned:
    """The values that are known by their numbers alone, type by type.

    Python takes TRUE for 1 and an element for its number, so types are not mixed.
    """

    def __init__(self) -> None:
        self._values: dict[Type, list[Value]] = {}
        self._numbers: dict[tuple[Type, Value], int] = {}
        self._adding = Lock()

    def number(self, type_: Type, value: Value) -> int:
        """Return the number of a value; equal values have one number."""
        found = self._numbers.get((type_, value))
        return self._added(type_, value) if found is None else found

    def _added(self, type_: Type, value: Value) -> int:
        """Number a value that is new, unless another thread has just done so."""
        with self._adding:
            known = self._values.setdefault(type_, [])
            found = self._numbers.setdefault((type_, value), len(known))
            if found == len(known):
                known.append(value)
            return found

    def value(self, type_: Type, number: int) -> Value:
        """Return the value with this number."""
        return self._values[type_][number]

    def items(self) -> Iterator[tuple[Type, Value]]:
        """Yield all of them with their types, each type in the order of the numbers."""
        for type_, known in self._values.items():
            for value in known:
                yield type_, value

    def values(self) -> Iterator[Value]:
        """Yield all of them."""
        for known in self._values.values():
            yield from known


def put(words: list[int], field: Field, index: int, bits: int) -> None:
    """Write the bits of one number; they were 0 before."""
    word, shift = position(field.word, field.shift, field.width, field.count, index)
    words[word] |= bits << shift


def get(words: Sequence[int], field: Field, index: int) -> int:
    """Return the bits of one number."""
    word, shift = position(field.word, field.shift, field.width, field.count, index)
    return words[word] >> shift & ((1 << field.width) - 1)


def bits_in(region: Region, words: Sequence[int]) -> int:
    """Return all bits of a region as a number."""
    return _bits(region, words, 0, region.width)


def bits_of(region: Region) -> Field:
    """Return a region bit by bit."""
    return Field(region.word, region.shift, 1, region.width)


class Codec:
    """Encodes and decodes values of cells.  A value that does not fit raises `OutOfSpace`."""

    def __init__(self, interned: Interned) -> None:
        self.interned = interned
        self._spaces: dict[int, tuple[Space, list[Value]]] = {}

    def encode(self, cell: Cell, value: Value, words: list[int], index: int = 0) -> None:
        """Write a value into words that are 0 there."""
        match cell:
            case NumberCell(field, None):
                if not -(1 << 63) < value < 1 << 63:
                    raise OutOfSpace
                put(words, field, index, int(value) & _ALL)
            case NumberCell(field, space):
                assert space is not None
                put(words, field, index, space.index(value))
            case PairCell() | RecordCell() if not isinstance(value, tuple):
                raise OutOfSpace  # there is a rule in it
            case PairCell(left, right):
                self.encode(left, value[0], words, index)
                self.encode(right, value[1], words, index)
            case RecordCell(_, parts):
                for part, each in zip(parts, value, strict=True):
                    self.encode(part, each, words, index)
            case OpaqueCell(field, type_):
                put(words, field, index, self.interned.number(type_, value))
            case _:
                self._encode_set(cell, value, words, index)

    def _encode_set(
        self,
        cell: SubsetCell | FunctionCell | SequenceCell,
        value: Value,
        words: list[int],
        index: int,
    ) -> None:
        if not isinstance(value, frozenset):
            raise OutOfSpace
        match cell:
            case SubsetCell(region, space):
                self._encode_bits(region, mask_of(space, value), words, index * space.size)
            case FunctionCell(domain, defined, inner):
                numbers = {domain.index(left): right for left, right in value}
                if len(numbers) < len(value) or (defined is None and len(value) < domain.size):
                    raise OutOfSpace
                start = index * domain.size
                if defined is not None:
                    mask = sum([1 << number for number in numbers])
                    self._encode_bits(defined, mask, words, start)
                for number, right in numbers.items():
                    self.encode(inner, right, words, start + number)
            case SequenceCell(limit, length, inner):
                parts = dict(value)
                size = len(value)
                if (
                    size > limit
                    or len(parts) < size
                    or any(i not in parts for i in range(1, size + 1))
                ):
                    raise OutOfSpace
                put(words, length, index, size)
                for at in range(size):
                    self.encode(inner, parts[at + 1], words, index * limit + at)

    def _encode_bits(self, region: Region, mask: int, words: list[int], start: int) -> None:
        # A region is contiguous: bit i of it is bit `shift + i` from its first word on.
        shifted = mask << (region.shift + start)
        word = region.word
        while shifted:
            words[word] |= shifted & _ALL
            shifted >>= WORD
            word += 1

    def decode(self, cell: Cell, words: Sequence[int], index: int = 0) -> Value:
        """Return the value that is stored."""
        match cell:
            case NumberCell(field, None):
                bits = get(words, field, index)
                return bits - (1 << WORD) if bits >> (WORD - 1) else bits
            case NumberCell(field, space):
                assert space is not None
                bits = get(words, field, index)
                return bits + space.low if isinstance(space, Range) else space.value(bits)
            case PairCell(left, right):
                return (self.decode(left, words, index), self.decode(right, words, index))
            case RecordCell(names, parts):
                return RecordValue(names, [self.decode(p, words, index) for p in parts])
            case OpaqueCell(field, type_):
                return self.interned.value(type_, get(words, field, index))
            case SubsetCell(region, space):
                return set_of(space, _bits(region, words, index * space.size, space.size))
            case FunctionCell(domain, defined, inner):
                start, size = index * domain.size, domain.size
                row = self._row(inner, words, start, size)
                pairs = zip(self._values_of(domain), row, strict=True)
                if defined is None:
                    return frozenset(pairs)
                digits = f"{_bits(defined, words, start, size):0{size}b}"[::-1]
                return frozenset(compress(pairs, [bit == "1" for bit in digits]))
            case SequenceCell(limit, length, inner):
                size = get(words, length, index)
                return frozenset(enumerate(self._row(inner, words, index * limit, size), 1))

    def _values_of(self, space: Space) -> list[Value]:
        """Return all values of a space, which are computed once."""
        found = self._spaces.get(id(space))
        if found is None:
            listed = [space.value(i) for i in range(space.size)]
            found = self._spaces[id(space)] = (space, listed)
        return found[1]

    def _row(self, cell: Cell, words: Sequence[int], start: int, count: int) -> Iterable[Value]:
        """Return values that are stored one after the other; numbers are many at a time."""
        if not isinstance(cell, NumberCell) or cell.space is None:
            return (self.decode(cell, words, start + i) for i in range(count))
        numbers = _numbers(cell.field, words, start, count)
        if isinstance(cell.space, Range):
            low = cell.space.low
            return [number + low for number in numbers]
        if isinstance(cell.space, Truths):
            return [number == 1 for number in numbers]
        values = self._values_of(cell.space)
        # Where there is no value, the bits are 0.
        return [values[number] for number in numbers]


def _bits(region: Region, words: Sequence[int], start: int, width: int) -> int:
    first = region.shift + start
    word, low = region.word + first // WORD, first % WORD
    last = region.word + (first + width - 1) // WORD
    value = 0
    for number in range(last, word - 1, -1):
        value = value << WORD | words[number]
    return value >> low & ((1 << width) - 1)


def _numbers(field: Field, words: Sequence[int], start: int, count: int) -> list[int]:
    """Return the bits of numbers that follow each other."""
    width = field.width
    low = (1 << width) - 1
    if field.in_one_word:
        word = words[field.word] >> (field.shift + start * width)
        return [word >> (i * width) & low for i in range(count)]
    per_word = WORD // width
    first, last = start // per_word, (start + count - 1) // per_word
    places = range(0, per_word * width, width)
    found = [
        w >> at & low for w in words[field.word + first : field.word + last + 1] for at in places
    ]
    skipped = start - first * per_word
    return found[skipped : skipped + count]
