"""Cartesian products and sets of records."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Final

from secateur.maths.show import brief
from secateur.maths.symbolic.relation import DerivedRelation
from secateur.maths.symbolic.space import FEW, SMALL, Space, elements, is_empty, is_small, sample
from secateur.maths.values import (
    RecordValue,
    SetValue,
    SymbolicSet,
    Value,
    cardinality,
    is_subset,
)

_EMPTY: frozenset[Value] = frozenset()


def product_size(parts: tuple[SetValue, ...]) -> int | None:
    """Return the product of the sizes; an empty part makes it 0 whatever the others are."""
    if any(map(is_empty, parts)):
        return 0
    result = 1
    for part in parts:
        size = cardinality(part)
        if size is None:
            return None
        result *= size
    return result


class Cartesian(DerivedRelation):
    """The pairs of an element of `left` and one of `right`."""

    __slots__ = ("left", "right")

    def __init__(self, left: SetValue, right: SetValue) -> None:
        self.left = left
        self.right = right

    def __contains__(self, value: object) -> bool:
        assert isinstance(value, tuple)
        return value[0] in self.left and value[1] in self.right

    def images(self, argument: Value) -> SetValue:
        """Return the right set, for an argument of the left one."""
        return self.right if argument in self.left else _EMPTY

    def image(self, arguments: SetValue) -> SetValue:
        """Return the right set if some argument is in the left one."""
        return self.right if any(x in self.left for x in arguments) else _EMPTY

    def domain(self) -> SetValue:
        """Return the left set, unless there are no pairs."""
        return _EMPTY if is_empty(self.right) else self.left

    def range(self) -> SetValue:
        """Return the right set, unless there are no pairs."""
        return _EMPTY if is_empty(self.left) else self.right

    def range_bound(self) -> SetValue | None:
        """Return the right set."""
        return self.right

    def is_function(self) -> bool | None:
        """Whether there is at most one image to choose from."""
        size = cardinality(self.right)
        return True if size is not None and size <= 1 else is_empty(self.left)

    def is_injective(self) -> bool | None:
        """Whether there is at most one argument to choose from."""
        size = cardinality(self.left)
        return True if size is not None and size <= 1 else is_empty(self.right)

    def is_empty(self) -> bool:
        """Whether one of the sets is empty."""
        return is_empty(self.left) or is_empty(self.right)

    def size(self) -> int | None:
        """Return the product of the sizes."""
        return product_size((self.left, self.right))

    def __iter__(self) -> Iterator[Value]:
        return ((x, y) for x in elements(self.left) for y in elements(self.right))

    def structure(self) -> tuple[Value, ...]:
        """Return the two sets."""
        return (self.left, self.right)

    def within(self, other: SymbolicSet) -> bool | None:
        """Compare component by component."""
        if self.is_empty():
            return True
        if not isinstance(other, Cartesian):
            return None
        return is_subset(self.left, other.left) and is_subset(self.right, other.right)

    def __repr__(self) -> str:
        return f"({brief(self.left)} * {brief(self.right)})"


def cartesian(left: SetValue, right: SetValue) -> SetValue:
    """Return `left * right`, listed if both are and the pairs are not many."""
    if isinstance(left, frozenset) and isinstance(right, frozenset):
        if len(left) * len(right) <= SMALL:
            return _listed(left, right)
    elif is_empty(left) or is_empty(right):
        return _EMPTY
    return Cartesian(left, right)


_PRODUCTS: Final = 256
_products: dict[tuple[int, int], tuple[frozenset[Value], frozenset[Value], frozenset[Value]]] = {}
"""The products listed last, by the identity of the factors: a loop asks for the same ones."""


def _listed(left: frozenset[Value], right: frozenset[Value]) -> frozenset[Value]:
    key = id(left), id(right)
    known = _products.get(key)
    if known is not None:
        return known[2]
    listed = frozenset(product(left, right))
    if len(_products) >= _PRODUCTS:
        _products.clear()
    _products[key] = (left, right, listed)
    return listed


SEEN_THROUGH: Final = 100_000
"""A set with more elements than this is not compared with another one by one."""


def plainly_within(some: SetValue, others: SetValue) -> bool:
    """Whether `some` is a subset of `others`, and that is seen without much ado."""
    if is_small(some, SEEN_THROUGH):
        return is_subset(some, others)
    if isinstance(some, Cartesian) and isinstance(others, Cartesian):
        left = plainly_within(some.left, others.left)
        return left and plainly_within(some.right, others.right)
    if isinstance(some, SymbolicSet) and isinstance(others, SymbolicSet):
        return some is others or bool(some.within(others))
    return some is others


class RecordSpace(Space):
    """The records whose fields lie in given sets; `names` are sorted."""

    __slots__ = ("names", "sets")

    def __init__(self, names: tuple[str, ...], sets: tuple[SetValue, ...]) -> None:
        self.names = names
        self.sets = sets

    def __contains__(self, value: object) -> bool:
        assert isinstance(value, RecordValue)
        return all(v in s for v, s in zip(value, self.sets, strict=True))

    def is_empty(self) -> bool:
        """Whether a field has no possible value."""
        return any(map(is_empty, self.sets))

    def size(self) -> int | None:
        """Return the product of the sizes."""
        return product_size(self.sets)

    def __iter__(self) -> Iterator[Value]:
        return (RecordValue(self.names, values) for values in lazy_product(self.sets))

    def sample(self) -> Iterator[Value]:
        """Yield a few records: not all that a few values in each field make, which may be many."""
        values = [list(sample(s)) for s in self.sets]
        if all(values):
            for i in range(FEW):
                yield RecordValue(self.names, (each[i % len(each)] for each in values))

    def structure(self) -> tuple[Value, ...]:
        """Return fields and sets."""
        return (self.names, self.sets)

    def within(self, other: SymbolicSet) -> bool | None:
        """Compare field by field."""
        if self.is_empty():
            return True
        if not isinstance(other, RecordSpace):
            return None
        return all(is_subset(a, b) for a, b in zip(self.sets, other.sets, strict=True))

    def __repr__(self) -> str:
        inside = ", ".join(f"{n}:{brief(s)}" for n, s in zip(self.names, self.sets, strict=True))
        return f"struct({inside})"


def lazy_product(sets: tuple[SetValue, ...]) -> Iterator[tuple[Value, ...]]:
    """Yield the tuples of elements in canonical order; the sets may be large."""
    if not sets:
        yield ()
        return
    for first in elements(sets[0]):
        for rest in lazy_product(sets[1:]):
            yield (first, *rest)
