"""Buffers whose contents are formulas."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterator
from typing import NamedTuple

import z3

from secateur.analysis.smt.values import Term, Truth, either

Bits = int | Term
"""Some bits: a number if they are known."""


class Cell(NamedTuple):
    """Bits that are read and written together, as far as that is known."""

    width: int
    bits: Bits


class Memory:
    """A buffer as cells that do not overlap; they are split and joined as code demands."""

    def __init__(self) -> None:
        self._starts: list[int] = []
        self._cells: dict[int, Cell] = {}

    def copy(self) -> Memory:
        """Return a buffer with the same contents."""
        other = Memory()
        other._starts = self._starts.copy()
        other._cells = self._cells.copy()
        return other

    def store(self, at: int, width: int, bits: Bits) -> None:
        """Write some bits."""
        known = self._cells.get(at)
        if known is None or known.width != width:
            self._split(at)
            self._split(at + width)
            first = bisect_left(self._starts, at)
            last = bisect_left(self._starts, at + width)
            for start in self._starts[first:last]:
                del self._cells[start]
            del self._starts[first:last]
            insort(self._starts, at)
        self._cells[at] = Cell(width, bits)

    def load(self, at: int, width: int) -> Bits:
        """Read some bits; those that nobody has written are 0."""
        known = self._cells.get(at)
        if known is not None and known.width == width:
            return known.bits
        pieces: list[Cell] = []
        end = at + width
        while at < end:
            start, cell = self._covering(at, end)
            piece = min(end, start + cell.width) - at
            pieces.append(Cell(piece, _part(cell, at - start, piece)))
            at += piece
        return _joined(pieces)

    def _covering(self, at: int, end: int) -> tuple[int, Cell]:
        place = bisect_right(self._starts, at) - 1
        if place >= 0:
            start = self._starts[place]
            cell = self._cells[start]
            if start + cell.width > at:
                return start, cell
        following = self._starts[place + 1] if place + 1 < len(self._starts) else end
        return at, Cell(min(following, end) - at, 0)

    def _split(self, at: int) -> None:
        place = bisect_right(self._starts, at) - 1
        if place < 0:
            return
        start = self._starts[place]
        cell = self._cells[start]
        low = at - start
        if 0 < low < cell.width:
            self._cells[start] = Cell(low, _part(cell, 0, low))
            self._cells[at] = Cell(cell.width - low, _part(cell, low, cell.width - low))
            self._starts.insert(place + 1, at)

    def replace(self, other: Memory, width: int) -> None:
        """Take over the first `width` bits of another buffer."""
        kept = self.copy()
        kept._split(width)
        source = other.copy()
        source._split(width)
        cells = {s: c for s, c in source._cells.items() if s < width}
        cells.update((s, c) for s, c in kept._cells.items() if s >= width)
        self._cells = cells
        self._starts = sorted(cells)

    def merge(self, condition: Truth, other: Memory) -> Memory:
        """Return what is here where a condition holds, and there where it does not."""
        result = self.copy()
        for at, (width, theirs) in other._cells.items():
            mine = self.load(at, width)
            if not _same(mine, theirs):
                chosen = z3.If(condition, as_term(mine, width), as_term(theirs, width))
                result.store(at, width, chosen)
        return result

    def differs(self, other: Memory, mask: int) -> Truth:
        """Return whether two buffers have different contents within some bits."""
        found: list[Truth] = []
        for at, width in runs(mask):
            mine, theirs = self.load(at, width), other.load(at, width)
            if not _same(mine, theirs):
                if isinstance(mine, int) and isinstance(theirs, int):
                    return True
                found.append(as_term(mine, width) != as_term(theirs, width))
        return either(*found)


def runs(mask: int) -> Iterator[tuple[int, int]]:
    """Yield where the bits of a mask begin and how many there are in a row."""
    at = 0
    while mask:
        zeros = (mask & -mask).bit_length() - 1
        at, mask = at + zeros, mask >> zeros
        ones = (~mask & (mask + 1)).bit_length() - 1
        yield at, ones
        at, mask = at + ones, mask >> ones


def _same(x: Bits, y: Bits) -> bool:
    if isinstance(x, int) or isinstance(y, int):
        return isinstance(x, int) and isinstance(y, int) and x == y
    return bool(x.eq(y))


def as_term(bits: Bits, width: int) -> Term:
    """Return some bits as a formula."""
    return z3.BitVecVal(bits, width) if isinstance(bits, int) else bits


def _part(cell: Cell, low: int, width: int) -> Bits:
    if low == 0 and width == cell.width:
        return cell.bits
    if isinstance(cell.bits, int):
        return cell.bits >> low & ((1 << width) - 1)
    return z3.Extract(low + width - 1, low, cell.bits)


def _joined(pieces: list[Cell]) -> Bits:
    """Return pieces as one, the lowest first."""
    if len(pieces) == 1:
        return pieces[0].bits
    if all(isinstance(p.bits, int) for p in pieces):
        bits = at = 0
        for piece in pieces:
            bits |= piece.bits << at
            at += piece.width
        return bits
    return z3.Concat(*(as_term(p.bits, p.width) for p in reversed(pieces)))
