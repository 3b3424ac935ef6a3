"""Changing one value of a large function, against the definition."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from secateur.maths.function_tables import function_table, indexed, overridden
from secateur.maths.values import IllDefined, Value


def _by_definition(relation: frozenset[Value], key: Value, value: Value) -> frozenset[Value]:
    return frozenset((x, y) for x, y in relation if x != key) | {(key, value)}


@given(
    st.lists(st.tuples(st.integers(-2, 400), st.integers(0, 3)), max_size=8),
    st.integers(0, 300),
    st.booleans(),
)
def test_one_change_after_another(
    changes: list[tuple[int, int]], size: int, is_function: bool
) -> None:
    pairs = {(x, x % 3) for x in range(size)}
    relation = frozenset(pairs if is_function else pairs | {(0, 7), (5, 7)})
    expected = relation
    for key, value in changes:
        relation = overridden(relation, key, value)
        expected = _by_definition(expected, key, value)
        assert relation == expected
        known = indexed.get(id(relation))
        assert known is None or known == (relation, dict(expected))


def test_pairs_as_arguments_and_sets_as_arguments() -> None:
    by_pairs = frozenset(((x, y), x + y) for x in range(20) for y in range(20))
    assert overridden(by_pairs, (3, 4), 0) == _by_definition(by_pairs, (3, 4), 0)
    by_sets = frozenset((frozenset({x}), x) for x in range(400))
    assert overridden(by_sets, frozenset({7}), 0) == _by_definition(by_sets, frozenset({7}), 0)


def test_what_is_no_function_is_not_taken_for_one() -> None:
    relation = frozenset((x // 2, x) for x in range(800))
    changed = overridden(relation, 5, 1)
    assert changed == _by_definition(relation, 5, 1)
    with pytest.raises(IllDefined):
        function_table(changed)
