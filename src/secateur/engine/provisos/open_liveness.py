"""C2ol: nothing leads back."""

from __future__ import annotations

from secateur.engine.provisos.protocol import Move, ProvisoRow, View
from secateur.engine.reduce.protocol import Preserved


def open_liveness(moves: tuple[Move, ...], view: View) -> bool:
    """Whether all results of all actions are yet to be expanded.

    D. Bošnački, S. Leue, A. Lluch Lafuente: *Partial-Order Reduction for General State
    Exploring Algorithms*, STTT 11 (2009), condition C2ol.  It needs no numbers of states and
    no queue, unlike line 7 of Algorithm 5 of I. Dobrikov and M. Leuschel (2016), which misses
    errors unless the search is breadth-first or truly depth-first.
    """
    return all(view.closed.isdisjoint(results) for _, results in moves)


OPEN_LIVENESS = ProvisoRow(
    "open-liveness",
    "all results of all actions are open (C2ol)",
    lambda system: open_liveness,
    "BosnackiLeueLluchLafuente09, C2ol",
    frozenset({Preserved.DEADLOCK, Preserved.REACH, Preserved.LTL}),
)
