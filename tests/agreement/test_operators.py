"""Every operator agrees with its definition, on random small operands."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from secateur.maths.operators.protocol import Operator, Settings
from secateur.maths.operators.registry import OPERATORS
from secateur.maths.types import Power
from secateur.maths.values import IllDefined, SymbolicSet, order_key
from tests.agreement.operator_oracles import CONSTANTS, SPACES, VALUES, subsets
from tests.agreement.operator_values import meanings, operands, signature_of, values

RESOLVED = tuple(m for operator in OPERATORS for m in meanings(operator))
NAMED = {operator.name: operator for operator in RESOLVED}

UNDEFINED = object()


def test_every_operator_has_an_oracle() -> None:
    assert set(NAMED) == {*VALUES, *SPACES, *CONSTANTS}


def test_names_are_unique() -> None:
    assert len(NAMED) == len(RESOLVED)


@pytest.mark.parametrize("operator", OPERATORS, ids=str)
def test_overloads_are_written_alike(operator: Operator) -> None:
    for meaning in operator.overloads:
        assert meaning.spellings == operator.spellings
        assert meaning.fixity is operator.fixity
        assert meaning.priority == operator.priority
        assert meaning.right_associative == operator.right_associative


def _value(function: Any, *args: Any) -> Any:
    try:
        result = function(*args)
    except IllDefined:
        return UNDEFINED
    return result.expand() if isinstance(result, SymbolicSet) else result


@pytest.mark.parametrize("name", VALUES)
def test_value(name: str) -> None:
    operator = NAMED[name]
    seen = []

    @given(operands(operator))
    def check(args: tuple[Any, ...]) -> None:
        expected = _value(VALUES[name], *args)
        assert _value(operator.apply, *args) == expected
        seen.append(expected is UNDEFINED)

    check()
    assert any(seen) <= operator.partial, "an operator that can be ill-defined must say so"
    assert not all(seen), "the operator was never defined"


@pytest.mark.parametrize("name", SPACES)
def test_space(name: str) -> None:
    operator = NAMED[name]
    result = signature_of(operator).result
    assert isinstance(result, Power)

    @given(operands(operator), values(result.element))
    def check(args: tuple[Any, ...], candidate: Any) -> None:
        assert operator.apply is not None
        assert (candidate in operator.apply(*args)) == SPACES[name](*args)(candidate)

    check()


@pytest.mark.parametrize("name", [n for n in SPACES if len(signature_of(NAMED[n]).operands) == 2])
def test_function_space_is_listed_in_full_and_in_order(name: str) -> None:
    @given(
        st.frozensets(st.integers(0, 2), max_size=3), st.frozensets(st.integers(0, 1), max_size=2)
    )
    def check(a: frozenset[int], b: frozenset[int]) -> None:
        space = NAMED[name].apply(a, b)  # type: ignore[misc]
        expected = [r for r in subsets(frozenset(product(a, b))) if SPACES[name](a, b)(r)]
        assert list(space) == sorted(expected, key=order_key)
        assert space.size() == len(expected)
        assert space.is_empty() == (not expected)
        assert space == frozenset(expected)

    check()


@pytest.mark.parametrize("name", CONSTANTS)
def test_constant(name: str) -> None:
    operator = NAMED[name]
    type_ = signature_of(operator).result

    @given(st.integers(-4, 0), st.integers(0, 4), st.data())
    def check(low: int, high: int, data: st.DataObject) -> None:
        assert operator.constant is not None
        found = operator.constant(Settings(maxint=high, minint=low))
        expected = CONSTANTS[name](low, high)
        if callable(expected):
            assert isinstance(type_, Power)
            candidate = data.draw(values(type_.element))
            assert (candidate in found) == expected(candidate)
        else:
            assert found == expected

    check()
