"""Unions, intersections, differences and selections that are not listed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import zip_longest
from typing import Final

from secateur.maths.show import brief
from secateur.maths.symbolic.relation import DerivedRelation, domain_of, image_of, images_of
from secateur.maths.symbolic.space import Space, decided, elements, is_empty, sample
from secateur.maths.values import (
    SetValue,
    SymbolicSet,
    Undecided,
    Value,
    cardinality,
    explicit,
    is_subset,
    ordered,
)

_NOTHING: Final = object()


class Union(Space):
    """The elements of two sets."""

    __slots__ = ("left", "right")

    def __init__(self, left: SetValue, right: SetValue) -> None:
        self.left = left
        self.right = right

    def __contains__(self, value: object) -> bool:
        return _either(lambda: value in self.left, lambda: value in self.right)

    def size(self) -> int | None:
        """Return the number of elements, common ones counted once."""
        sizes = (cardinality(self.left), cardinality(self.right))
        if None in sizes:
            return None
        return len(explicit(self.left) | explicit(self.right))

    def is_empty(self) -> bool:
        """Whether both sets are empty."""
        return is_empty(self.left) and is_empty(self.right)

    def __iter__(self) -> Iterator[Value]:
        return iter(ordered(self.any_order()))

    def any_order(self) -> Iterable[Value]:
        """Return the elements, which are in no order."""
        return explicit(self.left) | explicit(self.right)

    def sample(self) -> Iterator[Value]:
        """Yield a few elements of both, in turn."""
        found = zip_longest(sample(self.left), sample(self.right), fillvalue=_NOTHING)
        return (x for pair in found for x in pair if x is not _NOTHING)

    def structure(self) -> tuple[Value, ...]:
        """Return the two sets."""
        return (self.left, self.right)

    def within(self, other: SymbolicSet) -> bool | None:
        """Ask both sets."""
        return is_subset(self.left, other) and is_subset(self.right, other)

    def covers(self, other: SymbolicSet) -> bool | None:
        """Ask whether one set suffices."""
        for part in (self.left, self.right):
            if isinstance(part, SymbolicSet) and decided(partial(is_subset, other, part)):
                return True
        return None

    def __repr__(self) -> str:
        return f"({brief(self.left)} \\/ {brief(self.right)})"


def _either(first: Callable[[], bool], second: Callable[[], bool]) -> bool:
    """Whether one of two holds; that the first is undecided does not matter if the second does."""
    try:
        if first():
            return True
    except Undecided:
        if second():
            return True
        raise
    return second()


class RelationUnion(Union, DerivedRelation):
    """The pairs of two relations; it can be applied."""

    __slots__ = ()

    def images(self, argument: Value) -> SetValue:
        """Return the images under either."""
        return explicit(images_of(self.left, argument)) | explicit(images_of(self.right, argument))

    def image(self, arguments: SetValue) -> SetValue:
        """Return the images under either."""
        return explicit(image_of(self.left, arguments)) | explicit(image_of(self.right, arguments))

    def domain(self) -> SetValue:
        """Return the arguments of either."""
        left, right = domain_of(self.left), domain_of(self.right)
        if isinstance(left, frozenset) and isinstance(right, frozenset):
            return left | right
        return Union(left, right)


class Selection(Space):
    """The elements of `base` that pass a test."""

    __slots__ = ("base", "test", "text")

    def __init__(self, base: SetValue, test: Callable[[Value], bool], text: str) -> None:
        self.base = base
        self.test = test
        self.text = text

    def __contains__(self, value: object) -> bool:
        return value in self.base and self.test(value)

    def size(self) -> int | None:
        """Return the number of elements; undecided for an infinite base."""
        if cardinality(self.base) is None:
            raise Undecided(f"how many elements {self!r} has")
        return sum(1 for x in self.base if self.test(x))

    def __iter__(self) -> Iterator[Value]:
        return (x for x in elements(self.base) if self.test(x))

    def sample(self) -> Iterator[Value]:
        """Yield those of a few elements of the base that pass."""
        return (x for x in sample(self.base) if decided(partial(self.test, x)))

    def within(self, other: SymbolicSet) -> bool | None:
        """Ask whether the base is within."""
        return decided(lambda: is_subset(self.base, other)) or None

    def __repr__(self) -> str:
        return self.text


class Intersection(Selection):
    """The common elements of two sets, neither of which is small."""

    __slots__ = ("other",)

    def __init__(self, base: SetValue, other: SetValue) -> None:
        text = f"({brief(base)} /\\ {brief(other)})"
        super().__init__(base, lambda x: x in other, text)
        self.other = other

    def structure(self) -> tuple[Value, ...]:
        """Return the two sets."""
        return (self.base, self.other)

    def within(self, other: SymbolicSet) -> bool | None:
        """Ask whether one of the sets is within."""
        found = super().within(other)
        return found or decided(lambda: is_subset(self.other, other)) or None

    def covers(self, other: SymbolicSet) -> bool | None:
        """Ask both sets."""
        return is_subset(other, self.base) and is_subset(other, self.other)


class Difference(Selection):
    """The elements of `base` that are not in `removed`."""

    __slots__ = ("removed",)

    def __init__(self, base: SetValue, removed: SetValue) -> None:
        text = f"({brief(base)} - {brief(removed)})"
        super().__init__(base, lambda x: x not in removed, text)
        self.removed = removed

    def size(self) -> int | None:
        """Return the number of elements: infinite less finite is infinite."""
        if cardinality(self.base) is None and cardinality(self.removed) is not None:
            return None
        return super().size()

    def is_empty(self) -> bool:
        """Whether everything is removed."""
        return is_subset(self.base, self.removed)

    def covers(self, other: SymbolicSet) -> bool | None:
        """Ask whether `other` is in the base and holds nothing that is removed."""
        if not isinstance(self.removed, frozenset):
            return None
        return not any(x in other for x in self.removed) and is_subset(other, self.base)

    def structure(self) -> tuple[Value, ...]:
        """Return the two sets."""
        return (self.base, self.removed)
