"""What an order is in which actions are applied to sets of states.

Adding one: a file whose last lines are its row, and that row in `registry.py`.
"""

from __future__ import annotations

from collections.abc import Callable

from secateur.engine.symbolic.diagrams.protocol import Diagram
from secateur.engine.symbolic.growth import Growth
from secateur.source.records import dataclass

Sweep = Callable[[Growth, Diagram], None]
"""Grow a set so that every action was applied at least once to the states that are new."""


@dataclass(frozen=True, slots=True)
class ImageRow:
    """A member of the family: its name on the command line, and what it can do."""

    name: str
    title: str
    sweep: Sweep
    reference: str
    shortest: bool = False
    """Whether ways are as short as any."""
