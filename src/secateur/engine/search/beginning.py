"""How a system begins, found state by state before an engine of another kind takes over."""

from __future__ import annotations

from collections import deque

from secateur.engine.limits import states_reached
from secateur.engine.search.findings import Findings
from secateur.engine.search.protocol import Task
from secateur.system.system import State, Step, Transition


def begun(task: Task, found: Findings) -> tuple[dict[State, tuple[State, Step]], int]:
    """Return the states to explore from, each with the state and step before it.

    None if the search ends before there is anything to explore; and how many are waiting then.
    """
    initial, waiting = _initial_states(task, found)
    if not initial or not found.over(len(initial), may_stop=True):
        return initial, waiting
    for state, way in initial.items():
        found.visited[state] = way
        found.check(state)
    return {}, waiting + len(initial)


def _initial_states(task: Task, found: Findings) -> tuple[dict[State, tuple[State, Step]], int]:
    """Return the initialised states, each with the state and step before; others are counted.

    If the search ends before, there are none, or those of an error among them; then also how many
    others are waiting.
    """
    initial: dict[State, tuple[State, Step]] = {}
    root = object()
    limit = task.meter.limits.states
    todo: deque[object] = deque([root])
    while todo:
        state = todo.popleft()
        outgoing = task.system.initial() if state is root else task.system.successors(state)
        stuck = True
        for item in outgoing:
            stuck = False
            if not isinstance(item, Transition):
                found.note(state, item)
                continue
            found.count(item)
            seen = len(found.visited) + len(initial)
            if limit is not None and seen >= limit and _is_new(item.target, found, initial):
                found.incomplete(states_reached(limit))
                return initial, len(todo)
            if task.system.is_initialised(item.target):
                initial.setdefault(item.target, (state, item.step))
            elif item.target not in found.visited:
                found.visited[item.target] = (state, item.step)
                todo.append(item.target)
            if found.over(len(todo) + len(initial), may_stop=False):
                return {}, len(todo) + len(initial)
        if stuck:
            found.check_deadlock(state)
        waiting = len(todo) + len(initial)
        if state is root and waiting and found.over(waiting, may_stop=True):
            return initial, len(todo)
    return initial, 0


def _is_new(state: State, found: Findings, initial: dict[State, tuple[State, Step]]) -> bool:
    return state not in found.visited and state not in initial
