"""Depth-first search proper: a path, and from its end always the next new state."""

from __future__ import annotations

from collections.abc import Iterator

from secateur.engine.limits import states_reached
from secateur.engine.provisos.protocol import View
from secateur.engine.search.consistency import guarded
from secateur.engine.search.expansion import Expander
from secateur.engine.search.findings import Findings
from secateur.engine.search.protocol import ROOT, Task
from secateur.system.result import Result
from secateur.system.system import State, Transition


def path_checking(task: Task) -> Result:
    """Visit every reachable state as R. Tarjan's depth-first search does (SIAM J. Comput. 1, 1972).

    Its path is what the proviso `stack` asks about.  A state is expanded when the search comes
    to it, and with its path then; so each cycle among the transitions explored has one that
    led back to the path.
    """
    found = Findings(task)
    path: dict[State, None] = {}
    expander = Expander(task, View(found.visited, path))
    return guarded(task, found, lambda: _search(task, found, path, expander), lambda: 0)


def _search(task: Task, found: Findings, path: dict[State, None], expander: Expander) -> None:
    visited = found.visited
    limit = task.meter.limits.states
    frames = [_enter(ROOT, found, path, expander)]
    while frames:
        state = next(reversed(path))
        for item in frames[-1]:
            succ = item.target
            if succ in visited:
                continue
            if limit is not None and len(visited) >= limit:
                found.incomplete(states_reached(limit))
                return
            visited[succ] = (state, item.step)
            found.check(succ)
            if found.over(0, may_stop=True):
                return
            frames.append(_enter(succ, found, path, expander))
            if found.over(0, may_stop=True):
                return
            break
        else:
            frames.pop()
            del path[state]


def _enter(
    state: State, found: Findings, path: dict[State, None], expander: Expander
) -> Iterator[Transition]:
    """Add a state to the path and return the transitions out of it.

    What is to be known of these, and whatever else is met on the way out, is told at once.
    """
    path[state] = None
    items, pruned = expander.expand(state)
    stuck = not pruned
    transitions: list[Transition] = []
    for item in items:
        stuck = False
        if isinstance(item, Transition):
            found.count(item)
            transitions.append(item)
        else:
            found.note(state, item)
    if stuck:
        found.check_deadlock(state)
    return iter(transitions)
