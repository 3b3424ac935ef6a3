"""Mistakes that must be reported, and must not hide what is beside them."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import secateur
from secateur.system.system import PropertyKind

Explore = Callable[..., secateur.Result]

HEAD = "MACHINE Nested VARIABLES x INVARIANT x : 0..3 INITIALISATION x := 0 OPERATIONS"


def faults(result: secateur.Result) -> list[str]:
    return [v.name for v in result.violations if v.kind is PropertyKind.WELL_DEFINEDNESS]


@pytest.mark.parametrize(
    "body",
    [
        "PRE p : 0..2 THEN PRE p > 0 THEN x := p END END",
        "SELECT p : 0..2 THEN PRE p > 0 THEN x := p END END",
        "PRE p : 0..2 THEN skip || PRE p > 0 THEN x := p END END",
    ],
)
def test_a_precondition_inside_is_no_guard(explore: Explore, body: str) -> None:
    result = explore(f"{HEAD} set(p) = {body} END")
    assert faults(result) == ["set"]
    assert (result.statistics.states, result.statistics.transitions) == (3, 7)


@pytest.mark.parametrize(
    "body",
    [
        "ANY q WHERE q : 0..2 THEN PRE q > 0 THEN x := q END END",
        "CHOICE PRE x > 5 THEN x := 3 END OR x := 1 OR x := 2 END",
        "SELECT 1 = 1 THEN PRE x > 5 THEN x := 3 END WHEN 1 = 1 THEN x := 1 WHEN x < 9 THEN x := 2 END",
    ],
)
def test_a_choice_that_fails_does_not_hide_the_others(explore: Explore, body: str) -> None:
    result = explore(f"{HEAD} set = {body} END")
    assert faults(result) == ["set"]
    assert result.statistics.states == 3


def test_ill_defined_properties_are_reported(explore: Explore) -> None:
    result = explore("MACHINE Ill CONSTANTS c PROPERTIES c : 1..2 & {1 |-> 5}(c) = 5 END")
    assert faults(result) == ["SETUP_CONSTANTS"]
    assert result.statistics.operations["SETUP_CONSTANTS"] == 1
