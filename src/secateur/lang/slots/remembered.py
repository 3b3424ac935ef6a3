"""Values of one variable and their bits, remembered: most steps change few of them."""

from __future__ import annotations

from collections.abc import Sequence
from operator import and_
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
        self._large = is_large(cell)
        self._most = max(1, _ROOM // elements_of(cell)) if self._large else _AT_MOST
        self._last: Stored | None = None
        self._bits: dict[Value, int] = {}
        self._values: dict[tuple[int, ...] | int, Value] = {}

    def encode(self, value: Value) -> int:
        """Return the bits of a value, as those of a state that is one number."""
        found = self._bits.get(value)
        if found is None:
            words = [0] * self._words
            self._codec.encode(self._cell, value, words)
            found = sum(word << (WORD * i) for i, word in enumerate(words))
            if len(self._bits) >= _AT_MOST:
                self._bits.clear()
            self._bits[value] = found
        return found

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
