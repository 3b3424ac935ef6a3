"""Valuations of the constants: which are the same but for names, and what keeps one as it is."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from itertools import combinations, pairwise, permutations, product
from math import factorial, prod
from typing import Any, Final

from secateur.lang.symmetry.states import MachineSymmetry
from secateur.source.records import dataclass

MOST_RENAMINGS: Final = 2000
"""If constants are kept by more permutations than those within cells, so many of them are used."""

MOST_LOOKS: Final = 200_000
"""So often permuted constants are looked for where it is not sure that they are there."""

_Pairs = dict[tuple[int, int], Any]


@dataclass(frozen=True, slots=True)
class Stabiliser:
    """The permutations that keep the constants: one of `renamings`, then any within the cells.

    If it is not `complete`, there are more: then they are too many.
    """

    cells: tuple[tuple[int, ...], ...]
    renamings: tuple[dict[int, int], ...]
    complete: bool = True

    @property
    def order(self) -> int:
        """How many permutations these are."""
        return len(self.renamings) * prod(factorial(len(cell)) for cell in self.cells)

    def written_out(self) -> Stabiliser:
        """Return the same with all permutations as renamings."""
        renamings = []
        for names in product(*(permutations(cell) for cell in self.cells)):
            within = {
                e: name
                for cell, chosen in zip(self.cells, names, strict=True)
                for e, name in zip(cell, chosen, strict=True)
            }
            renamings += [{e: within[to] for e, to in first.items()} for first in self.renamings]
        return Stabiliser(self.cells, tuple(renamings), self.complete)


class Solutions:
    """The valuations of a machine that are known by now."""

    def __init__(self, symmetry: MachineSymmetry) -> None:
        self.symmetry = symmetry
        self.own = list(range(symmetry.elements))
        self._stabilisers: dict[int, Stabiliser] = {}

    # -- which are the same -----------------------------------------------------------------------

    @cached_property
    def first(self) -> list[int]:
        """For each solution the first one that a permutation turns it into.

        All permutations of a set are products of two: to swap its first elements, and to move
        each of them on by one.  So solutions are linked that these turn into each other.  Where
        some are missing that is not enough, and all swaps are tried; it may not be enough then
        either, and solutions count as different that are not.  That is never wrong.
        """
        links = list(range(len(self.symmetry.system.solutions)))
        if not self.symmetry.moves_constants:
            return links
        numbers = {self.look(n, self.own): n for n in links}
        closed = self._link(links, numbers, list(self._generators()))
        swaps = [
            self._swap(a, b) for s in self.symmetry.sets for a, b in combinations(s.elements, 2)
        ]
        if not closed and len(links) * len(swaps) <= MOST_LOOKS:
            self._link(links, numbers, swaps)
        return [_root(links, n) for n in range(len(links))]

    def _link(self, links: list[int], numbers: dict[Any, int], renamings: list[list[int]]) -> bool:
        """Link what renamings turn into each other; return whether nothing was missing."""
        closed = True
        for n in range(len(links)):
            for renaming in renamings:
                other = numbers.get(self.look(n, renaming))
                if other is None:
                    closed = False
                    continue
                one, two = sorted((_root(links, n), _root(links, other)))
                links[two] = one
        return closed

    def _generators(self) -> Iterator[list[int]]:
        for each in self.symmetry.sets:
            first, second, *_ = each.elements
            yield self._swap(first, second)
            if len(each.elements) > 2:
                moved = list(self.own)
                for element, following in pairwise((*each.elements, first)):
                    moved[element] = following
                yield moved

    def _swap(self, one: int, other: int) -> list[int]:
        swapped = list(self.own)
        swapped[one], swapped[other] = other, one
        return swapped

    def look(self, number: int, colours: list[int]) -> Any:
        """Return what a solution looks like if elements have these colours."""
        return self.symmetry.described((number, None), colours)

    # -- what keeps one ---------------------------------------------------------------------------

    def stabiliser(self, number: int) -> Stabiliser:
        """Return the permutations under which a solution stays what it is."""
        if not self.symmetry.moves_constants:
            number = -1
        found = self._stabilisers.get(number)
        if found is None:
            found = self._stabilisers[number] = self._find(number)
        return found

    def _find(self, number: int) -> Stabiliser:
        sets = self.symmetry.sets
        identity = {e: e for each in sets for e in each.elements}
        if number < 0:
            return Stabiliser(tuple(each.elements for each in sets), (identity,))
        cells = tuple(
            cell for each in sets for cell in self._interchangeable(number, each.elements)
        )
        renamings: list[dict[int, int]] = []
        for renaming in _Renamings(self, number, cells).all():
            renamings.append(renaming)
            if len(renamings) > MOST_RENAMINGS:
                return Stabiliser(cells, (identity,), complete=False)
        return Stabiliser(cells, tuple(renamings))

    def _interchangeable(self, number: int, elements: tuple[int, ...]) -> list[tuple[int, ...]]:
        """Return the elements in cells; those of a cell can be swapped and nothing changes."""
        look = self.look(number, self.own)
        cells: list[list[int]] = []
        for element in elements:
            for cell in cells:
                if self.look(number, self._swap(cell[0], element)) == look:
                    cell.append(element)
                    break
            else:
                cells.append([element])
        return [tuple(cell) for cell in cells]


def _root(links: list[int], n: int) -> int:
    while links[n] != n:
        links[n] = links[links[n]]
        n = links[n]
    return n


class _Renamings:
    """The permutations that keep a solution, but for what can be done within cells afterwards."""

    def __init__(
        self, solutions: Solutions, number: int, cells: tuple[tuple[int, ...], ...]
    ) -> None:
        self.solutions = solutions
        self.number = number
        self.look = solutions.look(number, solutions.own)
        self.elements = [e for cell in cells for e in cell]
        self.cell = {e: i for i, cell in enumerate(cells) for e in cell}
        self.set_of = {e: s.name for s in solutions.symmetry.sets for e in s.elements}
        self.pairs = self._profiles()

    def _profiles(self) -> _Pairs:
        """Return what the constants look like to somebody who knows two elements only."""
        found: _Pairs = {}
        for one in self.elements:
            for other in self.elements:
                colours = list(self.solutions.own)
                for each in self.elements:
                    colours[each] = -3
                colours[other] = -2
                colours[one] = -1
                found[one, other] = self.solutions.look(self.number, colours)
        return found

    def all(self) -> Iterator[dict[int, int]]:
        """Yield them; of those that differ within cells only, one."""
        return self._extended({}, 0)

    def _extended(self, chosen: dict[int, int], place: int) -> Iterator[dict[int, int]]:
        if place == len(self.elements):
            colours = list(self.solutions.own)
            for element, image in chosen.items():
                colours[element] = image
            if self.solutions.look(self.number, colours) == self.look:
                yield dict(chosen)
            return
        element = self.elements[place]
        for image in self.elements:
            if self._may_be(element, image, chosen):
                chosen[element] = image
                yield from self._extended(chosen, place + 1)
                del chosen[element]

    def _may_be(self, element: int, image: int, chosen: dict[int, int]) -> bool:
        if self.set_of[element] != self.set_of[image]:
            return False
        for other, taken in chosen.items():
            # Within a cell, images are in the order in which they are chosen.
            if taken == image or (self.cell[taken] == self.cell[image] and image < taken):
                return False
            if self.pairs[element, other] != self.pairs[image, taken]:
                return False
        return bool(self.pairs[element, element] == self.pairs[image, image])
