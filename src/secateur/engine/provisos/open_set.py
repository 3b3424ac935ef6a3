"""C2o: what is left out now can be done later."""

from __future__ import annotations

from secateur.engine.provisos.protocol import Move, ProvisoRow, View
from secateur.engine.reduce.protocol import Preserved


def open_set(moves: tuple[Move, ...], view: View) -> bool:
    """Whether all results of some action are yet to be expanded.

    D. Bošnački, S. Leue, A. Lluch Lafuente: *Partial-Order Reduction for General State
    Exploring Algorithms*, STTT 11 (2009), condition C2o.

    Deviations from the paper:

      D1  of an action with several results all must be open: which of them continues a path
          to an error cannot be chosen;
      D2  the present state is closed already, for a result may be the state itself.
    """
    return any(results and view.closed.isdisjoint(results) for _, results in moves)


OPEN = ProvisoRow(
    "open",
    "all results of some action are open (C2o)",
    lambda system: open_set,
    "BosnackiLeueLluchLafuente09, C2o",
    frozenset({Preserved.DEADLOCK, Preserved.REACH}),
)
