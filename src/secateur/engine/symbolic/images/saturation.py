"""Saturation: what touches only the last variables is applied as often as it helps, before the rest."""

from __future__ import annotations

from itertools import groupby
from typing import Final

from secateur.engine.symbolic.diagrams.protocol import Diagram
from secateur.engine.symbolic.growth import Growth
from secateur.engine.symbolic.images.protocol import ImageRow
from secateur.engine.symbolic.relation import Relation


def sweep(growth: Growth, new: Diagram) -> None:
    """Saturate level by level, from the last one up: after each step, what is below comes first."""
    ordered = sorted(growth.model.relations, key=lambda r: r.top, reverse=True)
    levels = [list(group) for _, group in groupby(ordered, key=lambda r: r.top)]
    level = 0
    todo = [new] * len(levels)
    """For each level, the states on which its actions were not tried since they were new."""
    while level < len(levels):
        waiting = todo[level]
        todo[level] = growth.model.diagrams.false
        found = _applied(growth, levels[level], waiting)
        if found == growth.model.diagrams.false:
            level += 1
            continue
        todo = [states | found for states in todo]
        level = 0


def _applied(growth: Growth, relations: list[Relation], states: Diagram) -> Diagram:
    found = growth.model.diagrams.false
    if states == found:
        return found
    for relation in relations:
        found = found | growth.step(relation, states | found)
    return found


SATURATION: Final = ImageRow(
    "saturation",
    "what touches the last variables as often as it helps, before the rest",
    sweep,
    "G. Ciardo, G. Lüttgen, R. Siminiceanu: Saturation: an efficient iteration strategy for symbolic "
    "state-space generation, TACAS 2001",
)
