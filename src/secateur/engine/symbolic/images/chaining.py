"""Chaining: one action after the other, each on all that is there by then."""

from __future__ import annotations

from typing import Final

from secateur.engine.symbolic.diagrams.protocol import Diagram
from secateur.engine.symbolic.growth import Growth
from secateur.engine.symbolic.images.protocol import ImageRow


def sweep(growth: Growth, new: Diagram) -> None:
    """Apply each action once, those that touch the last variables first."""
    found = new
    for relation in sorted(growth.model.relations, key=lambda r: r.top, reverse=True):
        found = found | growth.step(relation, found)


CHAINING: Final = ImageRow(
    "chaining",
    "one action after the other on all that is there by then",
    sweep,
    "O. Roig, J. Cortadella, E. Pastor: Verification of asynchronous circuits by BDD-based model "
    "checking of Petri nets, 1995",
)
