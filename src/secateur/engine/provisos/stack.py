"""C3': no action closes a cycle of a depth-first search."""

from __future__ import annotations

from secateur.engine.provisos.protocol import Move, ProvisoRow, View
from secateur.engine.reduce.protocol import Preserved


def stack(moves: tuple[Move, ...], view: View) -> bool:
    """Whether no result is on the path to the present state, nor that state itself.

    E. Clarke, O. Grumberg, D. Peled: *Model Checking*, 1999, section 10.5, condition C3'.
    Every cycle of the graph that a depth-first search explores has an edge back to the path.
    A search that finds all successors before it descends is none: there, cycles close unseen.
    """
    assert view.stack is not None, "only a true depth-first search has a stack"
    return not any(r in view.stack for _, results in moves for r in results)


STACK = ProvisoRow(
    "stack",
    "no result is on the path of a depth-first search (C3')",
    lambda system: stack,
    "ClarkeGrumbergPeled99, C3'",
    frozenset({Preserved.DEADLOCK, Preserved.REACH, Preserved.LTL}),
    needs_stack=True,
)
