"""C2s: what can go on for ever never stands alone."""

from __future__ import annotations

from secateur.engine.provisos.protocol import Move, ProvisoRow, View
from secateur.engine.provisos.ranking import sticky_actions
from secateur.engine.reduce.protocol import Preserved
from secateur.engine.symmetry.quotient import QuotientEvents
from secateur.system.events import EventSystem


class Static:
    """Whether no action is sticky.

    R. Kurshan, V. Levin, M. Minea, D. Peled, H. Yenigün: *Static Partial-Order Reduction*,
    TACAS 1998; condition C2s in D. Bošnački, S. Leue, A. Lluch Lafuente, STTT 11 (2009).

    Deviation from the paper: sticky are the actions for which no ranking is found, so that every
    cycle contains one of them.  Where there are processes, their places are among what ranks
    actions, so that a local control cycle has a sticky action if nothing else ends it.

    Where symmetric states are taken for the same, a cycle need not come back to the state that it
    started from, but to one with other names, and on its next round has the actions with these.
    So with an action all those are sticky that it may become: the instances of its operation.
    """

    def __init__(self, system: EventSystem) -> None:
        self._system = system
        self.sticky = sticky_actions(system)
        if isinstance(system, QuotientEvents):
            self.respect_symmetry()

    def respect_symmetry(self) -> None:
        """Let an operation be sticky as a whole."""
        actions = self._system.actions
        operations = {actions[a].operation for a in self.sticky}
        self.sticky = frozenset(
            a for a, action in enumerate(actions) if action.operation in operations
        )

    def __call__(self, moves: tuple[Move, ...], _view: View) -> bool:
        """Whether none of the moves is sticky."""
        return self.sticky.isdisjoint(move.action for move in moves)


STATIC = ProvisoRow(
    "static",
    "no action is sticky (C2s)",
    Static,
    "KurshanLevinMineaPeledYenigun98, C2s",
    frozenset({Preserved.DEADLOCK, Preserved.REACH, Preserved.LTL}),
    needs_states=False,
)
