"""Projections, direct and parallel products, iteration."""

from __future__ import annotations

from collections.abc import Callable

from secateur.kernel import build as k
from secateur.kernel.builder import Builder, both
from secateur.kernel.language import Expr
from secateur.lang.compile.relations import IdentityView, as_pair, composition
from secateur.lang.compile.values import BitsView, Duo, NotCompiled, SetV, V, joined, same
from secateur.lang.slots.spaces import Pairs, pairs


class ProjectionView(SetV):
    """`prj1(A, B)` or `prj2(A, B)`."""

    functional = True

    def __init__(self, left: SetV, right: SetV, *, first: bool) -> None:
        self.left = left
        self.right = right
        self.first = first
        of = left.space if first else right.space
        self.space = pairs(pairs(left.space, right.space), of)

    def _part(self, pair: Duo) -> V:
        return pair.left if self.first else pair.right

    def member(self, b: Builder, value: V) -> Expr:
        """Compare with the part of the argument."""
        whole = as_pair(value)
        there = self.defined(b, whole.left)
        return both(b, there, lambda: same(b, self._part(as_pair(whole.left)), whole.right))

    def each(self, b: Builder, body: Callable[[V], None]) -> None:
        """Go through both sets."""

        def pair(x: V, y: V) -> None:
            both_ = Duo(x, y)
            body(Duo(both_, self._part(both_)))

        self.left.each(b, lambda x: self.right.each(b, lambda y: pair(x, y)))

    def apply(self, b: Builder, argument: V) -> V:
        """Return the part."""
        b.trap_unless(self.defined(b, argument), "outside the domain")
        return self._part(as_pair(argument))

    def defined(self, b: Builder, argument: V) -> Expr:
        """Ask both sets."""
        pair = as_pair(argument)
        return both(b, self.left.member(b, pair.left), lambda: self.right.member(b, pair.right))


class DirectProductView(SetV):
    """`r >< s`: what is related to x by both, as a pair."""

    def __init__(self, first: SetV, second: SetV) -> None:
        self.first = first
        self.second = second
        self.functional = first.functional and second.functional
        if isinstance(first.space, Pairs) and isinstance(second.space, Pairs):
            left = joined(first.space.left, second.space.left)
            self.space = pairs(left, pairs(first.space.right, second.space.right))

    def member(self, b: Builder, value: V) -> Expr:
        """Ask both relations."""
        whole = as_pair(value)
        images = as_pair(whole.right)
        return both(
            b,
            self.first.member(b, Duo(whole.left, images.left)),
            lambda: self.second.member(b, Duo(whole.left, images.right)),
        )

    def each(self, b: Builder, body: Callable[[V], None]) -> None:
        """Go through both relations, and take what goes together."""

        def pair(one: Duo, other: Duo) -> None:
            with b.if_(same(b, one.left, other.left)):
                body(Duo(one.left, Duo(one.right, other.right)))

        self.first.each(b, lambda x: self.second.each(b, lambda y: pair(as_pair(x), as_pair(y))))


class ParallelProductView(SetV):
    """`r || s`: on pairs, each part by one of the relations."""

    def __init__(self, first: SetV, second: SetV) -> None:
        self.first = first
        self.second = second
        self.functional = first.functional and second.functional
        if isinstance(first.space, Pairs) and isinstance(second.space, Pairs):
            self.space = pairs(
                pairs(first.space.left, second.space.left),
                pairs(first.space.right, second.space.right),
            )

    def member(self, b: Builder, value: V) -> Expr:
        """Ask both relations."""
        whole = as_pair(value)
        arguments, images = as_pair(whole.left), as_pair(whole.right)
        return both(
            b,
            self.first.member(b, Duo(arguments.left, images.left)),
            lambda: self.second.member(b, Duo(arguments.right, images.right)),
        )

    def each(self, b: Builder, body: Callable[[V], None]) -> None:
        """Go through both relations."""

        def pair(one: Duo, other: Duo) -> None:
            body(Duo(Duo(one.left, other.left), Duo(one.right, other.right)))

        self.first.each(b, lambda x: self.second.each(b, lambda y: pair(as_pair(x), as_pair(y))))


def iteration(b: Builder, relation: SetV, times: Expr, carrier: SetV) -> SetV:
    """Return `iterate(r, n)`: the composition of n times the same relation."""
    space = pairs(carrier.space, carrier.space)
    if space is None:
        raise NotCompiled("the iteration of a relation over a large set")
    times = b.let(times, "times")
    b.trap_if(k.less(times, k.ZERO), "less than no iteration")
    found = b.variable(IdentityView(carrier).bits(b, space), "iterate")
    with b.for_(k.ONE, times, "round"):
        b.assign(found, composition(b, BitsView(found, space), relation).bits(b, space))
    return BitsView(found, space)
