"""Markers: states that look the same after colour refinement are taken for the same."""

from __future__ import annotations

from typing import Any

from secateur.engine.symmetry.colours import first_colours, refined
from secateur.engine.symmetry.protocol import StrategyRow
from secateur.system.symmetry import Symmetry
from secateur.system.system import State


class Markers:
    """Knows states by what they look like.

    M. Leuschel, T. Massart: *Efficient Approximate Verification of B and Z Models via
    Symmetry Markers*, Annals of Mathematics and Artificial Intelligence 59 (2010).

    Symmetric states have one marker.  States that are not symmetric may have one, too: a ring
    of six looks like two rings of three.  So errors can be overlooked, and are never made up.
    """

    def __init__(self, symmetry: Symmetry) -> None:
        self._symmetry = symmetry
        self._first = first_colours(symmetry)
        self._known: dict[Any, State] = {}

    def representative(self, state: State) -> State:
        """Return the first state with the same marker that was asked about."""
        colours = refined(self._symmetry, state, self._first)
        marker = self._symmetry.described(state, colours)
        return self._known.setdefault(marker, state)


MARKERS = StrategyRow(
    "markers",
    "of states that look the same, one is explored",
    Markers,
    "LeuschelMassart10",
    exact=False,
    caveat="symmetry markers may take different states for the same",
)
