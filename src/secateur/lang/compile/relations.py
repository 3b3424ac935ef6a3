"""Relations made of relations: domains, images, restrictions, overriding, composition."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable

from secateur.kernel import build as k
from secateur.kernel.builder import Builder, both, either
from secateur.kernel.language import Expr, Number
from secateur.lang.compile.choices import lazily
from secateur.lang.compile.sets import EmptyView
from secateur.lang.compile.values import (
    BitsView,
    Duo,
    NotCompiled,
    SetV,
    V,
    at,
    checked_index,
    index,
    joined,
    same,
)
from secateur.lang.slots.spaces import Pairs, Space, pairs


def as_pair(value: V) -> Duo:
    """Return an element of a relation as a pair."""
    if not isinstance(value, Duo):
        raise NotCompiled("a pair that is stored as a whole")
    return value


class DomainView(SetV):
    """`dom(r)`."""

    def __init__(self, of: SetV) -> None:
        self.of = of
        if isinstance(of, HasDomain):
            self.space = of.domain
        elif isinstance(of.space, Pairs):
            self.space = of.space.left

    def member(self, b: Builder, value: V) -> Expr:
        """Ask the relation."""
        return self.of.defined(b, value)

    def bits(self, b: Builder, space: Space) -> Expr:
        """Ask the relation, which may know."""
        if isinstance(self.of, HasDomain) and space == self.space:
            return self.of.domain_bits(b)
        gathered = b.variable(k.empty(space.size), "dom")

        def insert(value: V) -> None:
            number = checked_index(b, space, as_pair(value).left)
            b.assign(gathered, k.with_(gathered, number))

        self.of.each(b, insert)
        return gathered

    def each(self, b: Builder, body: Callable[[V], None]) -> None:
        """Go through the bits."""
        space = self.need_space()
        with b.for_each(self.bits(b, space)) as number:
            body(at(space, number))


class HasDomain(SetV):
    """A relation that knows the bits of its domain."""

    domain: Space
    """Where arguments are found."""

    @abstractmethod
    def domain_bits(self, b: Builder) -> Expr:
        """Return the domain as bits over `domain`."""


def range_of(b: Builder, relation: SetV) -> SetV:
    """Return `ran(r)`."""
    if isinstance(relation, EmptyView):
        return relation
    if relation.space is None:
        return RangeView(relation)
    space = relation.pair_space().right
    found = b.variable(k.empty(space.size), "ran")

    def insert(value: V) -> None:
        number = checked_index(b, space, as_pair(value).right)
        b.assign(found, k.with_(found, number))

    relation.each(b, insert)
    return BitsView(found, space)


class RangeView(SetV):
    """`ran(r)` of a relation whose values are not numbered."""

    def __init__(self, of: SetV) -> None:
        self.of = of

    def member(self, b: Builder, value: V) -> Expr:
        """Compare with the right part of each pair."""
        found = b.variable(k.FALSE, "found")

        def test(pair: V) -> None:
            with b.if_(k.not_(found)):
                b.assign(found, same(b, as_pair(pair).right, value))

        self.of.each(b, test)
        return found

    def each(self, b: Builder, body: Callable[[V], None]) -> None:
        """Go through the pairs, and leave out what came before."""
        place = b.variable(k.ZERO, "place")

        def select(pair: V) -> None:
            value = as_pair(pair).right
            seen = b.variable(k.FALSE, "seen")
            before = b.variable(k.ZERO, "before")

            def compare(other: V) -> None:
                with b.if_(k.and_(k.less(before, place), k.not_(seen))):
                    b.assign(seen, same(b, as_pair(other).right, value))
                b.assign(before, k.add(before, k.ONE))

            self.of.each(b, compare)
            with b.if_(k.not_(seen)):
                body(value)
            b.assign(place, k.add(place, k.ONE))

        self.of.each(b, select)

    def is_empty(self, b: Builder) -> Expr:
        """Ask the relation."""
        return self.of.is_empty(b)


def image(b: Builder, relation: SetV, of: SetV) -> SetV:
    """Return `r[s]`."""
    if isinstance(relation, EmptyView) or isinstance(of, EmptyView):
        return EmptyView()
    space = relation.pair_space().right
    found = b.variable(k.empty(space.size), "image")

    def insert(value: V) -> None:
        b.assign(found, k.join(found, relation.row_bits(b, value)))

    of.each(b, insert)
    return BitsView(found, space)


def row_of(b: Builder, relation: SetV, argument: V) -> SetV:
    """Return `r[{x}]`."""
    if isinstance(relation, EmptyView):
        return relation
    space = relation.pair_space().right
    return BitsView(b.let(relation.row_bits(b, argument), "row"), space)


class InverseView(SetV):
    """`r~`."""

    def __init__(self, of: SetV) -> None:
        self.of = of
        if isinstance(of.space, Pairs):
            self.space = Pairs(of.space.right, of.space.left)

    def member(self, b: Builder, value: V) -> Expr:
        """Turn the pair round."""
        pair = as_pair(value)
        return self.of.member(b, Duo(pair.right, pair.left))

    def each(self, b: Builder, body: Callable[[V], None]) -> None:
        """Turn each pair round."""

        def turn(value: V) -> None:
            pair = as_pair(value)
            body(Duo(pair.right, pair.left))

        self.of.each(b, turn)

    def row_bits(self, b: Builder, argument: V) -> Expr:
        """Gather the left parts of pairs with this right part."""
        space = self.pair_space().right
        found = b.variable(k.empty(space.size), "row")

        def insert(value: V) -> None:
            pair = as_pair(value)
            with b.if_(same(b, pair.right, argument)):
                b.assign(found, k.with_(found, checked_index(b, space, pair.left)))

        self.of.each(b, insert)
        return found


Test = Callable[[Builder, V], Expr]


class RestrictedView(SetV):
    """A relation's pairs whose left part (or right part) meets a condition."""

    def __init__(self, of: SetV, test: Test, *, left: bool) -> None:
        self.of = of
        self.test = test
        self.left = left
        self.space = of.space
        self.functional = of.functional

    def _meets(self, b: Builder, pair: Duo) -> Expr:
        return self.test(b, pair.left if self.left else pair.right)

    def member(self, b: Builder, value: V) -> Expr:
        """Test both."""
        pair = as_pair(value)
        return both(b, self._meets(b, pair), lambda: self.of.member(b, pair))

    def each(self, b: Builder, body: Callable[[V], None]) -> None:
        """Go through the relation."""

        def select(value: V) -> None:
            with b.if_(self._meets(b, as_pair(value))):
                body(value)

        self.of.each(b, select)

    def apply(self, b: Builder, argument: V) -> V:
        """Apply the relation, if the argument is still there."""
        if not self.left:
            return super().apply(b, argument)
        b.trap_unless(self.test(b, argument), "outside the domain")
        return self.of.apply(b, argument)

    def defined(self, b: Builder, argument: V) -> Expr:
        """Ask the relation."""
        if not self.left:
            return super().defined(b, argument)
        return both(b, self.test(b, argument), lambda: self.of.defined(b, argument))


