"""C2i: no proviso at all, to see what the others cost."""

from __future__ import annotations

from secateur.engine.provisos.protocol import Move, ProvisoRow, View
from secateur.engine.reduce.protocol import Preserved


def careless(_moves: tuple[Move, ...], _view: View) -> bool:
    """Return True.

    C2i in D. Bošnački, S. Leue, A. Lluch Lafuente, STTT 11 (2009): actions can be ignored
    for ever, so that it preserves deadlocks only.
    """
    return True


NONE = ProvisoRow(
    "none",
    "no proviso (C2i)",
    lambda system: careless,
    "BosnackiLeueLluchLafuente09, C2i",
    frozenset({Preserved.DEADLOCK}),
    needs_states=False,
)
