"""Large values decoded by what has changed: the same as if they were decoded as a whole."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from secateur.lang.slots.cells import Allocator, allocate
from secateur.lang.slots.changes import changed, is_large
from secateur.lang.slots.codec import Codec, Interned
from secateur.lang.slots.remembered import Remembered
from secateur.lang.slots.shapes import Dense, Function, Shape, Subset, Wide
from secateur.lang.slots.spaces import Range

SPACE = Range(-7, 92)
SHAPES: dict[str, Shape] = {
    "set": Subset(SPACE),
    "partial function": Function(SPACE, Dense(Range(3, 20)), total=False),
    "total function": Function(SPACE, Dense(Range(3, 20)), total=True),
    "function to any integer": Function(SPACE, Wide(), total=False),
}
POINTS = st.integers(SPACE.low, SPACE.high)
UPDATES = st.lists(st.tuples(POINTS, st.one_of(st.none(), st.integers(3, 20))), max_size=12)


def updated(shape: Shape, value: frozenset[Any], updates: list[tuple[int, int | None]]) -> Any:
    """Return `value` with some elements or pairs put in, or taken out."""
    if isinstance(shape, Subset):
        points = {x for x, _ in updates}
        return value ^ points
    table = dict(value)
    for x, y in updates:
        if y is not None:
            table[x] = y
        elif not (isinstance(shape, Function) and shape.total):
            table.pop(x, None)
    return frozenset(table.items())


@pytest.mark.parametrize("name", SHAPES)
@given(first=UPDATES, steps=st.lists(UPDATES, max_size=4))
def test_decoded_by_changes(name: str, first: Any, steps: Any) -> None:
    shape = SHAPES[name]
    room = Allocator()
    room.field(5, 3)  # so that it does not begin at a word
    cell = allocate(shape, 1, room)
    assert is_large(cell)
    codec = Codec(Interned())
    start = frozenset() if isinstance(shape, Subset) else frozenset((x, 3) for x in range(-7, 93))
    value = updated(shape, start, first)
    stored = Remembered(codec, cell, room.words)
    before = None
    for step in ([], *steps):
        value = updated(shape, value, step)
        words = [0] * room.words
        codec.encode(cell, value, words)
        assert stored.decode(tuple(words)) == value
        if before is not None:
            assert changed(codec, cell, before, words) in (None, value)
        before = (words, value)


def test_what_is_small_is_decoded_as_a_whole() -> None:
    assert not is_large(allocate(Subset(Range(0, 9)), 1, Allocator()))
    assert not is_large(allocate(Dense(SPACE), 1, Allocator()))
