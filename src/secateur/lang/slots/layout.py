"""Where in a packed state each variable is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from secateur.lang.slots.cells import Allocator, Cell, NumberCell, allocate, mask
from secateur.lang.slots.shapes import Dense, Shape
from secateur.lang.slots.spaces import Range


class Layout:
    """The shape of every variable, and the places that follow from them."""

    def __init__(self, shapes: Mapping[str, Shape], solutions: int) -> None:
        self.shapes = dict(shapes)
        room = Allocator()
        self.cells: dict[str, Cell] = {}
        self.solution: NumberCell | None = None
        if solutions > 1:
            cell = allocate(Dense(Range(0, solutions - 1)), 1, room)
            assert isinstance(cell, NumberCell)
            self.solution = cell
        # Large things first, so that small ones fill the gaps.
        for name in sorted(shapes, key=lambda n: -_bits(shapes[n])):
            self.cells[name] = allocate(shapes[name], 1, room)
        self.words = max(1, room.words)

    def mask(self, names: Iterable[str]) -> list[int]:
        """Return the bits of some variables, and of the solution."""
        cells = [self.cells[n] for n in names if n in self.cells]
        return mask(cells if self.solution is None else [*cells, self.solution], self.words)


def _bits(shape: Shape) -> int:
    room = Allocator()
    allocate(shape, 1, room)
    return room.words
