"""Sequences: a length, and an item for every position from 1 on."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence

from secateur.kernel import build as k
from secateur.kernel.builder import Builder, both
from secateur.kernel.language import Expr, Number
from secateur.lang.compile.choices import chosen
from secateur.lang.compile.relations import DomainView
from secateur.lang.compile.sets import EmptyView
from secateur.lang.compile.values import (
    Duo,
    NotCompiled,
    Num,
    SetV,
    V,
    checked_index,
    joined,
    same,
)
from secateur.lang.slots.spaces import Range, Space, pairs


class SequenceView(SetV):
    """A sequence of at most `limit` items; `items` is where they are found, if that is known."""

    functional = True

    def __init__(self, length: Expr, limit: int, items: Space | None) -> None:
        self.length = length
        self.limit = limit
        self.items = items
        self.space = pairs(Range(1, max(1, limit)), items)

    @abstractmethod
    def item(self, b: Builder, position: Expr) -> V:
        """Return the item at a position that is within the length."""

    def _inside(self, b: Builder, argument: V) -> tuple[Expr, Expr]:
        if not isinstance(argument, Num):
            raise NotCompiled("a position that is no integer")
        position = b.let(argument.expr, "at")
        return (
            k.and_(k.less_equal(k.ONE, position), k.less_equal(position, self.length)),
            position,
        )

    def member(self, b: Builder, value: V) -> Expr:
        """Compare with the item at the left part."""
        assert isinstance(value, Duo)
        inside, position = self._inside(b, value.left)
        return both(b, inside, lambda: same(b, self.item(b, position), value.right))

    def each(self, b: Builder, body: Callable[[V], None]) -> None:
        """Go through the positions."""
        with b.for_(k.ONE, self.length, "at") as position:
            body(Duo(Num(position), self.item(b, position)))

    def apply(self, b: Builder, argument: V) -> V:
        """Return the item."""
        inside, position = self._inside(b, argument)
        b.trap_unless(inside, "outside the domain")
        return self.item(b, position)

    def defined(self, b: Builder, argument: V) -> Expr:
        """Compare with the length."""
        return self._inside(b, argument)[0]

    def row_bits(self, b: Builder, argument: V) -> Expr:
        """Return the item as a set of at most one element."""
        space = self.pair_space().right
        inside, position = self._inside(b, argument)
        found = b.variable(k.empty(space.size), "row")
        with b.if_(inside):
            item = checked_index(b, space, self.item(b, position))
            b.assign(found, k.with_(found, item))
        return found

    def is_empty(self, b: Builder) -> Expr:  # noqa: ARG002
        """Look at the length."""
        return k.equal(self.length, k.ZERO)

    def count(self, b: Builder) -> Expr:  # noqa: ARG002
        """Return the length."""
        return self.length


class ListedSequence(SequenceView):
    """`[a, b, c]`."""

    def __init__(self, listed: Sequence[V], items: Space | None) -> None:
        super().__init__(Number(len(listed)), len(listed), items)
        self.listed = listed

    def item(self, b: Builder, position: Expr) -> V:
        """Choose among the items."""
        return chosen(b, [k.equal(position, Number(i + 1)) for i in range(self.limit)], self.listed)


class ShiftedSequence(SequenceView):
    """Part of a sequence: `length` items, the first one at position `1 + start`."""

    def __init__(self, of: SequenceView, start: Expr, length: Expr) -> None:
        super().__init__(length, of.limit, of.items)
        self.of = of
        self.start = start

    def item(self, b: Builder, position: Expr) -> V:
        """Ask further on."""
        return self.of.item(b, k.add(position, self.start))


class ReversedSequence(SequenceView):
    """`rev(s)`."""

    def __init__(self, of: SequenceView) -> None:
        super().__init__(of.length, of.limit, of.items)
        self.of = of

    def item(self, b: Builder, position: Expr) -> V:
        """Count from the end."""
        return self.of.item(b, k.subtract(k.add(self.length, k.ONE), position))


class JoinedSequence(SequenceView):
    """`s ^ t`."""

    def __init__(self, first: SequenceView, second: SequenceView) -> None:
        items = joined(first.items, second.items)
        if first.limit == 0 or second.limit == 0:
            items = second.items if first.limit == 0 else first.items
        super().__init__(k.add(first.length, second.length), first.limit + second.limit, items)
        self.first = first
        self.second = second

    def item(self, b: Builder, position: Expr) -> V:
        """Look where it is."""
        if self.first.limit == 0 or self.second.limit == 0:
            return (self.second if self.first.limit == 0 else self.first).item(b, position)
        position = b.let(position, "at")
        in_first = b.let(k.less_equal(position, self.first.length), "first")
        last = k.subtract(position, self.first.length)
        one = self.first.item(b, k.choose(in_first, position, k.ONE))
        two = self.second.item(b, k.choose(in_first, k.ONE, last))
        return chosen(b, [in_first, k.TRUE], [one, two])


class RelationSequence(SequenceView):
    """A relation that is a sequence."""

    def __init__(self, of: SetV, length: Expr) -> None:
        space = of.pair_space()
        assert isinstance(space.left, Range)
        super().__init__(length, max(0, space.left.high), space.right)
        self.of = of

    def item(self, b: Builder, position: Expr) -> V:
        """Apply the relation."""
        return self.of.apply(b, Num(position))


def as_sequence(b: Builder, value: V) -> SequenceView:
    """Return a set as a sequence; traps if it is none."""
    is_one, found = sequence_if_any(b, value)
    b.trap_unless(is_one, "not a sequence")
    return found


def sequence_if_any(b: Builder, value: V) -> tuple[Expr, SequenceView]:
    """Return whether a set is a sequence, and the sequence that it is then."""
    if isinstance(value, SequenceView):
        return k.TRUE, value
    if isinstance(value, EmptyView):
        return k.TRUE, ListedSequence((), None)
    if not isinstance(value, SetV):
        raise NotCompiled("a sequence that is stored as a whole")
    positions = value.pair_space().left
    if not isinstance(positions, Range):
        raise NotCompiled("a sequence whose positions are no integers")
    length = b.let(value.count(b), "length")
    first = Number(1 - positions.low)
    last = k.subtract(length, Number(positions.low))
    dense = k.equal(DomainView(value).bits(b, positions), k.between(positions.size, first, last))
    return b.let(dense, "sequence"), RelationSequence(value, length)
