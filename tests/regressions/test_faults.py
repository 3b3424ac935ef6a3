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


def test_two_values_for_one_element_are_reported_with_their_place(explore: Explore) -> None:
    result = explore(
        "MACHINE Twice VARIABLES f INVARIANT f : 1..2 --> 0..9 INITIALISATION f := {1 |-> 0, 2 |-> 0} "
        "OPERATIONS bad = BEGIN f(1), f(1) := 1, 2 END; good = BEGIN f(2), f(2) := 3, 3 END END"
    )
    (violation,) = result.violations
    assert violation.name == "bad"
    assert violation.span is not None
    assert violation.span.text == "f(1)"


def test_every_place_at_fault_is_reported(explore: Explore) -> None:
    result = explore(
        f"{HEAD} set(p) = PRE p : 0..2 & 6 / p > 1 THEN x := 6 / (p - 1) mod 3 END END"
    )
    places = [v.span.text for v in result.violations if v.span is not None]
    assert places == ["6 / p", "6 / (p - 1)"]