class OverriddenView(SetV):
    """`r <+ s`."""

    def __init__(self, below: SetV, above: SetV) -> None:
        self.below = below
        self.above = above
        self.functional = below.functional and above.functional
        if isinstance(below, EmptyView) or isinstance(above, EmptyView):
            self.space = above.space if isinstance(below, EmptyView) else below.space
        else:
            self.space = joined(below.space, above.space)

    def member(self, b: Builder, value: V) -> Expr:
        """Look above first."""
        pair = as_pair(value)

        def below() -> Expr:
            hidden = self.above.defined(b, pair.left)
            return both(b, k.not_(hidden), lambda: self.below.member(b, pair))

        return either(b, self.above.member(b, pair), below)

    def each(self, b: Builder, body: Callable[[V], None]) -> None:
        """Go through what is not hidden, then through what hides."""

        def select(value: V) -> None:
            with b.if_(k.not_(self.above.defined(b, as_pair(value).left))):
                body(value)

        self.below.each(b, select)
        self.above.each(b, body)

    def apply(self, b: Builder, argument: V) -> V:
        """Look above first."""
        return lazily(
            b,
            b.let(self.above.defined(b, argument), "above"),
            lambda: self.above.apply(b, argument),
            lambda: self.below.apply(b, argument),
        )

    def defined(self, b: Builder, argument: V) -> Expr:
        """Look at both."""
        return either(b, self.above.defined(b, argument), lambda: self.below.defined(b, argument))

    def row_bits(self, b: Builder, argument: V) -> Expr:
        """Return the row from above, or from below if there is none."""
        space = self.pair_space()
        if self.above.space != space or self.below.space != space:
            return super().row_bits(b, argument)
        above = b.let(self.above.row_bits(b, argument), "above")
        below = self.below.row_bits(b, argument)
        return k.choose(k.equal(above, k.empty(space.right.size)), below, above)


def composition(b: Builder, first: SetV, second: SetV) -> SetV:
    """Return `(r ; s)`."""
    if isinstance(first, EmptyView) or isinstance(second, EmptyView):
        return EmptyView()
    if first.functional and second.functional:
        return ComposedView(first, second)
    left, right = first.pair_space().left, second.pair_space().right
    space = pairs(left, right)
    if space is None:
        raise NotCompiled("a composition with too many pairs")
    found = b.variable(k.empty(space.size), "composed")

    def insert(value: V) -> None:
        pair = as_pair(value)
        row = second.row_bits(b, pair.right)
        start = k.multiply(checked_index(b, left, pair.left), Number(right.size))
        b.assign(found, k.join(found, k.place(row, start, space.size)))

    first.each(b, insert)
    return BitsView(found, space)


