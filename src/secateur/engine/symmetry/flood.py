"""Permutation flooding: with a state all its permutations are known."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product
from math import factorial, prod
from typing import Any, Final

from secateur.engine.codes import TOO_MANY_PERMUTATIONS
from secateur.engine.symmetry.colours import Colouring, own_colours
from secateur.engine.symmetry.protocol import StrategyRow
from secateur.source import fail
from secateur.system.symmetry import Symmetry
from secateur.system.system import State

MOST: Final = 100_000
"""No more permutations of each state are stored."""


class Flood:
    """Knows all permutations of a state as soon as one of them is found.

    E. Turner, M. Butler, M. Leuschel: *A Refinement-Based Correctness Proof of Symmetry
    Reduced Model Checking*, ABZ 2010, machine rmc1: where a state is added, its permutations
    are added as states that need not be explored.
    """

    def __init__(self, symmetry: Symmetry) -> None:
        refuse_many(prod(factorial(len(each.elements)) for each in symmetry.sets))
        self._symmetry = symmetry
        self._own = own_colours(symmetry)
        self._renamings = list(renamings(symmetry))
        self._known: dict[Any, State] = {}
        """What was found or flooded, each with the state that was found."""

    def representative(self, state: State) -> State:
        """Return the first of the permutations of a state that was asked about."""
        described = self._symmetry.described
        found = self._known.get(described(state, self._own))
        if found is None:
            found = state
            for renaming in self._renamings:
                self._known[described(state, renaming)] = state
        return found


def refuse_many(permutations: int) -> None:
    """Raise InputError if so many permutations of each state would have to be stored."""
    if permutations > MOST:
        message = f"each state would be stored with {permutations} permutations of it"
        raise fail(TOO_MANY_PERMUTATIONS, message, help="use --symmetry canonical")


def renamings(symmetry: Symmetry) -> Iterator[Colouring]:
    """Yield all permutations of the elements."""
    for choice in product(*(permutations(each.elements) for each in symmetry.sets)):
        renamed = own_colours(symmetry)
        for each, chosen in zip(symmetry.sets, choice, strict=True):
            for element, name in zip(each.elements, chosen, strict=True):
                renamed[element] = name
        yield renamed


FLOOD = StrategyRow(
    "flood",
    "all permutations of a state are known with it",
    Flood,
    "LeuschelButlerSpermannTurner07; TurnerButlerLeuschel10, machine rmc1",
)
