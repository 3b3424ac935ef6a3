"""What ProB counts of a model that it does not finish.

ProB ends a run at the first *state error*: something ill-defined, a violated ASSERT or inner
precondition, a step that is no refinement, a variant that does not decrease.  The state
whose expansion raised the error is then not among those counted; the transitions out of it are.
Which state that is depends on the order of the search, so several are tried.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Final

from secateur import load
from secateur.app.deep import run_deep
from secateur.source import InputError
from secateur.system.system import (
    Breach,
    Fault,
    Outgoing,
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


def explain(file: Path, recorded: Counts, _: Callable[[Seen], None]) -> Seen:
    """Return the order in which an unfinished run of `file` gives what is `recorded`, if any does.

    It is a field of an `Outcome`.
    """
    try:
        model = load(file)
    except InputError:
        return {}
    for order in Order:
        if run_deep(partial(_until_error, model.system, order)) == recorded:
            return {"unfinished": str(order)}
    return {}


def _until_error(system: System, order: Order, _: object) -> Counts | None:
    return until_error(system, order)


def until_error(system: System, order: Order) -> Counts | None:
    """Return what is counted before the first state error; None if there is none."""
    waiting: deque[State] = deque()
    visited: set[State] = set()
    states = transitions = 0
    outgoing = list(system.initial())
    while not any(map(_is_error, outgoing)):
        targets = [item.target for item in outgoing if isinstance(item, Transition)]
        transitions += len(targets)
        new = [target for target in dict.fromkeys(targets) if target not in visited]
        visited.update(new)
        waiting.extend(reversed(new) if order is Order.DEPTH_FIRST else new)
        if not waiting:
            return None
        state = waiting.popleft() if order is Order.BREADTH_FIRST else waiting.pop()
        outgoing = [*system.successors(state), *_invariant(system, state)]
        states += 1
    transitions += sum(isinstance(item, Transition) for item in outgoing)
    return max(0, states - 1), transitions


def _invariant(system: System, state: State) -> Iterable[Outgoing]:
    if not system.is_initialised(state):
        return ()
    return system.breaches(state, frozenset({PropertyKind.INVARIANT}))


def _is_error(item: object) -> bool:
    return isinstance(item, Fault) or (isinstance(item, Breach) and item.kind in STATE_ERRORS)
