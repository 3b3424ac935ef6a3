"""Best-first search: the state that seems nearest to an error is expanded first."""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush

from secateur.engine.search.consistency import consistency_checking
from secateur.engine.search.protocol import SearchRow, Task, estimate
from secateur.system.result import Result
from secateur.system.system import State


class BestFirst:
    """A priority queue; of states that seem alike, the one found first is taken."""

    def __init__(self, estimate: Callable[[State], float]) -> None:
        self._estimate = estimate
        self._heap: list[tuple[float, int, State]] = []
        self._count = 0

    def push(self, state: State) -> None:
        """Add `state`."""
        self._count += 1
        heappush(self._heap, (self._estimate(state), self._count, state))

    def pop(self) -> State:
        """Remove the state with the least estimate, and return it."""
        return heappop(self._heap)[2]

    may_stop = True

    def __len__(self) -> int:
        return len(self._heap)


def best_first(task: Task) -> Result:
    """Check what the heuristic says is nearest to an error."""
    return consistency_checking(task, BestFirst(estimate(task)))


BEST_FIRST = SearchRow(
    "best",
    "best first, as a heuristic says",
    best_first,
    "BosnackiLeueLluchLafuente09, 2.3",
    directed=True,
)
