"""What a heuristic is: a guess at the distance of a state from an error.

Adding one: a file whose last lines are its row, and that row in `registry.py`.
"""

from __future__ import annotations

from collections.abc import Callable

from secateur.source.records import dataclass
from secateur.system.events import EventSystem
from secateur.system.system import State

Heuristic = Callable[[State], float]
"""How far a state seems to be from an error; never negative."""


@dataclass(frozen=True, slots=True)
class HeuristicRow:
    """A member of the family."""

    name: str
    title: str
    build: Callable[[EventSystem], Heuristic]
    reference: str
    admissible: bool
    """Whether it never says more than the true distance from what it is about."""
