"""What has changed between two values, told in few words."""

from __future__ import annotations

from typing import Any

import pytest

from secateur.maths.difference import show_difference
from secateur.maths.values import record


def _function(**pairs: Any) -> frozenset[Any]:
    return frozenset(pairs.items())


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        (1, 2, ["x: 1 -> 2"]),
        (True, False, ["x: TRUE -> FALSE"]),
        (frozenset({1, 2, 3}), frozenset({2, 3, 4}), ["x: +4 -1"]),
        (frozenset(), frozenset({7}), ["x: +7"]),
        (_function(a=1, b=2), _function(a=1, b=3), ['x("b"): 2 -> 3']),
        (_function(a=1), _function(a=1, b=3), ['x: +("b"|->3)']),
        (_function(a=1, b=2), _function(a=5), ['x("a"): 1 -> 5', 'x: -("b"|->2)']),
        (record({"a": 1, "b": 2}), record({"a": 1, "b": 4}), ["x'b: 2 -> 4"]),
        (
            frozenset({(1, record({"a": frozenset({1})}))}),
            frozenset({(1, record({"a": frozenset({1, 2})}))}),
            ["x: [rec(a:{1})] -> [rec(a:{1,2})]"],
        ),
        (
            _function(k=record({"deep": frozenset({1, 2, 3, 4, 5, 6})})),
            _function(k=record({"deep": frozenset({1, 2, 3, 4, 5, 7})})),
            ['x("k")\'deep: +7 -6'],
        ),
        (frozenset({(1, 5)}), frozenset({(1, 5), (2, 6)}), ["x: [5] -> [5,6]"]),
        # a relation that is no function
        (frozenset({(1, 1), (1, 2)}), frozenset({(1, 1), (1, 3)}), ["x: +(1|->3) -(1|->2)"]),
    ],
)
def test_what_is_told(old: Any, new: Any, told: list[str]) -> None:
    assert show_difference("x", old, new) == told


def test_where_all_is_different_the_new_value_is_told() -> None:
    old, new = frozenset(range(100, 200)), frozenset(range(300, 400))
    (text,) = show_difference("x", old, new)
    assert text.startswith("x = {300,301")


def test_many_changes_are_not_told_one_by_one() -> None:
    old = frozenset((f"key{i}", 0) for i in range(50))
    new = frozenset((f"key{i}", 1) for i in range(50))
    (text,) = show_difference("x", old, new)
    assert text.startswith("x = {")
