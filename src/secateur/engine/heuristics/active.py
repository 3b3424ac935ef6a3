"""The number of processes that can go on: a deadlock is where there is none."""

from __future__ import annotations

from secateur.engine.heuristics.protocol import Heuristic, HeuristicRow
from secateur.engine.reduce.process_ample import processes
from secateur.system.events import EventSystem
from secateur.system.system import State


def active_processes(system: EventSystem) -> Heuristic:
    """Return what counts the processes that are not blocked in a state.

    S. Edelkamp, S. Leue, A. Lluch Lafuente: *Directed explicit-state model checking in the
    validation of communication protocols*, STTT 5 (2004), "active processes".

    Deviation from the paper: it is not admissible as it stands.  One step can block several
    processes at once: it divides by two, for a rendezvous; ours guides, and promises nothing.
    """
    groups = processes(system.actions)

    def count(state: State) -> float:
        assert isinstance(state, int)
        return sum(any(system.guard(a, state).holds for a in group) for group in groups)

    return count


ACTIVE = HeuristicRow(
    "active",
    "processes that can go on",
    active_processes,
    "EdelkampLeueLluchLafuente04, active processes",
    admissible=False,
)
