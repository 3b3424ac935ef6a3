"""Colour refinement: elements that look different get different colours, as far as that goes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from secateur.system.symmetry import Symmetry
from secateur.system.system import State

Colouring = list[int]
"""The colour of each element, by number.

The elements of a set that may be exchanged have its numbers for colours: those of one cell have
the number that comes first among as many as there are in the cell, and cells do not overlap.  So
where each has a colour of its own, these are a permutation.
"""


def own_colours(symmetry: Symmetry) -> Colouring:
    """Return a colour for each element, which tells all of them apart."""
    return list(range(symmetry.elements))


def first_colours(symmetry: Symmetry) -> Colouring:
    """Return colours that tell apart what nobody exchanges."""
    colours = own_colours(symmetry)
    for each in symmetry.sets:
        for element in each.elements:
            colours[element] = each.elements[0]
    return colours


def refined(symmetry: Symmetry, state: State, colours: Colouring) -> Colouring:
    """Return colours that tell apart whatever can be told apart by looking at neighbours.

    An element looks like the state does with this one element marked and of the others only
    their colours seen.  That is done until it makes no difference any more.
    """
    while True:
        finer = list(colours)
        for each in symmetry.sets:
            for cell in cells(each.elements, colours):
                if len(cell) > 1:
                    looks = _looks(symmetry, state, colours, cell)
                    _recolour(each.elements, colours, looks, finer)
        if finer == colours:
            return finer
        colours = finer


def _looks(
    symmetry: Symmetry, state: State, colours: Colouring, cell: Sequence[int]
) -> dict[int, Any]:
    marked = list(colours)
    looks: dict[int, Any] = {}
    for element in cell:
        marked[element] = -1
        looks[element] = symmetry.described(state, marked)
        marked[element] = colours[element]
    return looks


def _recolour(
    elements: Sequence[int], colours: Colouring, looks: dict[int, Any], finer: Colouring
) -> None:
    """Give the elements of a cell new colours, in the order of their looks."""
    ordered = sorted(looks, key=looks.__getitem__)
    start = first = elements.index(colours[ordered[0]])
    for place, element in enumerate(ordered):
        if place and looks[element] != looks[ordered[place - 1]]:
            first = start + place
        finer[element] = elements[first]


def individualised(
    elements: Sequence[int], colours: Colouring, cell: Sequence[int], element: int
) -> Colouring:
    """Return colours in which one element of a cell comes before the others."""
    finer = list(colours)
    second = elements[elements.index(colours[element]) + 1]
    for other in cell:
        if other != element:
            finer[other] = second
    return finer


def cells(elements: Sequence[int], colours: Colouring) -> list[list[int]]:
    """Return the elements of a set by colour, in the order of the colours."""
    found: dict[int, list[int]] = {}
    for element in elements:
        found.setdefault(colours[element], []).append(element)
    return [found[colour] for colour in sorted(found)]
