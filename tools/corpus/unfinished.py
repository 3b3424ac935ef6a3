"""What ProB counts of a model that it does not finish.

ProB ends a run at the first *state error*: something ill-defined, a violated ASSERT or inner
precondition, a step that is no refinement, a variant that does not decrease.  The state
whose expansion raised the error is then not among those counted; the transitions out of it are.
Which state that is depends on the order of the search, so several are tried.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from enum import StrEnum
from functools import partial
from pathlib import Path
from random import Random
from typing import Final

from secateur import load
from secateur.app.deep import run_deep
from secateur.source import InputError
from secateur.system.system import (
    Breach,
    Fault,
    PropertyKind,
    State,
    System,
    Transition,
)
from tools.corpus.runner import Seen

STATE_ERRORS: Final = frozenset(
    {PropertyKind.WELL_DEFINEDNESS, PropertyKind.REFINEMENT, PropertyKind.VARIANT}
)

Counts = tuple[int, int]
"""States and transitions."""


class Order(StrEnum):
    """Which of the states found is expanded next."""

    BREADTH_FIRST = "breadth-first"
    DEPTH_FIRST = "depth-first"
    DEPTH_FIRST_REVERSED = "depth-first, the last successor first"
    MIXED = "breadth-first and depth-first by chance"


MIXED_RUNS: Final = 200
"""ProB goes breadth-first or depth-first at random: so many of its runs are imitated."""


def explain(file: Path, recorded: Counts, _: Callable[[Seen], None]) -> Seen:
    """Return the order in which an unfinished run of `file` gives what is `recorded`, if any does.

    It is a field of an `Outcome`.
    """
    try:
        model = load(file)
    except InputError:
        return {}
    graph = Graph(model.system)
    for order in Order:
        for seed in range(MIXED_RUNS if order is Order.MIXED else 1):
            if run_deep(partial(_until_error, graph, order, Random(seed))) == recorded:
                return {"unfinished": str(order)}
    return {}


class Graph:
    """The states of a system with what leads out of them, remembered for the next run."""

    def __init__(self, system: System) -> None:
        self.system = system
        self._known: dict[State | None, tuple[tuple[State, ...], bool]] = {}

    def expand(self, state: State | None) -> tuple[tuple[State, ...], bool]:
        """Return the targets of the transitions out of `state`, and whether it has a state error.

        None is the root.
        """
        if state not in self._known:
            self._known[state] = self._expand(state)
        return self._known[state]

    def _expand(self, state: State | None) -> tuple[tuple[State, ...], bool]:
        system = self.system
        outgoing = list(system.initial() if state is None else system.successors(state))
        # A step that is no refinement, or a false theorem in its guard, is a breach here.
        wrong = any(isinstance(item, Fault | Breach) for item in outgoing)
        if state is not None and system.is_initialised(state):
            properties = system.breaches(state, frozenset({PropertyKind.INVARIANT}))
            wrong = wrong or any(isinstance(item, Fault) for item in properties)
        return tuple(item.target for item in outgoing if isinstance(item, Transition)), wrong


def _until_error(graph: Graph, order: Order, chance: Random, _: object) -> Counts | None:
    return until_error(graph, order, chance)


def until_error(graph: Graph, order: Order, chance: Random) -> Counts | None:
    """Return what is counted before the first state error; None if there is none."""
    waiting: deque[State] = deque()
    visited: set[State] = set()
    states = 0
    targets, wrong = graph.expand(None)
    transitions = len(targets)
    while not wrong:
        new = [target for target in dict.fromkeys(targets) if target not in visited]
        visited.update(new)
        waiting.extend(reversed(new) if order is Order.DEPTH_FIRST else new)
        if not waiting:
            return None
        first = order is Order.BREADTH_FIRST or (order is Order.MIXED and chance.random() < 0.5)
        targets, wrong = graph.expand(waiting.popleft() if first else waiting.pop())
        transitions += len(targets)
        states += 1
    return max(0, states - 1), transitions
