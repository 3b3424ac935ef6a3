"""How far each process is, by its own graph, from where it may be at fault or at its end."""

from __future__ import annotations

from secateur.engine.heuristics.control import Control
from secateur.engine.heuristics.protocol import Heuristic, HeuristicRow
from secateur.system.events import EventSystem
from secateur.system.system import State


def local_distance(system: EventSystem) -> Heuristic:
    """Return the sum over all processes of the steps to the places where something is wrong.

    S. Edelkamp, S. Leue, A. Lluch Lafuente: *Directed explicit-state model checking in the
    validation of communication protocols*, STTT 5 (2004), "FSM distance".

    Deviations from the paper: the graph of a process is that of a slot which is like a program
    counter (`control.py`).  There is no state to go to; the targets are the places from which an
    action leaves that reads other slots than its own in its guard: there it may be blocked, or
    meet what another has left.  From where no such place can be reached, the distance is 0.
    """
    control = Control(system)
    parts: list[tuple[int, dict[int, int]]] = []
    for slot in control.moves:
        targets = {
            code
            for action, move in control.moves[slot].items()
            if _waits(system, action, slot)
            for code in move.sources
        }
        parts.append((system.slots[slot].bits, control.distances(slot, targets)))

    def distance(state: State) -> float:
        assert isinstance(state, int)
        return sum(distances.get(state & bits, 0) for bits, distances in parts)

    return distance


def _waits(system: EventSystem, action: int, slot: int) -> bool:
    """Whether it depends on other slots, too, if an action happens."""
    bits = system.slots[slot].bits
    return any(conjunct.reads & ~bits for conjunct in system.actions[action].guard)


LOCAL = HeuristicRow(
    "local",
    "steps of each process to a place where it may be blocked",
    local_distance,
    "EdelkampLeueLluchLafuente04, FSM distance",
    admissible=False,
)
