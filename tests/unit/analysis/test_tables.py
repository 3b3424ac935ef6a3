"""What tables share, and what is left of them in a smaller space."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from secateur.analysis.effort import USUAL, Purse
from secateur.analysis.space import Space, space_of
from secateur.analysis.tables import Tables, Truths
from tests.effort import fewer
from tests.unit.analysis.coded import CodedToy, coded_toys

seeds = st.integers(0, 2**32)


def _tables(toy: CodedToy, space: Space) -> Tables:
    return Tables(toy, space, Purse(USUAL), most=USUAL.codes)


def _smaller(space: Space, rng: Random) -> Space:
    """Return a space in which some slots have lost codes."""
    codes = {
        n: tuple(c for c in slot.codes if rng.random() < 0.7) or slot.codes
        for n, slot in enumerate(space.slots)
        if slot.codes is not None and rng.random() < 0.5
    }
    return space.restricted(codes, {})


@fewer(3)
@given(seeds)
def test_the_same_code_is_looked_at_once(seed: int) -> None:
    toy = coded_toys(Random(seed))
    toy.events[1] = replace(toy.events[1], guard=toy.events[0].guard)
    toy.actions[1] = replace(
        toy.actions[1], guard=toy.actions[0].guard, ordered=toy.actions[0].ordered
    )
    tables = _tables(toy, space_of(toy))
    alone = _tables(toy, space_of(toy))
    for j in range(len(toy.actions[0].guard)):
        first, second = tables.conjunct(0, j), tables.conjunct(1, j)
        assert second is first
        assert second == alone.conjunct(1, j)


@fewer(3)
@given(seeds)
def test_a_smaller_space_leaves_what_would_have_been_found_there(seed: int) -> None:
    rng = Random(seed)
    toy = coded_toys(rng)
    space = space_of(toy)
    tables = _tables(toy, space)
    conjuncts = [(a, j) for a, action in enumerate(toy.actions) for j in range(len(action.guard))]
    before = {key: tables.conjunct(*key) for key in conjuncts}
    smaller = _smaller(space, rng)
    restricted = tables.restricted(smaller, lambda _: lambda code, known: True)
    same = space.common(smaller)
    for key, known in before.items():
        assert isinstance(known, Truths)
        found = restricted.conjunct(*key)
        assert found == _tables(toy, smaller).conjunct(*key)
        if not known.mask & ~same:
            assert found is known


@fewer(3)
@given(seeds)
def test_codes_are_lawful_together_as_they_are_alone(seed: int) -> None:
    rng = Random(seed)
    toy = coded_toys(rng)
    space = space_of(toy)
    smaller = _smaller(space, rng)
    mask = space.bits(range(len(space.slots)))
    states = list(toy.states())
    assert list(smaller.lawful_ones(states, mask)) == [s for s in states if smaller.lawful(s, mask)]
