"""C2r: what is left out now is done later, and nobody waits for himself."""

from __future__ import annotations

from typing import Final

from secateur.engine.provisos.protocol import Move, ProvisoRow, View
from secateur.engine.reduce.protocol import Preserved
from secateur.system.events import EventSystem

_ADRIFT: Final = -1
"""What a state relies on that relies on several at once: nobody can tell where that leads."""


class Reliance:
    """Whether some action leads to a state that does not wait for the present one.

    A state in which something is left out relies on one of its successors to make up for it.
    That may be a state that is yet to be expanded, as C2o of D. Bošnački, S. Leue, A. Lluch
    Lafuente, STTT 11 (2009) has it, or one that was expanded already and relies on another in
    turn.  Whoever follows these links comes to a state that relies on nobody: it is waiting to
    be expanded, or nothing was put off there.  Only if that is the present state would a circle
    close.  So every set is allowed that C2o allows, and what is demanded in the end is no more
    than A. Valmari demands (*Stop It, and Be Stubborn!*, ACM TECS 16, 2017): from each state
    there is a way to one in which nothing is put off.

    Of an action with several results nobody knows which one continues a path, so that all are
    relied on.  They must be yet to be expanded, and who relies on them is relied on by nobody
    from then on: in a circle of links, each state that relies on several would have been expanded
    before the next one of them.

    A state may be expanded once more, because a better way there was found.  Others rely on what
    it relied on before, so that must be among the moves again.
    """

    def __init__(self, _system: EventSystem) -> None:
        self._relied: dict[int, tuple[int, ...]] = {}
        """The results that each state relies on."""
        self._link: dict[int, int] = {}
        """Where that leads, some way on."""

    def __call__(self, moves: tuple[Move, ...], view: View) -> bool:
        """Whether these moves may be all that leads out of the present state; then link it."""
        here = view.here
        assert isinstance(here, int)
        if here in self._relied:
            return any(results == self._relied[here] for _, results in moves)
        for _, results in moves:
            if len(results) == 1 and self._end(results[0]) not in (here, _ADRIFT):
                self._relied[here] = results
                self._link[here] = results[0]
                return True
        for _, results in moves:
            if len(results) > 1 and self._untouched(results, view):
                self._relied[here] = results
                self._link[here] = _ADRIFT
                return True
        return False

    def _untouched(self, results: tuple[int, ...], view: View) -> bool:
        return view.closed.isdisjoint(results) and self._link.keys().isdisjoint(results)

    def _end(self, state: int) -> int:
        """Follow the links to their end, and shorten them on the way."""
        link = self._link
        passed: list[int] = []
        while (following := link.get(state)) is not None:
            passed.append(state)
            state = following
        for one in passed[:-1]:
            link[one] = state
        return state


RELIANCE = ProvisoRow(
    "reliance",
    "some action leads to a state that does not wait for this one (C2r)",
    Reliance,
    "BosnackiLeueLluchLafuente09, Valmari17",
    frozenset({Preserved.DEADLOCK, Preserved.REACH}),
)
