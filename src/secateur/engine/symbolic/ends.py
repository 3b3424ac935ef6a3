"""In which of some states without successors a run may end: the others are deadlocks."""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from secateur.engine.symbolic.build import Builder
from secateur.engine.symbolic.diagrams.protocol import Diagram

Patience = tuple[int, Callable[[], NoReturn]]
"""How many states may be asked about one by one, and what to do where there are more."""


def deadlocks(builder: Builder, states: Diagram, patience: Patience) -> Diagram:
    """Return those of some states without successors in which no run may end.

    Code says so, and where it has no value the evaluator does.
    """
    if not builder.system.has_ends:
        return states
    condition = builder.end()
    if condition is None:
        return states & ~_asked(builder, states, patience)
    unknown = _asked(builder, states & condition.undefined, patience)
    return states & ~condition.holds & ~unknown


def _asked(builder: Builder, states: Diagram, patience: Patience) -> Diagram:
    variables = builder.variables
    most, give_up = patience
    lawful: list[int] = []
    for place, state in enumerate(variables.states(states, variables.everything)):
        if place == most:
            give_up()
        if builder.system.may_end(state):
            lawful.append(state)
    return variables.of_states(lawful)
