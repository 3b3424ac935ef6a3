"""What an approach is: how much of a graph is explored before its product with a formula is.

Adding one: a file whose last lines are its row, and that row in `registry.py`.
"""

from __future__ import annotations

from collections.abc import Callable

from secateur.engine.liveness.graph import Graph
from secateur.source.records import dataclass


@dataclass(frozen=True, slots=True)
class ApproachRow:
    """A member of the family: its name on the command line, and what it does beforehand."""

    name: str
    title: str
    prepare: Callable[[Graph], None]
