"""Depth-first search: the state found last is expanded first."""

from __future__ import annotations

from secateur.engine.search.consistency import consistency_checking
from secateur.engine.search.path import path_checking
from secateur.engine.search.protocol import SearchRow, Task
from secateur.system.result import Result
from secateur.system.system import State


class DepthFirst:
    """Algorithm 1 with alpha = 1: always `pop_from_front`.

    All successors are marked visited when found, so a state may be left for a sibling
    whose subtree reaches it too: the order is that of the paper, not that of a stack of paths.
    """

    def __init__(self) -> None:
        self._states: list[State] = []

    def push(self, state: State) -> None:
        """Add `state` at the front."""
        self._states.append(state)

    def pop(self) -> State:
        """Remove the state at the front, and return it."""
        return self._states.pop()

    may_stop = True

    def __len__(self) -> int:
        return len(self._states)


def depth_first(task: Task) -> Result:
    """Check along one path as far as it goes, then along the next.

    If a proviso asks what is on the path, then in the order of a path; or else in the paper's.
    """
    if task.reduction is not None and task.reduction.needs_stack:
        return path_checking(task)
    return consistency_checking(task, DepthFirst())


DEPTH_FIRST = SearchRow(
    "df", "depth-first", depth_first, "DobrikovLeuschel16, Algorithm 1", stack=True, native=True
)
