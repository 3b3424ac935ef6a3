"""What the model itself says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, runtime_checkable

from secateur.engine.codes import UNKNOWN_HEURISTIC
from secateur.engine.heuristics.protocol import Heuristic, HeuristicRow
from secateur.source import Diagnostic, InputError
from secateur.system.events import EventSystem
from secateur.system.system import State


@runtime_checkable
class Guided(Protocol):
    """A system whose model says how far a state is from what is looked for."""

    @property
    def estimate(self) -> Callable[[State], float] | None:
        """What it says; None if it says nothing."""


def own_estimate(system: EventSystem) -> Heuristic:
    """Return what the model says; to a system that is not from a model all states are alike."""
    if not isinstance(system, Guided):
        return lambda _: 0
    if system.estimate is None:
        message = "the model has no definition HEURISTIC_FUNCTION"
        raise InputError(Diagnostic(UNKNOWN_HEURISTIC, message, help="use another --heuristic"))
    return system.estimate


OWN = HeuristicRow(
    "model",
    "the model's definition HEURISTIC_FUNCTION",
    own_estimate,
    "ProB, HEURISTIC_FUNCTION",
    admissible=False,
)
