"""The number of actions that happen: a deadlock is where there is none."""

from __future__ import annotations

from secateur.engine.heuristics.protocol import Heuristic, HeuristicRow
from secateur.system.events import EventSystem
from secateur.system.system import State


def enabled_actions(system: EventSystem) -> Heuristic:
    """Return what counts the actions that happen in a state.

    S. Edelkamp, S. Leue, A. Lluch Lafuente: *Directed explicit-state model checking in the
    validation of communication protocols*, STTT 5 (2004), "active processes".
    """
    actions = range(len(system.actions))

    def count(state: State) -> float:
        assert isinstance(state, int)
        return sum(system.guard(a, state).holds for a in actions)

    return count


DEADLOCK = HeuristicRow(
    "deadlock",
    "actions that happen",
    enabled_actions,
    "EdelkampLeueLluchLafuente04, active processes",
    admissible=False,
)
