"""A*: the state on the way that seems shortest is expanded first."""

from __future__ import annotations

from collections.abc import Callable
from heapq import heapify, heappop, heappush
from typing import Final

from secateur.engine.search.consistency import consistency_checking
from secateur.engine.search.protocol import SearchRow, Task, estimate
from secateur.system.result import Result
from secateur.system.system import State

_STALE: Final = 64
"""So many outdated entries, and as many as there are others, are swept away at once."""


class AStar:
    """Open as a priority queue by f = g + h, and reopening of states.

    D. Bošnački, S. Leue, A. Lluch Lafuente: *Partial-Order Reduction for General State
    Exploring Algorithms*, STTT 11 (2009), Figure 2, whose line numbers are given.

    Deviations from the paper:

      D1  line 8 sets s'.g even where the new path is longer: here g only improves;
      D2  line 12 takes a reopened state from Closed without putting it into Open: here it
          is, as the appendix describes;
      D3  a state that is reopened gets a new ample set when it is expanded again.  With its
          first one, two states could each have relied on the other.

    Each step costs 1.  If the heuristic never says more than the true distance, a first trace
    is a shortest one.
    """

    def __init__(self, estimate: Callable[[State], float]) -> None:
        self._estimate = estimate
        self._heap: list[tuple[float, int, State]] = []
        self._open: dict[State, int] = {}
        """The states that wait, each with the number of its latest entry."""
        self._g: dict[State, int] = {}
        self._h: dict[State, float] = {}
        self._count = 0

    def improves(self, state: State, succ: State) -> bool:
        """Whether the way over `state` is shorter than all ways to `succ` before (9-13)."""
        g = self._g[state] + 1  # 8
        if succ in self._g and g >= self._g[succ]:
            return False
        self._g[succ] = g
        return True

    def push(self, state: State) -> None:
        """Add `state`, or move it forward if it waits already."""
        self._count += 1
        h = self._h.get(state)
        if h is None:
            h = self._h[state] = self._estimate(state)
        self._open[state] = self._count
        heappush(self._heap, (self._g.setdefault(state, 0) + h, self._count, state))

    def pop(self) -> State:
        """Remove the state with the least f, and return it (5)."""
        if len(self._heap) > 2 * len(self._open) + _STALE:
            self._heap = [e for e in self._heap if self._open.get(e[2]) == e[1]]
            heapify(self._heap)
        while True:
            _, number, state = heappop(self._heap)
            if self._open.get(state) == number:
                del self._open[state]
                return state

    may_stop = True

    def __len__(self) -> int:
        return len(self._open)


def astar(task: Task) -> Result:
    """Check by increasing length of the whole way, as far as the heuristic can tell."""
    queue = AStar(estimate(task))
    return consistency_checking(task, queue, queue)


ASTAR = SearchRow(
    "astar",
    "A*, by a heuristic and the way behind",
    astar,
    "HartNilssonRaphael68",
    directed=True,
)
