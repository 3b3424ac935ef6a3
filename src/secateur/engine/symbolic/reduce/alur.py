"""Breadth-first search in which each node is expanded by one process, if that is safe."""

from __future__ import annotations

from typing import Final

from secateur.engine.reduce.protocol import Preserved
from secateur.engine.symbolic.diagrams.protocol import Diagram
from secateur.engine.symbolic.product import SymbolicProduct
from secateur.engine.symbolic.reduce.protocol import Processes, Reached, ReachRow


def breadth_first(product: SymbolicProduct, processes: Processes) -> Reached:
    """Return a reduced set of nodes.

    R. Alur, R. K. Brayton, T. A. Henzinger, S. Qadeer, S. K. Rajamani: *Partial-order reduction in
    symbolic state space exploration*, CAV 1997: in each step the nodes of the
    frontier are expanded by a subset of the relation that satisfies C0 to C3.

      C0, C1, C2  all that one process of a safe process model does, if it does anything there;
      C3          none of the successors was reached before, the frontier included.  So a step that
                  is reduced leads from one level of the search to the next, and on each cycle
                  there is a node that is expanded in full: an approximation of cycles from above.

    Deviation from the source: the subset is not one relation, but taken process by process, the
    first that will do, so that each image is that of a small relation.
    """
    diagrams = product.diagrams
    reached = frontier = product.initial
    rounds = 0
    while frontier != diagrams.false:
        rounds += 1
        new, rest = diagrams.false, frontier
        for process in processes:
            if rest == diagrams.false:
                break
            chosen, image = _safely(product, process, rest, reached)
            new, rest = new | image, rest & ~chosen
        new = new | product.image(rest)
        frontier = new & ~reached
        reached = reached | new
    return Reached(reached, rounds)


def _safely(
    product: SymbolicProduct, process: tuple[int, ...], nodes: Diagram, reached: Diagram
) -> tuple[Diagram, Diagram]:
    """Return the nodes for which a process suffices, and those that follow on them."""
    image = product.image(nodes, process)
    active = product.before(nodes, image, process)
    back = product.before(active, image & reached, process)
    chosen = active & ~back
    return chosen, product.image(chosen, process)


ALUR: Final = ReachRow(
    "alur",
    "one process at a time, breadth first",
    breadth_first,
    "AlurBraytonHenzingerQadeerRajamani97",
    frozenset({Preserved.DEADLOCK, Preserved.REACH, Preserved.LTL}),
)
