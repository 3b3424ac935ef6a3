"""Breadth-first search: the state found first is expanded first."""

from __future__ import annotations

from secateur.engine.search.consistency import consistency_checking
from secateur.engine.search.protocol import SearchRow, Task
from secateur.system.result import Result
from secateur.system.system import State


class BreadthFirst:
    """Algorithm 1 with alpha = 0: always `pop_from_end`.

    States of the level that is being expanded, and those of the next one, are kept apart.
    """

    def __init__(self) -> None:
        self._level: list[State] = []
        self._next: list[State] = []

    def push(self, state: State) -> None:
        """Add `state` to the next level."""
        self._next.append(state)

    def pop(self) -> State:
        """Remove the first state of the level, and return it."""
        if not self._level:
            self._level, self._next = self._next[::-1], []
        return self._level.pop()

    @property
    def may_stop(self) -> bool:
        """Whether a level is finished."""
        return not self._level

    def __len__(self) -> int:
        return len(self._level) + len(self._next)


def breadth_first(task: Task) -> Result:
    """Check by increasing distance from the root, so that a first trace is a shortest one."""
    return consistency_checking(task, BreadthFirst())


BREADTH_FIRST = SearchRow(
    "bf",
    "breadth-first",
    breadth_first,
    "DobrikovLeuschel16, Algorithm 1",
    shortest=True,
    native=True,
)
