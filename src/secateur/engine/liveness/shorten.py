"""Counterexamples without detours."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import accumulate
from typing import Final

from secateur.engine.liveness.graph import Graph
from secateur.engine.liveness.lasso import Lasso
from secateur.engine.liveness.product import Fairness
from secateur.system.system import State, Transition

LONGEST: Final = 300
"""Paths of more steps than this are left as they are: to try all cuts would take long."""


def shortened(lasso: Lasso, good: Callable[[Lasso], bool]) -> Lasso:
    """Return a path without steps that lead nowhere and are not needed for it to be `good`.

    What is cut out leads from a state back to it; what is left is asked about each time.  A path
    that goes on in whatever way is left alone: that cannot be asked of another one.
    """
    if lasso.open or len(lasso.transitions) > LONGEST:
        return lasso
    found = lasso
    while True:
        shorter = next((cut for cut in _cuts(found) if good(cut)), None)
        if shorter is None:
            return found
        found = shorter


def _cuts(lasso: Lasso) -> Iterator[Lasso]:
    """Yield shorter paths, those without the longest detours first."""
    states = states_of(lasso)
    steps = lasso.transitions
    stem = len(steps) - lasso.loop
    if stem and lasso.loop and steps[stem - 1] == steps[-1] and states[stem - 1] == states[-2]:
        # The loop begins a step earlier.
        yield replace(lasso, transitions=(*steps[:stem], *steps[stem:-1]))
    pairs = [
        (i, j)
        for first, last in ((0, stem), (stem, len(steps)))
        for i in range(first, last)
        for j in range(i + 1, last + 1)
        if states[i] == states[j] and (i, j) != (stem, len(steps))
    ]
    for i, j in sorted(pairs, key=lambda pair: pair[0] - pair[1]):
        loop = lasso.loop - (j - i) if i >= stem else lasso.loop
        yield replace(lasso, transitions=steps[:i] + steps[j:], loop=loop)


def states_of(lasso: Lasso) -> list[State]:
    """Return the states that a path goes through; with a loop, where it begins twice."""
    return list(accumulate(lasso.transitions, lambda _, t: t.target, initial=lasso.start))


def is_fair(lasso: Lasso, graph: Graph, fairness: Fairness) -> bool:
    """Whether a path is as fair as is assumed; one that ends always is."""
    if not lasso.loop:
        return True
    taken = lasso.transitions[-lasso.loop :]
    enabled = [graph.outgoing(t.target) for t in taken]

    def among(transitions: tuple[Transition, ...], occurs: Callable[..., bool]) -> bool:
        return any(occurs(t.step) for t in transitions)

    return all(
        among(taken, occurs) or not all(among(each, occurs) for each in enabled)
        for occurs in fairness.weak
    ) and all(
        among(taken, occurs) or not any(among(each, occurs) for each in enabled)
        for occurs in fairness.strong
    )
