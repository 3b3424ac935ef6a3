"""Everything that can be reached: no reduction."""

from __future__ import annotations

from typing import Final

from secateur.engine.reduce.protocol import Preserved
from secateur.engine.symbolic.diagrams.protocol import Diagram
from secateur.engine.symbolic.product import SymbolicProduct
from secateur.engine.symbolic.reduce.protocol import Processes, Reached, ReachRow


def reachable(
    product: SymbolicProduct, _processes: Processes = (), within: Diagram | None = None
) -> Reached:
    """Return all nodes that can be reached; `within` a set that has the initial ones, if one is given.

    FwdUntil(initial, true), in rounds through the actions in which each starts from what those
    before it have just found (K. Ravi, F. Somenzi: *High-density reachability analysis*, 1995, call
    it chaining): loosely coupled actions need far fewer rounds, and smaller diagrams.
    """
    diagrams = product.diagrams
    reached = frontier = product.initial
    allowed = diagrams.true if within is None else within
    rounds = 0
    while frontier != diagrams.false:
        rounds += 1
        found = diagrams.false
        for action in product.actions:
            new = product.image(frontier | found, (action,)) & allowed & ~reached
            found = found | new
            reached = reached | new
        frontier = found
    return Reached(reached, rounds)


NONE: Final = ReachRow(
    "none",
    "no reduction",
    reachable,
    "BurchClarkeMcMillanDillHwang92",
    frozenset(Preserved) - {Preserved.SHORTEST},
    reduces=False,
)
