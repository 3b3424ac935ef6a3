"""Values in packed states: what is stored is what comes back, and what does not fit is noticed."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from time import sleep
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from secateur.kernel.language import Region
from secateur.lang.slots.cells import Allocator, allocate, mask, places, position
from secateur.lang.slots.codec import Codec, Interned
from secateur.lang.slots.shapes import (
    Dense,
    Function,
    Opaque,
    Sequence,
    Shape,
    Subset,
    fits,
    shape_of_type,
    widened,
)
from secateur.lang.slots.spaces import Carrier, OutOfSpace, Range, mask_of, set_of
from secateur.lang.slots.words import in_words
from secateur.maths.types import BOOL, INTEGER, STRING, Given, Power, Product, Struct, Type
from secateur.maths.values import Element, RecordValue

S = Carrier("S", tuple(Element(i, f"s{i}", "S") for i in range(4, 9)))
CARRIERS = {"S": S}


def types(depth: int = 2) -> SearchStrategy[Type]:
    """Types with values that can be drawn."""
    base: SearchStrategy[Type] = st.sampled_from([BOOL, INTEGER, Given("S"), STRING])
    if depth == 0:
        return base
    inner = types(depth - 1)
    return st.one_of(
        base,
        st.builds(Product, inner, inner),
        st.builds(Power, inner),
        st.builds(lambda a, b: Power(Product(a, b)), types(0), inner),
        st.builds(lambda a, b: Struct((("p", a), ("q", b))), inner, inner),
    )


def values(type_: Type) -> SearchStrategy[Any]:
    """Values of a type."""
    match type_:
        case Product(left, right):
            return st.tuples(values(left), values(right))
        case Power(element):
            return st.frozensets(values(element), max_size=4)
        case Struct(fields):
            names = tuple(n for n, _ in fields)
            parts = st.tuples(*(values(t) for _, t in fields))
            return parts.map(lambda found: RecordValue(names, found))
        case Given():
            return st.sampled_from(S.elements)
    if type_ is BOOL:
        return st.booleans()
    if type_ is STRING:
        return st.sampled_from(["", "a", "b"])
    return st.one_of(st.integers(-3, 12), st.integers(-(10**20), 10**20))


@st.composite
def typed_values(draw: DrawFn) -> tuple[Type, list[Any]]:
    type_ = draw(types())
    return type_, draw(st.lists(values(type_), min_size=1, max_size=4))


def stored(shape: Shape, value: Any) -> Any:
    """Store a value between two others, and return what comes back."""
    room = Allocator()
    before, cell, after = (allocate(s, 1, room) for s in (shape, shape, shape))
    words = [0] * room.words
    codec = Codec(Interned())
    codec.encode(cell, value, words)
    outside = mask([before, after], room.words)
    assert not any(w & m for w, m in zip(words, outside, strict=True)), "bits of others are set"
    return codec.decode(cell, words)


@given(typed_values())
def test_what_is_stored_comes_back(typed: tuple[Type, list[Any]]) -> None:
    type_, drawn = typed
    shape = shape_of_type(type_, CARRIERS)
    for value in drawn:
        if not fits(shape, value):
            with pytest.raises(OutOfSpace):
                stored(shape, value)
            shape = widened(shape, value, type_, CARRIERS)
        assert fits(shape, value)
        back = stored(shape, value)
        assert back == value
        assert type(back) is type(value)
    assert in_words(shape)


@given(st.lists(st.lists(st.integers(0, 300), max_size=20), min_size=1))
def test_sequences_grow(drawn: list[list[int]]) -> None:
    type_ = Power(Product(INTEGER, INTEGER))
    shape: Shape = Sequence(8, shape_of_type(INTEGER, CARRIERS))
    for items in drawn:
        value = frozenset(enumerate(items, 1))
        if not fits(shape, value):
            shape = widened(shape, value, type_, CARRIERS)
        assert isinstance(shape, Sequence)
        assert stored(shape, value) == value


@given(st.lists(st.tuples(st.integers(1, 64), st.integers(1, 90)), max_size=12))
def test_nothing_overlaps_or_straddles_a_word(wanted: list[tuple[int, int]]) -> None:
    room = Allocator()
    used: dict[int, int] = {}
    for width, count in wanted:
        field = room.field(1 << width, count) if width < 64 else room.wide(count)
        for i in range(count):
            per_word = 64 // width
            word, shift = (
                (field.word, field.shift + i * width)
                if field.in_one_word
                else (field.word + i // per_word, i % per_word * width)
            )
            bits = ((1 << width) - 1) << shift
            assert shift + width <= 64
            assert not used.get(word, 0) & bits
            used[word] = used.get(word, 0) | bits
    assert all(word < room.words for word in used)


class Slow(frozenset[int]):
    """A set that lets other threads go on while it is looked for, as sets known by a rule may."""

    def __hash__(self) -> int:
        sleep(0.001)
        return super().__hash__()


def test_threads_that_number_values_at_the_same_time() -> None:
    interned, sets = Interned(), [Slow({i}) for i in range(20)]
    type_ = Power(INTEGER)
    with ThreadPoolExecutor(4) as threads:
        numbers = list(threads.map(lambda each: interned.number(type_, each), sets))
    assert sorted(numbers) == list(range(20))
    assert [interned.value(type_, n) for n in numbers] == sets


@given(wanted=st.lists(st.tuples(st.integers(1, 40), st.integers(1, 40)), max_size=6))
def test_masks_are_the_bits_of_all_numbers(wanted: list[tuple[int, int]]) -> None:
    room = Allocator()
    shapes = [Function(Range(1, n), Dense(Range(0, (1 << w) - 1)), total=False) for w, n in wanted]
    cells = [allocate(shape, 1, room) for shape in shapes]
    for cell in cells:
        expected = [0] * room.words
        for place in places(cell):
            width, count = (
                (1, place.width) if isinstance(place, Region) else (place.width, place.count)
            )
            for i in range(count):
                word, shift = position(place.word, place.shift, width, count, i)
                expected[word] |= ((1 << width) - 1) << shift
        assert mask([cell], room.words) == expected


def test_sets_of_long_numbers() -> None:
    space = Range(-5, 3000)
    for chosen in ({-5}, {3000}, {-5, 0, 1018, 1019, 1020, 2999, 3000}, set(range(-5, 3001, 7))):
        assert set_of(space, mask_of(space, frozenset(chosen))) == chosen


def test_sets_of_integers_grow_further_than_functions() -> None:
    small = Subset(Range(0, 4000))
    grown = widened(small, frozenset({5000}), Power(INTEGER), {})
    assert isinstance(grown, Subset)
    assert fits(grown, frozenset({0, 4000, 5000}))
    assert isinstance(widened(small, frozenset({20_000}), Power(INTEGER), {}), Opaque)
    pairs = Function(Range(0, 4000), Dense(Range(0, 7)), total=False)
    far = frozenset({(5000, 1)})
    assert isinstance(widened(pairs, far, Power(Product(INTEGER, INTEGER)), {}), Opaque)
