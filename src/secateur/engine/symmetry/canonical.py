"""Canonical forms: of all the ways to rename elements, that whose result comes first."""

from __future__ import annotations

from typing import Any

from secateur.engine.symmetry.colours import (
    Colouring,
    cells,
    first_colours,
    individualised,
    own_colours,
    refined,
)
from secateur.engine.symmetry.protocol import StrategyRow
from secateur.system.symmetry import Symmetry
from secateur.system.system import State


class Canonical:
    """Knows states by their canonical forms.

    E. Turner, M. Butler, M. Leuschel: *A Refinement-Based Correctness Proof of Symmetry Reduced
    Model Checking*, ABZ 2010, machine rmc2; what `rep` computes is found by individualisation and
    refinement after B. McKay: *Practical Graph Isomorphism*, Congressus Numerantium 30, 1981.

    Of the states with one canonical form the first that was found stands for the others.
    """

    def __init__(self, symmetry: Symmetry) -> None:
        self._symmetry = symmetry
        self._known: dict[Any, State] = {}

    def representative(self, state: State) -> State:
        """Return the first state with the same canonical form that was asked about."""
        return self._known.setdefault(canonical_form(self._symmetry, state), state)


def canonical_form(symmetry: Symmetry, state: State) -> Any:
    """Return what a state looks like after the best renaming; symmetric ones look the same."""
    return _Tree(symmetry, state).best()


class _Tree:
    """The tree of one state.

    Elements are coloured as finely as looking around allows.  Where some still have one colour,
    each of them is tried as the first among them; of the renamings at the ends of this tree, the
    one whose result comes first is taken.  Two prunings:

      P1  of elements that can be swapped without changing the state, one is tried;
      P2  two ends with the same result make known a permutation that keeps the state.  Of
          elements that such a permutation, which keeps what was tried before, turns into each
          other, one is tried.
    """

    def __init__(self, symmetry: Symmetry, state: State) -> None:
        self.symmetry = symmetry
        self.state = state
        self.own = own_colours(symmetry)
        self.look = symmetry.described(state, self.own)
        """What it looks like as it is."""
        self.found: tuple[Any, Colouring] | None = None
        """The result that comes first, and the renaming."""
        self.automorphisms: list[Colouring] = []

    def best(self) -> Any:
        """Return the result that comes first."""
        self._descend(first_colours(self.symmetry), ())
        assert self.found is not None
        return self.found[0]

    def _descend(self, colours: Colouring, tried: tuple[int, ...]) -> None:
        colours = refined(self.symmetry, self.state, colours)
        for each in self.symmetry.sets:
            for cell in cells(each.elements, colours):
                if len(cell) > 1:
                    self._try(each.elements, colours, cell, tried)
                    return
        self._arrive(colours)

    def _try(
        self,
        elements: tuple[int, ...],
        colours: Colouring,
        cell: list[int],
        tried: tuple[int, ...],
    ) -> None:
        done: list[int] = []
        for element in cell:
            if any(self._alike(element, other, tried) for other in done):
                continue
            done.append(element)
            self._descend(individualised(elements, colours, cell, element), (*tried, element))

    def _alike(self, one: int, other: int, tried: tuple[int, ...]) -> bool:
        swapped = list(self.own)
        swapped[one], swapped[other] = other, one
        if self.symmetry.described(self.state, swapped) == self.look:  # P1
            return True
        return other in self._orbit(one, tried)  # P2

    def _orbit(self, element: int, tried: tuple[int, ...]) -> set[int]:
        keeping = [a for a in self.automorphisms if all(a[t] == t for t in tried)]
        orbit, todo = {element}, [element]
        while todo:
            here = todo.pop()
            for automorphism in keeping:
                there = automorphism[here]
                if there not in orbit:
                    orbit.add(there)
                    todo.append(there)
        return orbit

    def _arrive(self, colours: Colouring) -> None:
        """Look at the result of a renaming: each element has the name of its colour."""
        result = self.symmetry.described(self.state, colours)
        if self.found is None or result < self.found[0]:
            self.found = result, colours
        elif result == self.found[0]:
            back = {new: old for old, new in enumerate(self.found[1])}
            self.automorphisms.append([back[new] for new in colours])


CANONICAL = StrategyRow(
    "canonical",
    "one state of each orbit is explored, by canonical forms",
    Canonical,
    "TurnerButlerLeuschel10, machine rmc2; McKay81",
)
