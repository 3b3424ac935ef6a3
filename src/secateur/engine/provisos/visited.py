"""C2v: some action leads to something new."""

from __future__ import annotations

from secateur.engine.provisos.protocol import Move, ProvisoRow, View
from secateur.engine.reduce.protocol import Preserved


def visited(moves: tuple[Move, ...], view: View) -> bool:
    """Whether no result of some action was found before.

    S. Edelkamp, S. Leue, A. Lluch Lafuente: *Partial-order reduction and trail improvement in
    directed model checking*, STTT 6 (2004); condition C2v in D. Bošnački, S. Leue, A. Lluch
    Lafuente, STTT 11 (2009).  It implies C2o (the paper says the converse), for what is new
    is not closed.  All results of one action, for the reason given there.
    """
    return any(results and not any(r in view.visited for r in results) for _, results in moves)


VISITED = ProvisoRow(
    "visited",
    "all results of some action are new (C2v)",
    lambda system: visited,
    "EdelkampLeueLluchLafuente04, C2v",
    frozenset({Preserved.DEADLOCK, Preserved.REACH}),
)
