"""Assignments: whole variables, parts of them, several at once, chosen values."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from secateur.maths.values import record
from secateur.system.system import Fault, Transition
from tests.unit.execute_machines import Outcome, initial, system_of


def relation(*pairs: tuple[Any, Any]) -> frozenset[Any]:
    return frozenset(pairs)


def test_skip_and_assignment(tmp_path: Path) -> None:
    assert Outcome(tmp_path, "skip").only("x", "y") == (0, 5)
    assert Outcome(tmp_path, "x := y + 1").only("x", "y") == (6, 5)


def test_right_sides_are_evaluated_before(tmp_path: Path) -> None:
    assert Outcome(tmp_path, "x, y := y, x").only("x", "y") == (5, 0)
    assert Outcome(tmp_path, "x := y || y := x").only("x", "y") == (5, 0)
    assert Outcome(tmp_path, "x := y ; y := x").only("x", "y") == (5, 5)


def test_a_function_is_changed_at_one_place(tmp_path: Path) -> None:
    assert Outcome(tmp_path, "f(1) := 3").only("f") == relation((1, 3), (2, 20))
    assert Outcome(tmp_path, "f(7) := 3").only("f") == relation((1, 10), (2, 20), (7, 3))
    swapped = Outcome(tmp_path, "f(1), f(2) := f(2), f(1)")
    assert swapped.only("f") == relation((1, 20), (2, 10))
    mixed = Outcome(tmp_path, "f(x + 1), x := f(2), 9")
    assert mixed.only("f", "x") == (relation((1, 20), (2, 20)), 9)


def test_records_are_changed_in_one_field(tmp_path: Path) -> None:
    changed = record({"a": 7, "g": relation((1, 2))})
    assert Outcome(tmp_path, "r'a := 7").only("r") == changed
    both = record({"a": 7, "g": relation((1, 2), (3, 4))})
    assert Outcome(tmp_path, "r'a, r'g(3) := 7, 4").only("r") == both
    assert Outcome(tmp_path, "r'g(3) := 4 ; r'a := 7").only("r") == both


def test_nested_targets(tmp_path: Path) -> None:
    system = """MACHINE N VARIABLES h INVARIANT h : 1..2 --> (1..2 --> 0..9)
    INITIALISATION h := {1 |-> {1 |-> 0, 2 |-> 0}, 2 |-> {1 |-> 5, 2 |-> 6}}
    OPERATIONS op = BEGIN h(1)(2) := h(2)(1) END; bad = BEGIN h(3)(1) := 1 END END"""
    nested = system_of(tmp_path, system)
    changed, fault = nested.successors(initial(nested))
    assert isinstance(changed, Transition)
    assert changed.target == (0, (_table((0, 5), (5, 6)),))
    assert isinstance(fault, Fault)
    assert "domain" in fault.message


def _table(*rows: tuple[int, int]) -> frozenset[Any]:
    return frozenset((i, frozenset(enumerate(row, 1))) for i, row in enumerate(rows, 1))


@pytest.mark.parametrize(
    ("substitution", "names", "expected"),
    [
        ("x :: 1..3", ("x",), [1, 2, 3]),
        ("x, y :: {1 |-> 2, 3 |-> 4}", ("x", "y"), [(1, 2), (3, 4)]),
        ("x :: {}", ("x",), []),
        ("x :: {y, y, 5}", ("x",), [5]),
        ("f(1) :: {y, x}", ("f",), None),
        ("x : (x > 3 & x < y)", ("x",), [4]),
        ("x : (x : x$0 .. y & x /= x$0)", ("x",), [1, 2, 3, 4, 5]),
        ("x, y : (x = y$0 & y = x$0)", ("x", "y"), [(5, 0)]),
        ("x : (x = x$0 + y & y = 5)", ("x",), [5]),
        ("x : (x : 1..3 & 1 = 2)", ("x",), []),
        ("x := 3 ; x : (x : {x$0, x$0 + 1})", ("x",), [3, 4]),
    ],
)
def test_chosen_values(
    tmp_path: Path, substitution: str, names: tuple[str, ...], expected: list[Any] | None
) -> None:
    outcome = Outcome(tmp_path, substitution)
    if expected is None:
        expected = [relation((1, 0), (2, 20)), relation((1, 5), (2, 20))]
        assert set(outcome.each(*names)) == set(expected)
    else:
        assert outcome.each(*names) == expected


def test_choices_that_are_the_same_are_one_transition(tmp_path: Path) -> None:
    assert len(Outcome(tmp_path, "ANY z WHERE z : 1..4 THEN x := z / 3 END").targets) == 2


def test_what_is_ill_defined_for_some_values_is_chosen_among_the_others(tmp_path: Path) -> None:
    for text in ("x : (x : 0..2 & 2 / x > 0)", "ANY z WHERE z : 0..2 & 2 / z > 0 THEN x := z END"):
        outcome = Outcome(tmp_path, text)
        assert outcome.faults == ["division by zero: 2 / 0"]
        assert sorted(target["x"] for target in outcome.targets) == [1, 2]


def test_unbounded_choices_are_gaps(tmp_path: Path) -> None:
    outcome = Outcome(tmp_path, "x :: NATURAL")
    assert outcome.gaps
    assert outcome.targets


@pytest.mark.parametrize(
    "substitution",
    ["x := f(7)", "x :: {1 / x}", "f(1 / x) := 3", "f(1) := f(3)", "x : (x = 1 / 0)"],
)
def test_ill_defined_assignments(tmp_path: Path, substitution: str) -> None:
    outcome = Outcome(tmp_path, substitution)
    assert len(outcome.faults) == 1
    assert not outcome.targets


@pytest.mark.parametrize(
    "initialisation",
    [
        "f(1) := 2",
        "r'a := 2",
        "x : (x = x$0)",
        "x : (x : 0..3 & x > x$0)",
        "x := y || y := 1",
        "skip",
    ],
)
def test_an_initialisation_that_uses_or_leaves_out_what_is_not_there(
    tmp_path: Path, initialisation: str
) -> None:
    name = initialisation[0] if initialisation != "skip" else "x"
    declared = {"f": "f : INTEGER <-> INTEGER", "r": "r : struct(a : INTEGER)"}
    typing = declared.get(name, "x : INTEGER")
    more = ", y" if "y" in initialisation else ""
    text = f"MACHINE I VARIABLES {name}{more} INVARIANT {typing} {'& y = 1' if more else ''}"
    (item,) = system_of(tmp_path, f"{text} INITIALISATION {initialisation} END").initial()
    assert isinstance(item, Fault)
    assert "assigned" in item.message or "not initialised" in item.message
