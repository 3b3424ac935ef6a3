"""Which values have rules in them, as states hold them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from secateur.lang.settled import Unlisted, settled
from secateur.maths.symbolic.numbers import Integers
from secateur.maths.values import FreeValue, SymbolicSet, Value
from tests.effort import fewer

RULE = Integers(0, None)


def _sets(elements: st.SearchStrategy[Value]) -> st.SearchStrategy[Value]:
    return st.lists(elements, max_size=3).map(frozenset)


NUMBERS = st.integers(0, 3)
SETS = st.one_of(st.frozensets(NUMBERS, max_size=2), st.just(RULE))
FREE = st.one_of(
    NUMBERS.map(lambda n: FreeValue(0, "number", n)), SETS.map(lambda s: FreeValue(1, "set", s))
)
VALUES = st.recursive(
    st.sampled_from([NUMBERS, SETS, FREE]),
    lambda types: st.one_of(types.map(_sets), st.tuples(types, types).map(lambda t: st.tuples(*t))),
    max_leaves=4,
).flatmap(lambda values: values)


def _has_rule(value: Value) -> bool:
    if isinstance(value, SymbolicSet):
        return True
    return isinstance(value, tuple | frozenset) and any(map(_has_rule, value))


@fewer(2)
@given(VALUES)
def test_a_value_with_a_rule_in_it_is_held_as_it_is_written(value: Value) -> None:
    assert isinstance(settled(value), Unlisted) is _has_rule(value)


@pytest.mark.parametrize("place", range(4))
def test_one_rule_is_found_wherever_it_is(place: int) -> None:
    sets = [RULE if n == place else frozenset({n}) for n in range(4)]
    pairs = frozenset(enumerate(sets))
    free = [FreeValue(1, "set", RULE) if n == place else FreeValue(0, "n", n) for n in range(4)]
    values: list[Value] = [frozenset(sets), pairs, frozenset({(0, pairs)}), frozenset(free)]
    values += [tuple(sets), frozenset({frozenset(sets[:place]), frozenset(sets)})]
    for value in values:
        assert isinstance(settled(value), Unlisted)
