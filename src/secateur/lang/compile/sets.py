"""Sets that are not there as bits: intervals, products, power sets, unions, selections."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from secateur.kernel import build as k
from secateur.kernel.builder import Builder, both, either
from secateur.kernel.language import Expr, Number
from secateur.kernel.ranges import bounds
from secateur.lang.compile.values import (
    BitsView,
    Duo,
    NotCompiled,
    Num,
    Rec,
    SetV,
    V,
    at,
    checked_index,
    joined,
    same,
    subset,
)
from secateur.lang.slots.spaces import LARGEST_SPACE, Range, Space, pairs, records, subsets


class EmptyView(SetV):
    """The empty set of any type."""

    functional = True

    def member(self, b: Builder, value: V) -> Expr:  # noqa: ARG002
        """Nothing is."""
        return k.FALSE

    def each(self, b: Builder, body: Callable[[V], None]) -> None:
        """Emit nothing."""

    def is_empty(self, b: Builder) -> Expr:  # noqa: ARG002
        """It is."""
        return k.TRUE

    def count(self, b: Builder) -> Expr:  # noqa: ARG002
        """Return 0."""
        return k.ZERO

    def bits(self, b: Builder, space: Space) -> Expr:  # noqa: ARG002
        """Return no bits."""
        return k.empty(space.size)


class IntervalView(SetV):
    """The integers between two bounds; None is no bound."""

    def __init__(self, low: Expr | None, high: Expr | None) -> None:
        self.low = low
        self.high = high
        if low is not None and high is not None:
            least, greatest = bounds(low)[0], bounds(high)[1]
            if 0 <= greatest - least < LARGEST_SPACE:
                self.space = Range(least, greatest)

    def member(self, b: Builder, value: V) -> Expr:
        """Compare with the bounds."""
        if not isinstance(value, Num):
            raise NotCompiled("an integer that is none")
        number = (
            b.let(value.expr, "n") if self.low is not None and self.high is not None else value.expr
        )
        above = k.TRUE if self.low is None else k.less_equal(self.low, number)
        below = k.TRUE if self.high is None else k.less_equal(number, self.high)
        return k.and_(above, below)

    def each(self, b: Builder, body: Callable[[V], None]) -> None:
        """Count."""
        if self.low is None or self.high is None:
            raise NotCompiled("an interval without an end")
        with b.for_(self.low, self.high, "n") as number:
            body(Num(number))

    def bits(self, b: Builder, space: Space) -> Expr:
        """Return a row of bits."""
        if space == self.space and isinstance(space, Range):
            assert self.low is not None
            assert self.high is not None
            least = Number(space.low)
            low, high = k.subtract(self.low, least), k.subtract(self.high, least)
            return k.between(space.size, low, high)
        return super().bits(b, space)

    def is_empty(self, b: Builder) -> Expr:  # noqa: ARG002
        """Compare the bounds."""
        if self.low is None or self.high is None:
            return k.FALSE
        return k.less(self.high, self.low)

    def count(self, b: Builder) -> Expr:
        """Return the distance of the bounds."""
        if self.low is None or self.high is None:
            raise NotCompiled("the cardinality of an infinite set")
        low, high = b.let(self.low), b.let(self.high)
        distance = k.add(k.subtract(high, low), k.ONE)
        return k.choose(k.less(high, low), k.ZERO, distance)


class ListedView(SetV):
    """`{a, b, c}`: some values, perhaps several times the same."""

    def __init__(self, items: Sequence[V], space: Space | None) -> None:
        self.items = items
        self.space = space

    def member(self, b: Builder, value: V) -> Expr:
        """Compare with each."""
        result: Expr = k.FALSE
        for item in self.items:
            result = either(b, result, lambda item=item: same(b, value, item))  # type: ignore[misc]
        return result

    def each(self, b: Builder, body: Callable[[V], None]) -> None:
        """Leave out what came before."""
        if len(self.items) == 1:
            body(self.items[0])
            return
        if self.space is not None:
            super().each(b, body)
            return
        for number, item in enumerate(self.items):
            seen: Expr = k.FALSE
            for before in self.items[:number]:
                seen = either(b, seen, lambda before=before: same(b, item, before))  # type: ignore[misc] # noqa: B023
            with b.if_(k.not_(seen)):
                body(item)

    def bits(self, b: Builder, space: Space) -> Expr:
        """Set a bit for each."""
        found = k.empty(space.size)
        for item in self.items:
            found = k.with_(found, checked_index(b, space, item))
        return found

    def count(self, b: Builder) -> Expr:
        """Return the number of different values."""
        return k.ONE if len(self.items) == 1 else super().count(b)

    def is_empty(self, b: Builder) -> Expr:  # noqa: ARG002
        """It has elements."""
        return k.FALSE

    def apply(self, b: Builder, argument: V) -> V:
        """Take the value of the only pair, if that is the one."""
        if len(self.items) == 1 and isinstance(self.items[0], Duo):
            pair = self.items[0]
            b.trap_unless(same(b, pair.left, argument), "outside the domain")
            return pair.right
        return super().apply(b, argument)

    def defined(self, b: Builder, argument: V) -> Expr:
        """Compare with the left parts."""
        result: Expr = k.FALSE
        for item in self.items:
            if not isinstance(item, Duo):
                raise NotCompiled("the domain of what is no relation")
            result = either(b, result, lambda item=item: same(b, argument, item.left))  # type: ignore[misc]
        return result


class ProductView(SetV):
    """Pairs of elements of two sets."""

    def __init__(self, left: SetV, right: SetV) -> None:
        self.left = left
        self.right = right
        self.space = pairs(left.space, right.space)

    def member(self, b: Builder, value: V) -> Expr:
        """Test both parts."""
        if not isinstance(value, Duo):
            raise NotCompiled("a pair that is stored as a whole")
        return both(b, self.left.member(b, value.left), lambda: self.right.member(b, value.right))

    def each(self, b: Builder, body: Callable[[V], None]) -> None:
        """Go through both."""
        self.left.each(b, lambda x: self.right.each(b, lambda y: body(Duo(x, y))))

    def defined(self, b: Builder, argument: V) -> Expr:
        """Look at the left part."""
        return both(b, self.left.member(b, argument), lambda: k.not_(self.right.is_empty(b)))

    def row_bits(self, b: Builder, argument: V) -> Expr:
        """Return the right part, or nothing."""
        space = self.right.need_space()
        return k.choose(
            self.left.member(b, argument), self.right.bits(b, space), k.empty(space.size)
        )

    def is_empty(self, b: Builder) -> Expr:
        """Look at both parts."""
        return either(b, self.left.is_empty(b), lambda: self.right.is_empty(b))


class RecordsView(SetV):
    """Records whose fields are in given sets."""

    def __init__(self, names: tuple[str, ...], parts: Sequence[SetV]) -> None:
        self.names = names
        self.parts = parts
        self.space = records(names, [p.space for p in parts])

    def member(self, b: Builder, value: V) -> Expr:
        """Test all fields."""
        if not isinstance(value, Rec):
            raise NotCompiled("a record that is stored as a whole")
        result: Expr = k.TRUE
        for part, each in zip(self.parts, value.parts, strict=True):
            result = both(b, result, lambda part=part, each=each: part.member(b, each))  # type: ignore[misc]
        return result

    def each(self, b: Builder, body: Callable[[V], None]) -> None:
        """Go through all fields."""

        def go_on(found: tuple[V, ...]) -> None:
            if len(found) == len(self.parts):
                body(Rec(self.names, found))
            else:
                self.parts[len(found)].each(b, lambda v: go_on((*found, v)))

        go_on(())


class PowerView(SetV):
    """The subsets of a set, all or the non-empty ones."""

    def __init__(self, of: SetV, *, empty_too: bool = True) -> None:
        self.of = of
        self.empty_too = empty_too
        self.space = subsets(of.space)

    def member(self, b: Builder, value: V) -> Expr:
        """Test inclusion."""
        if not isinstance(value, SetV):
            raise NotCompiled("a set that is stored as a whole")
        inside = subset(b, value, self.of)
        return inside if self.empty_too else k.and_(inside, k.not_(value.is_empty(b)))

    def each(self, b: Builder, body: Callable[[V], None]) -> None:
        """Go through all masks, and leave out what is not included."""
        space = self.need_space()
        inner = self.of.need_space()
        allowed = b.let(self.of.bits(b, inner), "of")
        with b.for_(Number(0 if self.empty_too else 1), Number(space.size - 1), "mask") as number:
            found = at(space, number)
            assert isinstance(found, BitsView)
            bits = b.let(found.expr, "subset")
            with b.if_(k.subset(bits, allowed)):
                body(BitsView(bits, inner))

    def bits(self, b: Builder, space: Space) -> Expr:
        """Gather what `each` finds."""
        return SetV.bits(self, b, space)


class UnionView(SetV):
    """The elements of either set."""

    def __init__(self, left: SetV, right: SetV) -> None:
        self.left = left
        self.right = right
        if isinstance(left, EmptyView) or isinstance(right, EmptyView):
            self.space = right.space if isinstance(left, EmptyView) else left.space
        else:
            self.space = joined(left.space, right.space)

    def need_space(self) -> Space:
        """Return the space of one set if that of the other is not known: what is not in it traps."""
        return self.space or self.left.space or self.right.need_space()

    def member(self, b: Builder, value: V) -> Expr:
        """Test both."""
        return either(b, self.left.member(b, value), lambda: self.right.member(b, value))

    def each(self, b: Builder, body: Callable[[V], None]) -> None:
        """Go through both, and leave out what comes twice."""
        if self.space is not None:
            super().each(b, body)
            return
        self.left.each(b, body)

        def again(value: V) -> None:
            with b.if_(k.not_(self.left.member(b, value))):
                body(value)

        self.right.each(b, again)

    def bits(self, b: Builder, space: Space) -> Expr:
        """Join the bits."""
        return k.join(self.left.bits(b, space), self.right.bits(b, space))


class SelectionView(SetV):
    """The elements of a set that meet a condition."""

    def __init__(self, of: SetV, condition: Callable[[Builder, V], Expr]) -> None:
        self.of = of
        self.condition = condition
        self.space = of.space

    def member(self, b: Builder, value: V) -> Expr:
        """Test both."""
        return both(b, self.of.member(b, value), lambda: self.condition(b, value))

    def each(self, b: Builder, body: Callable[[V], None]) -> None:
        """Go through the set."""

        def select(value: V) -> None:
            with b.if_(self.condition(b, value)):
                body(value)

        self.of.each(b, select)


def intersection(left: SetV, right: SetV) -> SetV:
    """Return what is in both sets."""
    if left.space is None and right.space is not None:
        left, right = right, left
    return MeetView(left, right)


class MeetView(SelectionView):
    """The elements of both sets."""

    def __init__(self, left: SetV, right: SetV) -> None:
        super().__init__(left, right.member)
        self.right = right

    def bits(self, b: Builder, space: Space) -> Expr:
        """Meet the bits, if both sets are of this space."""
        if self.of.space == space == self.right.space:
            return k.meet(self.of.bits(b, space), self.right.bits(b, space))
        return super().bits(b, space)


class DifferenceView(SelectionView):
    """The elements of one set that are not in another."""

    def __init__(self, left: SetV, right: SetV) -> None:
        super().__init__(left, lambda b, value: k.not_(right.member(b, value)))
        self.right = right

    def bits(self, b: Builder, space: Space) -> Expr:
        """Take away the bits, if both sets are of this space."""
        if self.of.space == space == self.right.space:
            return k.minus(self.of.bits(b, space), self.right.bits(b, space))
        return super().bits(b, space)
