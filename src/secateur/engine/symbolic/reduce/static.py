"""The model is reduced in two phases, and what is left of it makes the product."""

from __future__ import annotations

from typing import Final

from secateur.engine.reduce.protocol import Preserved
from secateur.engine.symbolic.product import SymbolicProduct, without_formula
from secateur.engine.symbolic.reduce.none import reachable
from secateur.engine.symbolic.reduce.protocol import Processes, Reached, ReachRow
from secateur.engine.symbolic.reduce.two_phase import two_phase


def static(product: SymbolicProduct, processes: Processes) -> Reached:
    """Return the nodes that are reached through states which suffice for the model.

    ReachablePOR on a product must expand each node in full of which the tableau does not allow
    silent steps: those that promise that a visible step is next, one at each state on
    the way of a process.  On m producers and m consumers (`examples/symbolic`) their number, and
    that of all nodes, grows like 3 to the m.  Here the states come first, which are 25 * m + 4, and
    the product later, as in section 5.3 of I. Dobrikov, M. Leuschel: *Optimising the ProB model
    checker for B using partial order reduction*; that is sound for every automaton.

    Between these states all steps of the product are followed, not only those that were chosen:
    with Lemma 5 of J. Vander Meulen, C. Pecheur 2009 this makes no difference.
    """
    within = two_phase(without_formula(product.model, product.tick), processes)
    reached = reachable(product, within=within.nodes)
    return Reached(reached.nodes, within.rounds + reached.rounds)


STATIC: Final = ReachRow(
    "static",
    "processes first, then everything, before there is a product",
    static,
    "VanderMeulenPecheur09, DobrikovLeuschel16, 5.3",
    frozenset({Preserved.DEADLOCK, Preserved.REACH, Preserved.LTL}),
)
