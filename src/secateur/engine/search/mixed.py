"""Mixed search: depth-first or breadth-first, as a coin decides before each state."""

from __future__ import annotations

from collections import deque
from random import Random

from secateur.engine.search.consistency import consistency_checking
from secateur.engine.search.protocol import SearchRow, Task
from secateur.system.result import Result
from secateur.system.system import State


class Mixed:
    """Algorithm 1, lines 3 to 7, with its alpha."""

    def __init__(self, alpha: float, seed: int) -> None:
        self._alpha = alpha
        self._random = Random(seed)
        self._states: deque[State] = deque()

    def push(self, state: State) -> None:
        """Add `state` at the front."""
        self._states.appendleft(state)

    def pop(self) -> State:
        """Remove a state, and return it."""
        if self._random.random() < self._alpha:
            return self._states.popleft()  # depth-first
        return self._states.pop()  # breadth-first

    may_stop = True

    def __len__(self) -> int:
        return len(self._states)


def mixed(task: Task) -> Result:
    """Check with `task.ratio` of the steps depth-first."""
    return consistency_checking(task, Mixed(task.ratio, task.seed))


MIXED = SearchRow(
    "mixed",
    "mixed depth-first and breadth-first",
    mixed,
    "DobrikovLeuschel16, Algorithm 1",
    seeded=True,
    uses_ratio=True,
    native=True,
)
