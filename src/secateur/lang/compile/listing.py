"""Going through a set where it is made, so that what has no value in it traps there.

The evaluator lists a set before it uses it, unless that takes very long: what is ill-defined is told
even if nobody asks for the elements that it is about.  Code that only tests the elements it is
asked for would not notice.
"""

from __future__ import annotations

from math import inf

from secateur.kernel import build as k
from secateur.kernel.builder import Builder
from secateur.kernel.evaluate_expressions import width_of
from secateur.kernel.language import Block, For, ForEach, If, Loop
from secateur.kernel.ranges import bounds
from secateur.lang.compile.values import SetV
from secateur.maths.evaluate.effort import TO_LIST


def list_once(b: Builder, found: SetV) -> None:
    """Emit the code that goes through a set, unless the evaluator would not do so either."""
    with b.nested() as listing:
        count = b.variable(k.ZERO, "listed")
        found.each(b, lambda _: b.assign(count, k.add(count, k.ONE)))
    if _steps(tuple(listing)) <= TO_LIST:
        b.extend(tuple(listing))


def _steps(block: Block) -> float:
    """Return how many rounds the loops of a block take together at most."""
    total = 0.0
    for s in block:
        match s:
            case For(_, low, high, body):
                rounds = max(0, bounds(high)[1] - bounds(low)[0] + 1)
                total += rounds * (1 + _steps(body))
            case ForEach(_, set_, body):
                total += width_of(set_) * (1 + _steps(body))
            case If(_, then, otherwise):
                total += max(_steps(then), _steps(otherwise))
            case Loop():
                return inf
    return total
