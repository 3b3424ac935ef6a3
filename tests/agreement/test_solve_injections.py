"""Partial injections: what the solver finds is what trying every one finds."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from secateur.lang.query import understand
from secateur.maths.solve.choice import DifferentIfPresent
from secateur.maths.solve.network import Bool, Conflict, Network, Scalar
from tests.agreement.solutions import values_of
from tests.effort import fewer

Part = tuple[bool | None, tuple[int, int]]
PARTS = st.tuples(
    st.sampled_from([None, None, True, False]), st.tuples(st.integers(0, 3), st.integers(0, 2))
)


@given(st.lists(PARTS, min_size=2, max_size=4), st.sampled_from([None, True, False]))
def test_narrowing_loses_nothing(parts: list[Part], known: bool | None) -> None:
    truths, scalars = [], []
    for present, (low, width) in parts:
        truth = Bool()
        truth.value = present
        truths.append(truth)
        scalars.append(Scalar(low, low + width))
    result = Bool()
    result.value = known
    ways = [
        (flags, values, len(set(here)) == len(here))
        for flags in product(*([t.value] if t.value is not None else [False, True] for t in truths))
        for values in product(*(v.listed() for v in scalars))
        for here in [[x for p, x in zip(flags, values, strict=True) if p]]
    ]
    ways = [way for way in ways if known is None or way[2] is known]
    net = Network()
    net.add(DifferentIfPresent(list(zip(truths, scalars, strict=True)), result), result)
    try:
        net.propagate()
    except Conflict:
        assert not ways
        return
    for flags, values, apart in ways:
        assert all(t.value in (None, p) for t, p in zip(truths, flags, strict=True))
        assert all(v.possible(x) for v, x in zip(scalars, values, strict=True))
        assert result.value in (None, apart)


@fewer(4)
@given(st.lists(st.tuples(st.integers(1, 5), st.integers(1, 3)), max_size=3), st.integers(0, 3))
def test_exactly_the_injections(given_: list[tuple[int, int]], size: int) -> None:
    told = "".join(f" & ({x} : dom(f) => f({x}) >= {y})" for x, y in given_)
    question = understand(f"f : 1..5 >+> 1..3 & card(f) = {size}{told}", {})
    found = values_of("f", question)
    expected = {
        frozenset((k, v) for k, v in enumerate(values, 1) if v)
        for values in product(range(4), repeat=5)
        if _fits([v for v in values if v], size)
        and all(values[x - 1] == 0 or values[x - 1] >= y for x, y in given_)
    }
    assert len(found) == len(expected)
    assert set(found) == expected


def _fits(images: list[int], size: int) -> bool:
    return len(images) == size == len(set(images))


@fewer(4)
@given(st.lists(st.integers(1, 3), min_size=3, max_size=3))
def test_what_is_applied_everywhere_is_defined_everywhere(images: list[int]) -> None:
    table = "{" + ", ".join(f"{i} |-> {x}" for i, x in enumerate(images, 1)) + "}"
    text = f"f : 1..6 +-> 1..3 & !i.(i : 1..3 => f(i) = {table}(i)) & card(f) = 4"
    question = understand(text, {})
    found = values_of("f", question)
    assert len(found) == 9
    assert all({(i, x) for i, x in enumerate(images, 1)} <= f for f in found)
