"""Going through a set where it is made, so that what has no value in it traps there.

The evaluator lists a set before it uses it, unless that takes very long: what is ill-defined is told
even if nobody asks for the elements that it is about.  Code that only tests the elements it is
asked for would not notice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import inf
from typing import TYPE_CHECKING, Final

from secateur.kernel import build as k
from secateur.kernel.builder import Builder
from secateur.kernel.evaluate_expressions import width_of
from secateur.kernel.language import Block, Expr, For, ForEach, If, Loop, Number, Statement, Trap
from secateur.kernel.ranges import bounds
from secateur.lang.compile.values import NotCompiled, SetV, V
from secateur.lang.slots.spaces import Space
from secateur.maths.evaluate.effort import TO_LIST

if TYPE_CHECKING:
    from secateur.lang.compile.expressions import Lowering


def listed_once(lowering: Lowering, found: SetV) -> SetV:
    """Emit the code that goes through a set; how far the evaluator would, only it knows."""
    b = lowering.b
    with b.nested() as listing:
        count = b.variable(k.ZERO, "listed")
        found.each(b, lambda _: b.assign(count, k.add(count, k.ONE)))
    if _steps(tuple(listing)) > TO_LIST:
        raise NotCompiled("a set that takes long to go through")
    b.extend(_limited(tuple(listing)))
    return ListedOnce(lowering, found)


class ListedOnce(SetV):
    """A set that was gone through: sets that its condition is about need not be once more."""

    def __init__(self, lowering: Lowering, of: SetV) -> None:
        self.lowering = lowering
        self.of = of
        self.space = of.space
        self.functional = of.functional

    @contextmanager
    def _trusting(self, *, on: bool = True) -> Iterator[None]:
        before, self.lowering.trusting = self.lowering.trusting, on
        try:
            yield
        finally:
            self.lowering.trusting = before

    def member(self, b: Builder, value: V) -> Expr:
        """Ask the set."""
        with self._trusting():
            return self.of.member(b, value)

    def each(self, b: Builder, body: Callable[[V], None]) -> None:
        """Go through the set; what is done with an element is no part of it."""
        outside = self.lowering.trusting

        def use(value: V) -> None:
            with self._trusting(on=outside):
                body(value)

        with self._trusting():
            self.of.each(b, use)

    def bits(self, b: Builder, space: Space) -> Expr:
        """Ask the set."""
        with self._trusting():
            return self.of.bits(b, space)

    def apply(self, b: Builder, argument: V) -> V:
        """Ask the set."""
        with self._trusting():
            return self.of.apply(b, argument)

    def defined(self, b: Builder, argument: V) -> Expr:
        """Ask the set."""
        with self._trusting():
            return self.of.defined(b, argument)

    def row_bits(self, b: Builder, argument: V) -> Expr:
        """Ask the set."""
        with self._trusting():
            return self.of.row_bits(b, argument)


_UNKNOWN: Final = 16
"""The rounds of a loop of which nothing is known."""


def _steps(block: Block) -> float:
    """Return how many rounds the loops of a block take together, more or less."""
    total = 0.0
    for s in block:
        match s:
            case For(_, low, high, body):
                total += (_UNKNOWN if _is_open(s) else _rounds(low, high)) * (1 + _steps(body))
            case ForEach(_, set_, body):
                total += width_of(set_) * (1 + _steps(body))
            case If(_, then, otherwise):
                total += max(_steps(then), _steps(otherwise))
            case Loop():
                return inf
    return total


def _rounds(low: Expr, high: Expr) -> int:
    return max(0, bounds(high)[1] - bounds(low)[0] + 1)


def _is_open(loop: For) -> bool:
    """Whether a loop may be long or short: how long is known when it runs."""
    known = isinstance(loop.low, Number) and isinstance(loop.high, Number)
    return not known and _rounds(loop.low, loop.high) > TO_LIST


def _limited(block: Block) -> Block:
    """Return a block that traps where a loop turns out to be long: the evaluator may give up, or not."""
    return tuple(map(_limited_statement, block))


def _limited_statement(s: Statement) -> Statement:
    match s:
        case For(variable, low, high, body):
            loop = For(variable, low, high, _limited(body))
            short = k.less_equal(k.subtract(high, low), Number(TO_LIST))
            return If(short, (loop,), (Trap("a set that takes long"),)) if _is_open(s) else loop
        case ForEach(variable, set_, body):
            return ForEach(variable, set_, _limited(body))
        case If(condition, then, otherwise):
            return If(condition, _limited(then), _limited(otherwise))
    return s
