"""Random search: any waiting state is as likely as another."""

from __future__ import annotations

from random import Random

from secateur.engine.search.consistency import consistency_checking
from secateur.engine.search.protocol import SearchRow, Task
from secateur.system.result import Result
from secateur.system.system import State


class RandomOrder:
    """A bag of states."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._states: list[State] = []

    def push(self, state: State) -> None:
        """Add `state`."""
        self._states.append(state)

    def pop(self) -> State:
        """Remove a state at random, and return it."""
        states = self._states
        chosen = self._random.randrange(len(states))
        states[chosen], states[-1] = states[-1], states[chosen]
        return states.pop()

    may_stop = True

    def __len__(self) -> int:
        return len(self._states)


def random_order(task: Task) -> Result:
    """Check the states in an order that only the seed decides."""
    return consistency_checking(task, RandomOrder(task.seed))


RANDOM = SearchRow(
    "random", "random order", random_order, "DobrikovLeuschel16, 2.3", seeded=True, native=True
)
