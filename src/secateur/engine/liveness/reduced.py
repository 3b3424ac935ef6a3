"""A graph from which a partial order reduction leaves out transitions."""

from __future__ import annotations

from collections.abc import Callable

from secateur.engine.limits import Meter
from secateur.engine.liveness.graph import Graph
from secateur.engine.provisos.protocol import View
from secateur.engine.reduce.reduction import Reduction
from secateur.system.system import State, System, Transition

Pack = Callable[[State], int]
"""Returns a state of a system as one of the event system that a reduction works on."""


class ReducedGraph(Graph):
    """Each state leads on by what a reduction chose when it was first expanded.

    The choice is made once for each state of the model, whatever is asked of it, and so is the
    proviso: S. Siegel: *What's wrong with on-the-fly partial order reduction*, CAV 2019, shows
    what happens where both are about states of the product.  D. Bošnački, S. Leue, A. Lluch
    Lafuente, STTT 11 (2009): a state whose chosen successors are all yet to be expanded may
    leave something out; so the last state of a cycle to be expanded is expanded in full, in
    whatever order that happens.
    """

    def __init__(self, system: System, meter: Meter, reduction: Reduction, pack: Pack) -> None:
        super().__init__(system, meter)
        self.reduction = reduction
        self.pack = pack
        self._packed: dict[State, int] = {}
        # Whether a state was found is not asked for: it would depend on the product.
        self._view = View(visited=())

    def followed(self, state: State, everything: tuple[Transition, ...]) -> tuple[Transition, ...]:
        """Return the transitions of the actions that were chosen."""
        if self.reduction.given_up:
            return everything
        expansion = self.reduction.expand(self._number(state), self._view)
        if not expansion.pruned:
            return everything
        # The arguments of an action may be others than those of its operation; what leads to the
        # same state in another way does no harm.
        chosen = {
            (t.step.operation, t.target) for t in expansion.items if isinstance(t, Transition)
        }
        kept = {t: (t.step.operation, self._number(t.target)) for t in everything}
        assert chosen <= set(kept.values()), "an action has other results when it is executed"
        return tuple(t for t, form in kept.items() if form in chosen)

    def _number(self, state: State) -> int:
        found = self._packed.get(state)
        if found is None:
            found = self._packed[state] = self.pack(state)
        return found
