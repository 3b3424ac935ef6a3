"""Breadth-first search: the state found first is expanded first."""

from __future__ import annotations

from collections import deque

from secateur.engine.search.consistency import consistency_checking
from secateur.engine.search.protocol import SearchRow, Task
from secateur.system.result import Result
from secateur.system.system import State


class BreadthFirst:
    """Algorithm 1 with alpha = 0: always `pop_from_end`."""

    def __init__(self) -> None:
        self._states: deque[State] = deque()

    def push(self, state: State) -> None:
        """Add `state` at the front."""
        self._states.appendleft(state)

    def pop(self) -> State:
        """Remove the state at the end, and return it."""
        return self._states.pop()

    def __len__(self) -> int:
        return len(self._states)


def breadth_first(task: Task) -> Result:
    """Check by increasing distance from the root, so that a first trace is a shortest one."""
    return consistency_checking(task, BreadthFirst())


BREADTH_FIRST = SearchRow(
    "bf", "breadth-first", breadth_first, "DobrikovLeuschel16, Algorithm 1", shortest=True
)
