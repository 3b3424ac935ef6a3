"""Finite sets of values, numbered 0, 1, 2, ..."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, Final

from secateur.maths.types import BOOL, Base, DataType, Given, Power, Product, Struct, Type
from secateur.maths.types import Variable as TypeVariable
from secateur.maths.values import RecordValue, SymbolicSet, Value
from secateur.source.records import dataclass

LARGEST_SPACE: Final = 4096
"""A space of more values is not given numbers: sets over it would be too many bits."""


class OutOfSpace(Exception):
    """A value is not among those of a space."""


@dataclass(frozen=True)
class Truths:
    """FALSE and TRUE."""

    size = 2

    def index(self, value: Value) -> int:
        """Return the number of a value."""
        return int(value)

    def value(self, index: int) -> Value:
        """Return the value with this number."""
        return bool(index)


@dataclass(frozen=True)
class Carrier:
    """The elements of a given set, which are numbered one after the other in a model."""

    name: str
    elements: tuple[Any, ...]

    @property
    def size(self) -> int:
        """How many there are."""
        return len(self.elements)

    def index(self, value: Value) -> int:
        """Return the number of an element."""
        return int(value) - int(self.elements[0])

    def value(self, index: int) -> Value:
        """Return the element with this number."""
        return self.elements[index]


@dataclass(frozen=True)
class Range:
    """The integers from `low` to `high`."""

    low: int
    high: int

    @property
    def size(self) -> int:
        """How many there are."""
        return max(0, self.high - self.low + 1)

    def index(self, value: Value) -> int:
        """Return the number of an integer."""
        if not self.low <= value <= self.high:
            raise OutOfSpace
        return int(value) - self.low

    def value(self, index: int) -> Value:
        """Return the integer with this number."""
        return index + self.low


@dataclass(frozen=True)
class Pairs:
    """Pairs; those with one left part are next to each other."""

    left: Space
    right: Space

    @property
    def size(self) -> int:
        """How many there are."""
        return self.left.size * self.right.size

    def index(self, value: Value) -> int:
        """Return the number of a pair."""
        return self.left.index(value[0]) * self.right.size + self.right.index(value[1])

    def value(self, index: int) -> Value:
        """Return the pair with this number."""
        left, right = divmod(index, self.right.size)
        return (self.left.value(left), self.right.value(right))


@dataclass(frozen=True)
class Records:
    """Records, the fields in the order of their names; the last one changes fastest."""

    names: tuple[str, ...]
    parts: tuple[Space, ...]

    @cached_property
    def size(self) -> int:
        """How many there are."""
        product = 1
        for part in self.parts:
            product *= part.size
        return product

    def index(self, value: Value) -> int:
        """Return the number of a record."""
        number = 0
        for part, each in zip(self.parts, value, strict=True):
            number = number * part.size + part.index(each)
        return number

    def value(self, index: int) -> Value:
        """Return the record with this number."""
        values = []
        for part in reversed(self.parts):
            index, place = divmod(index, part.size)
            values.append(part.value(place))
        return RecordValue(self.names, reversed(values))


@dataclass(frozen=True)
class Subsets:
    """The subsets of a small space; the number is the mask."""

    of: Space

    @property
    def size(self) -> int:
        """How many there are."""
        return 1 << self.of.size

    def index(self, value: Value) -> int:
        """Return the number of a set."""
        return mask_of(self.of, value)

    def value(self, index: int) -> Value:
        """Return the set with this number."""
        return set_of(self.of, index)


Space = Truths | Carrier | Range | Pairs | Records | Subsets


def mask_of(space: Space, values: Value) -> int:
    """Return the set of these values as bits."""
    if isinstance(values, SymbolicSet):
        values = values.expand()
    mask = 0
    for value in values:
        mask |= 1 << space.index(value)
    return mask


_LONG: Final = 1024


def set_of(space: Space, mask: int) -> frozenset[Value]:
    """Return the values whose bits are set."""
    if mask.bit_length() > _LONG:
        bits = reversed(f"{mask:b}")  # to clear bits of a long number is to copy it each time
        return frozenset([space.value(i) for i, bit in enumerate(bits) if bit == "1"])
    found = []
    while mask:
        low = mask & -mask
        found.append(space.value(low.bit_length() - 1))
        mask ^= low
    return frozenset(found)


def space_of_type(type_: Type, carriers: Mapping[str, Carrier]) -> Space | None:
    """Return all values of a type as a space, if there are not too many."""
    match type_:
        case Base():
            return Truths() if type_ is BOOL else None
        case Given(name):
            found = carriers.get(name)
            return found if found is not None and 0 < found.size <= LARGEST_SPACE else None
        case Product(left, right):
            return pairs(space_of_type(left, carriers), space_of_type(right, carriers))
        case Struct(fields):
            parts = [space_of_type(t, carriers) for _, t in fields]
            return records(tuple(n for n, _ in fields), parts)
        case Power(element):
            return subsets(space_of_type(element, carriers))
        case DataType() | TypeVariable():
            return None


def pairs(left: Space | None, right: Space | None) -> Space | None:
    """Return the pairs over two spaces, if there are not too many."""
    if left is None or right is None or left.size * right.size > LARGEST_SPACE:
        return None
    return Pairs(left, right)


def records(names: tuple[str, ...], parts: list[Space | None]) -> Space | None:
    """Return the records over some spaces, if there are not too many."""
    known = [p for p in parts if p is not None]
    if len(known) < len(parts):
        return None
    space = Records(names, tuple(known))
    return space if space.size <= LARGEST_SPACE else None


def subsets(of: Space | None) -> Space | None:
    """Return the subsets of a space, if there are not too many."""
    if of is None or (1 << min(of.size, 64)) > LARGEST_SPACE:
        return None
    return Subsets(of)