class ComposedView(SetV):
    """`(f ; g)` of two functions."""

    functional = True

    def __init__(self, first: SetV, second: SetV) -> None:
        self.first = first
        self.second = second
        if isinstance(first.space, Pairs) and isinstance(second.space, Pairs):
            self.space = pairs(first.space.left, second.space.right)

    def member(self, b: Builder, value: V) -> Expr:
        """Compare with the value at the left part."""
        pair = as_pair(value)
        there = self.defined(b, pair.left)
        return both(b, there, lambda: same(b, self.apply(b, pair.left), pair.right))

    def each(self, b: Builder, body: Callable[[V], None]) -> None:
        """Go through the first function."""

        def apply(value: V) -> None:
            pair = as_pair(value)
            with b.if_(self.second.defined(b, pair.right)):
                body(Duo(pair.left, self.second.apply(b, pair.right)))

        self.first.each(b, apply)

    def apply(self, b: Builder, argument: V) -> V:
        """Apply both."""
        return self.second.apply(b, self.first.apply(b, argument))

    def defined(self, b: Builder, argument: V) -> Expr:
        """Ask both."""
        there = self.first.defined(b, argument)
        return both(b, there, lambda: self.second.defined(b, self.first.apply(b, argument)))


class IdentityView(SetV):
    """`id(s)`."""

    functional = True

    def __init__(self, of: SetV) -> None:
        self.of = of
        self.space = pairs(of.space, of.space)

    def member(self, b: Builder, value: V) -> Expr:
        """Compare the parts."""
        pair = as_pair(value)
        return both(b, same(b, pair.left, pair.right), lambda: self.of.member(b, pair.left))

    def each(self, b: Builder, body: Callable[[V], None]) -> None:
        """Double each element."""
        self.of.each(b, lambda value: body(Duo(value, value)))

    def apply(self, b: Builder, argument: V) -> V:
        """Return the argument."""
        b.trap_unless(self.of.member(b, argument), "outside the domain")
        return argument

    def defined(self, b: Builder, argument: V) -> Expr:
        """Ask the set."""
        return self.of.member(b, argument)


def closure(b: Builder, relation: SetV, *, reflexive_on: SetV | None = None) -> SetV:
    """Return the transitive closure, after Warshall; reflexive on a set, if one is given."""
    if isinstance(relation, EmptyView):
        return relation if reflexive_on is None else IdentityView(reflexive_on)
    space = relation.pair_space()
    side = joined(space.left, space.right)
    both_ways = pairs(side, side)
    if side is None or not isinstance(both_ways, Pairs):
        raise NotCompiled("the closure of a relation between different sets")
    width = Number(side.size)
    bits = relation.bits(b, both_ways)
    if reflexive_on is not None:
        bits = k.join(bits, IdentityView(reflexive_on).bits(b, both_ways))
    found = b.variable(bits, "closure")
    last = Number(side.size - 1)
    with b.for_(k.ZERO, last, "via") as via:
        row = b.let(k.slice_(found, k.multiply(via, width), side.size), "row")
        with b.for_(k.ZERO, last, "from") as start:
            first = b.let(k.multiply(start, width), "first")
            with b.if_(k.has(found, k.add(first, via))):
                b.assign(found, k.join(found, k.place(row, first, both_ways.size)))
    return BitsView(found, both_ways)


def is_function(b: Builder, relation: SetV) -> Expr:
    """Return whether no argument has two values."""
    if relation.functional:
        return k.TRUE
    space = relation.pair_space()
    bits = b.let(relation.bits(b, space), "r")
    width = space.right.size
    result = b.variable(k.TRUE, "functional")
    with b.for_(k.ZERO, Number(space.left.size - 1), "i") as number:
        row = k.slice_(bits, k.multiply(number, Number(width)), width)
        b.assign(result, k.and_(result, k.less_equal(k.count(row), k.ONE)))
    return result


def is_injective(b: Builder, relation: SetV) -> Expr:
    """Return whether no value belongs to two arguments."""
    if isinstance(relation, EmptyView):
        return k.TRUE
    space = relation.pair_space().right
    seen = b.variable(k.empty(space.size), "seen")
    result = b.variable(k.TRUE, "injective")

    def test(value: V) -> None:
        _, number = index(b, space, as_pair(value).right)
        number = b.let(number, "value")
        b.assign(result, k.and_(result, k.not_(k.has(seen, number))))
        b.assign(seen, k.with_(seen, number))

    relation.each(b, test)
    return result
