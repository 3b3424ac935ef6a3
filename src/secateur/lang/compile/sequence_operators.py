"""Operators on sequences."""

from __future__ import annotations

from collections.abc import Sequence

from secateur.kernel import build as k
from secateur.kernel.builder import Builder
from secateur.lang.compile.sequences import (
    JoinedSequence,
    ListedSequence,
    ShiftedSequence,
    as_sequence,
)
from secateur.lang.compile.values import NotCompiled, Num, V, space_of


def item(b: Builder, args: Sequence[V], *, first: bool) -> V:
    """Return the first or the last element of a sequence."""
    of = as_sequence(b, args[0])
    length = b.let(of.length, "length")
    b.trap_if(k.equal(length, k.ZERO), "an empty sequence")
    return of.item(b, k.ONE if first else length)


def part(b: Builder, args: Sequence[V], *, front: bool) -> V:
    """Return a sequence without its first or its last element."""
    of = as_sequence(b, args[0])
    length = b.let(of.length, "length")
    b.trap_if(k.equal(length, k.ZERO), "an empty sequence")
    return ShiftedSequence(of, k.ZERO if front else k.ONE, k.subtract(length, k.ONE))


def cut(b: Builder, args: Sequence[V], *, take: bool) -> V:
    """Return the first elements of a sequence, or all but these."""
    of = as_sequence(b, args[0])
    count = args[1]
    if not isinstance(count, Num):
        raise NotCompiled("an integer that is stored as a whole")
    number = b.let(count.expr, "n")
    inside = k.and_(k.less_equal(k.ZERO, number), k.less_equal(number, of.length))
    b.trap_unless(inside, "a length that the sequence has not")
    if take:
        return ShiftedSequence(of, k.ZERO, number)
    return ShiftedSequence(of, number, k.subtract(of.length, number))


def append(b: Builder, args: Sequence[V]) -> V:
    """Return a sequence with an element behind it."""
    item = ListedSequence([args[1]], space_of(args[1]))
    return JoinedSequence(as_sequence(b, args[0]), item)


def prepend(b: Builder, args: Sequence[V]) -> V:
    """Return a sequence with an element before it."""
    item = ListedSequence([args[0]], space_of(args[0]))
    return JoinedSequence(item, as_sequence(b, args[1]))
