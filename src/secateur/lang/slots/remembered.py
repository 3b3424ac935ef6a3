"""Values of one variable and their bits, remembered: most steps change few of them."""

from __future__ import annotations

from collections.abc import Sequence
from operator import and_, or_
from typing import Final

from secateur.kernel.language import WORD
from secateur.lang.slots.cells import Cell, mask
from secateur.lang.slots.changes import Stored, changed, elements_of, is_large
from secateur.lang.slots.codec import Codec
from secateur.maths.values import Value

_AT_MOST: Final = 20_000
"""So many values of a variable are remembered; then that begins anew."""
_ROOM: Final = 200_000
"""Of large ones, values with so many elements in sum: what differs little is soon decoded."""
_ALL: Final = (1 << WORD) - 1


class Remembered:
    """Encodes and decodes the values of one variable."""

    def __init__(self, codec: Codec, cell: Cell, words: int) -> None:
        self._codec = codec
        self._cell = cell
        self._words = words
        masks = mask([cell], words)
        used = [i for i, m in enumerate(masks) if m]
        self._from, self._to = (used[0], used[-1] + 1) if used else (0, 0)
        self._masks = masks[self._from : self._to]
        self._others = [m ^ _ALL for m in self._masks]
        self._large = is_large(cell)
        self._most = max(1, _ROOM // elements_of(cell)) if self._large else _AT_MOST
        self._last: Stored | None = None
        self._bits: dict[Value, list[int]] = {}
        self._values: dict[tuple[int, ...] | int, Value] = {}

    def store(self, value: Value, words: list[int]) -> None:
        """Write a value into the words of a state, in place of what is there; others keep theirs."""
        bits = self._bits.get(value)
        if bits is None:
            bits = self._encoded(value)
        first = self._from
        if len(bits) == 1:
            words[first] = words[first] & self._others[0] | bits[0]
        else:
            kept = map(and_, words[first : self._to], self._others)
            words[first : self._to] = map(or_, kept, bits)

    def _encoded(self, value: Value) -> list[int]:
        """Return the bits of a value, in the words that have some; and remember them."""
        words = [0] * self._words
        self._codec.encode(self._cell, value, words)
        if len(self._bits) >= _AT_MOST:
            self._bits.clear()
        bits = self._bits[value] = words[self._from : self._to]
        return bits

    def decode(self, words: Sequence[int]) -> Value:
        """Return the value that a state holds."""
        key: tuple[int, ...] | int
        if len(self._masks) == 1:
            key = words[self._from] & self._masks[0]
        else:
            key = tuple(map(and_, words[self._from : self._to], self._masks))
        try:
            return self._values[key]
        except KeyError:
            pass
        if len(self._values) >= self._most:
            self._values.clear()
        found = None
        if self._last is not None:
            found = changed(self._codec, self._cell, self._last, words)
        if found is None:
            found = self._codec.decode(self._cell, words)
        if self._large:
            self._last = (words, found)
        self._values[key] = found
        return found
