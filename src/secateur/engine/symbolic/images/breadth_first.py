"""Breadth-first: all actions on the states that were new last time."""

from __future__ import annotations

from typing import Final

from secateur.engine.symbolic.diagrams.protocol import Diagram
from secateur.engine.symbolic.growth import Growth, Stage
from secateur.engine.symbolic.images.protocol import ImageRow


def sweep(growth: Growth, new: Diagram) -> None:
    """Go one step further."""
    model = growth.model
    for relation in model.relations:
        relation.learn(new)
    growth.grow(model.image(new), Stage(new, model.relations))


BREADTH_FIRST: Final = ImageRow(
    "bf",
    "one step of all actions at a time",
    sweep,
    "J. R. Burch et al.: Symbolic model checking: 10^20 states and beyond, 1990",
    shortest=True,
)
