"""The slots of a layout: which bits belong together, what they are called, and their codes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final, overload

from secateur.kernel.language import Field, Region
from secateur.kernel.places import bits_of_field, position
from secateur.lang.slots.cells import (
    Cell,
    FunctionCell,
    NumberCell,
    OpaqueCell,
    PairCell,
    RecordCell,
    SequenceCell,
    SubsetCell,
)
from secateur.maths.print_value import show_value
from secateur.system.events import Slot

MOST_CODES: Final = 1 << 16
"""The codes of a slot with more of them are not listed."""


class Shifted(Sequence[int]):
    """The numbers below a limit, in the place of their bits."""

    def __init__(self, count: int, shift: int) -> None:
        self._count = count
        self._shift = shift

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[int]: ...
    def __getitem__(self, index: int | slice) -> int | Sequence[int]:
        if isinstance(index, slice):
            return [i << self._shift for i in range(self._count)[index]]
        return range(self._count)[index] << self._shift


def slots_of(name: str, cell: Cell, index: int = 0) -> Iterator[Slot]:
    """Yield the slots of one value of a cell."""
    match cell:
        case NumberCell(field, space):
            size = None if space is None else field.size
            yield _number(name, field, index, size)
        case OpaqueCell(field):
            yield _number(name, field, index, None)
        case PairCell(left, right):
            yield from slots_of(f"prj1({name})", left, index)
            yield from slots_of(f"prj2({name})", right, index)
        case RecordCell(names, parts):
            for field_name, part in zip(names, parts, strict=True):
                yield from slots_of(f"{name}'{field_name}", part, index)
        case SubsetCell(region, space):
            for i in range(space.size):
                element = show_value(space.value(i))
                yield _number(f"{element} : {name}", _as_field(region), index * space.size + i, 2)
        case FunctionCell(domain, defined, value):
            for i in range(domain.size):
                argument = f"{name}({show_value(domain.value(i))})"
                at = index * domain.size + i
                if defined is None:
                    yield from slots_of(argument, value, at)
                else:
                    yield _partial(argument, _as_field(defined), value, at)
        case SequenceCell():
            yield _sequence(name, cell, index)


def _as_field(region: Region) -> Field:
    return Field(region.word, region.shift, 1, region.width)


def _number(name: str, field: Field, index: int, size: int | None) -> Slot:
    bits = bits_of_field(field, range(index, index + 1))
    if size is None or size > MOST_CODES:
        return Slot(name, bits, None)
    return Slot(name, bits, Shifted(size, position(field, index)))


def _partial(name: str, defined: Field, value: Cell, index: int) -> Slot:
    """Return the slot of a value that may be missing: all its bits are 0 then."""
    parts = list(slots_of(name, value, index))
    there = bits_of_field(defined, range(index, index + 1))
    bits = there | _bits(parts)
    codes = _together(parts)
    return Slot(name, bits, None if codes is None else (0, *(there | c for c in codes)))


def _sequence(name: str, cell: SequenceCell, index: int) -> Slot:
    """Return a sequence as one slot: what is beyond its length is 0."""
    elements = [list(slots_of(name, cell.value, index * cell.limit + i)) for i in range(cell.limit)]
    bits = bits_of_field(cell.length, range(index, index + 1))
    for parts in elements:
        bits |= _bits(parts)
    start = position(cell.length, index)
    codes: list[int] = []
    contents: list[int] = [0]
    for length in range(cell.limit + 1):
        codes += [c | length << start for c in contents]
        if length == cell.limit:
            break
        added = _together(elements[length])
        if added is None or len(codes) + len(contents) * len(added) > MOST_CODES:
            return Slot(name, bits, None)
        contents = [c | a for c in contents for a in added]
    return Slot(name, bits, tuple(codes))


def _bits(parts: Sequence[Slot]) -> int:
    bits = 0
    for part in parts:
        bits |= part.bits
    return bits


def _together(parts: Sequence[Slot]) -> list[int] | None:
    """Return the codes of some slots taken as one, if they are not too many."""
    count = 1
    lists: list[Sequence[int]] = []
    for part in parts:
        if part.codes is None:
            return None
        lists.append(part.codes)
        count *= len(part.codes)
    if count > MOST_CODES:
        return None
    return [sum(codes) for codes in product(*lists)]
