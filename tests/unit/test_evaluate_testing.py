"""Tests in the order that rejects soonest, and what bounds a universal quantifier."""

from __future__ import annotations

from typing import Any

import pytest

from secateur.maths.evaluate.testing import ENOUGH, Condition, conjunction, tolerant
from secateur.maths.values import IllDefined
from tests.unit.test_evaluate_values import value


def test_what_rejects_is_asked_first() -> None:
    asked: list[str] = []

    def named(name: str, holds: Any) -> Any:
        def code(env: Any) -> bool:
            asked.append(name)
            return bool(holds(env[0]))

        return code

    odd = named("odd", lambda n: n % 2 == 1)
    both = conjunction([Condition(named("any", lambda n: True)), Condition(odd, tolerant(odd))])
    assert both is not None
    for _ in range(ENOUGH):
        assert not both([2])
    asked.clear()
    assert not both([2])
    assert asked == ["odd"]
    assert both([3])


def test_what_has_no_value_is_asked_again_in_its_turn() -> None:
    def whole(env: Any) -> bool:
        if env[0] == 0:
            raise IllDefined("no value")
        return bool(env[0] == 7)

    both = conjunction([Condition(lambda env: env[0] < 9), Condition(whole, tolerant(whole))])
    assert both is not None
    for _ in range(ENOUGH):
        assert not both([2])
    with pytest.raises(IllDefined):
        both([0])
    assert not both([10])
    assert both([7])


@pytest.mark.parametrize(
    ("formula", "truth"),
    [
        ("!x.(x : INTEGER => (x : 1..50000 => x > 0) or x = -1)", True),
        ("!x.(x : INTEGER => x /: 1..50000 or x < 50000)", False),
        ("!x.(x : INTEGER => not(x : 1..5 & x > 5))", True),
        ("!x.(x : 0..5 => x = 0 or 10 / x >= 2)", True),
        ("!x.(x : 0..5 => 10 / x >= 2 or x = 0)", None),
        ("#x.(x : INTEGER & (x : 2..5 & x mod 2 = 0 => !t.(t : INTEGER => t : 2..4)))", True),
        ("#x.(x : INTEGER & x * x = 49 & x > 0)", True),
        ("#x.(x : INTEGER & x > 3 & x < 4)", False),
        ("#(x, y).(x : INTEGER & y : INTEGER & x + y = 0)", True),
    ],
)
def test_quantifiers_without_a_bound(formula: str, truth: bool | None) -> None:
    assert value(formula) is truth


@pytest.mark.parametrize(
    ("formula", "truth"),
    [
        ("{-1, 0, 5} <: NATURAL", False),
        ("{0, 5} <: NATURAL", True),
        ("{0, 5} <: NATURAL1", False),
        ("{} <: NATURAL1", True),
        ("{1, 999} <: 1..1000", True),
        ("{1, 1001} <: 1..1000", False),
        ("{{1}, {}, {2, -3}} <: POW(NATURAL)", False),
        ("{1 |-> 0, 2 |-> 5} : NATURAL1 +-> NATURAL", True),
        ("{1 |-> 0, 2 |-> -5} : NATURAL1 +-> NATURAL", False),
        ("{1 |-> 0, 0 |-> 5} : NATURAL1 +-> NATURAL", False),
        ("[3, 4] : seq(NATURAL1) & [0] /: seq(NATURAL1)", True),
        ('{"a", "b"} <: STRING', True),
    ],
)
def test_all_of_a_set_in_an_infinite_one(formula: str, truth: bool) -> None:
    assert value(formula) is truth
