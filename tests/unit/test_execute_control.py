"""Conditions, choices, local variables, composition: which outcomes there are, which faults."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import secateur
from tests.unit.execute_machines import Outcome


@pytest.mark.parametrize(
    ("substitution", "expected"),
    [
        ("IF x = 0 THEN x := 1 END", [1]),
        ("IF x = 1 THEN x := 1 END", [0]),
        ("IF x = 1 THEN x := 7 ELSIF y = 5 THEN x := 8 ELSE x := 9 END", [8]),
        ("IF x = 1 THEN x := 7 ELSIF y = 6 THEN x := 8 ELSE x := 9 END", [9]),
        ("IF x = 0 THEN x :: {1, 2} ELSE x := 9 END", [1, 2]),
        ("IF x = 0 or 1 / x = 1 THEN x := 4 END", [4]),
        ("SELECT x = 0 THEN x := 1 END", [1]),
        ("SELECT x = 1 THEN x := 1 END", []),
        ("SELECT x = 0 THEN x := 1 WHEN y = 5 THEN x := 2 WHEN y = 6 THEN x := 3 END", [1, 2]),
        ("SELECT x = 0 THEN x := 1 ELSE x := 2 END", [1]),
        ("SELECT x = 1 THEN x := 1 ELSE x := 2 END", [2]),
        ("SELECT x = 1 THEN x := 1 WHEN x = 2 THEN x := 2 ELSE x :: 3..4 END", [3, 4]),
        ("CASE y OF EITHER 4, 5 THEN x := 1 OR 6 THEN x := 2 ELSE x := 3 END END", [1]),
        ("CASE y OF EITHER 4 THEN x := 1 OR 6 THEN x := 2 ELSE x := 3 END END", [3]),
        ("CASE y OF EITHER 4 THEN x := 1 OR 6 THEN x := 2 END END", [0]),
        ("CASE y OF EITHER 5 THEN x :: {1, 2} OR 6 THEN x := 2 END END", [1, 2]),
        ("CHOICE x := 1 OR x := 2 OR skip END", [0, 1, 2]),
        ("CHOICE x := 1 OR SELECT 1 = 2 THEN x := 9 END END", [1]),
        ("ANY z WHERE z : 1..3 & z /= 2 THEN x := z END", [1, 3]),
        ("ANY z WHERE z : 1..3 & z > 5 THEN x := z END", []),
        ("ANY z, w WHERE z |-> w : f THEN x := z + w END", [11, 22]),
        ("ANY z WHERE z : 1..2 THEN x :: {z, 7} END", [1, 2, 7]),
        ("ANY x WHERE x = 3 THEN f := {x |-> x} END", [0]),
        ("LET z, w BE z = y & w = 2 IN x := z * w END", [10]),
        ("LET z BE z = y IN LET w BE w = z + 1 IN x := w END END", [6]),
        ("PRE x = 0 THEN x := 1 END", [1]),
        ("ASSERT x = 0 THEN x := 1 END", [1]),
        ("ASSERT x = 0 THEN x :: {1, 2} END", [1, 2]),
    ],
)
def test_conditions_and_choices(tmp_path: Path, substitution: str, expected: list[int]) -> None:
    assert Outcome(tmp_path, f"skip ; {substitution}").each("x") == expected
    assert Outcome(tmp_path, f"{substitution} || y := y").each("x") == expected


@pytest.mark.parametrize(
    ("substitution", "message", "others"),
    [
        ("skip || PRE x = 1 THEN x := 1 END", "precondition violated", []),
        ("skip ; PRE x = 1 THEN x :: 1..2 END", "precondition violated", []),
        ("ASSERT x = 1 THEN x := 1 END", "assertion violated", []),
        ("ASSERT x = 1 THEN x :: {1, 2} END", "assertion violated", []),
        ("IF 1 / x = 1 THEN x := 1 END", "division by zero", []),
        ("SELECT 1 / x = 1 THEN x := 1 WHEN x = 0 THEN x := 2 END", "division by zero", []),
        ("CASE 1 / x OF EITHER 1 THEN x := 1 OR 2 THEN x := 2 END END", "division by zero", []),
        ("CHOICE x := 1 / x OR x := 2 END", "division by zero", [2]),
        ("ANY z WHERE z : 0..2 THEN x := 2 / z END", "division by zero", [1, 2]),
        ("ANY z WHERE z : 0..2 THEN x :: {2 / z} END", "division by zero", [1, 2]),
        ("LET z BE z = 1 / x IN x := z END", "division by zero", []),
        ("VAR z IN x := z END", "z is read before it is assigned", []),
        ("VAR z IN IF x = 1 THEN z := 2 END ; x := z END", "z is read before it is assigned", []),
        ("VAR z IN z(1) := 2 ; x := z(1) END", "a part of z is assigned before z is", []),
    ],
)
def test_faults(tmp_path: Path, substitution: str, message: str, others: list[int]) -> None:
    outcome = Outcome(tmp_path, substitution)
    assert len(outcome.faults) == 1
    assert message in outcome.faults[0]
    assert sorted(target["x"] for target in outcome.targets) == others


@pytest.mark.parametrize(
    "substitution", ["x := 1 || x := 2", "f(1) := 3 || f(2) := 4", "x, x := 1, 1"]
)
def test_one_variable_is_not_written_twice_at_once(tmp_path: Path, substitution: str) -> None:
    with pytest.raises(secateur.InputError):
        Outcome(tmp_path, substitution)


@pytest.mark.parametrize(
    ("substitution", "expected"),
    [
        ("VAR z IN z := 3 ; x := z + 1 END", (4, 5)),
        ("VAR x IN x := 3 ; y := x END", (0, 3)),
        ("VAR z IN z := 1 ; VAR z IN z := 2 ; y := z END ; x := z END", (1, 2)),
        ("x := 1 ; y := x + 1 ; x := y + 1", (3, 2)),
        ("BEGIN x := 1 ; y := x END || f := {}", (1, 1)),
        ("VAR z IN z := x ; x := y ; y := z END", (5, 0)),
    ],
)
def test_local_variables_and_sequences(
    tmp_path: Path, substitution: str, expected: tuple[int, int]
) -> None:
    assert Outcome(tmp_path, substitution).only("x", "y") == expected


@pytest.mark.parametrize(
    ("substitution", "expected"),
    [
        ("x :: 1..2 ; y := x * x", [(1, 1), (2, 4)]),
        ("x :: 1..2 || y :: 3..4", [(1, 3), (1, 4), (2, 3), (2, 4)]),
        ("CHOICE x := 1 OR x := 2 END ; SELECT x = 2 THEN y := x END", [(2, 2)]),
        ("x :: 1..2 || SELECT x = 1 THEN y := 1 END", []),
        ("SELECT x = 1 THEN y := 1 END ; x := 1 / 0", []),
        (
            "ANY z WHERE z : 1..2 THEN x := z ; y :: {z, x + 1} END",
            [(1, 1), (1, 2), (2, 2), (2, 3)],
        ),
        ("VAR z IN z :: 1..2 ; x := z ; z := 9 ; y := z END", [(1, 9), (2, 9)]),
        ("IF x = 0 THEN x :: 1..2 END ; IF x = 2 THEN y := 0 END", [(1, 5), (2, 0)]),
    ],
)
def test_nondeterministic_composition(
    tmp_path: Path, substitution: str, expected: list[Any]
) -> None:
    assert Outcome(tmp_path, substitution).each("x", "y") == expected


# -- loops -----------------------------------------------------------------------------------


def loop(
    condition: str, body: str, invariant: str = "x : INTEGER", variant: str = "100 - x"
) -> str:
    return f"WHILE {condition} DO {body} INVARIANT {invariant} VARIANT {variant} END"


@pytest.mark.parametrize(
    ("substitution", "expected"),
    [
        (loop("x < 3", "x := x + 1"), [(3, 5)]),
        (loop("x > 3", "x := x + 1"), [(0, 5)]),
        (loop("x < 3", "x := x + 1 ; y := y + x"), [(3, 11)]),
        (loop("x < 3", "x :: {x + 1, x + 2}"), [(3, 5), (4, 5)]),
        (loop("x < 2", "x := x + 1 || y :: {y, x}"), [(2, 0), (2, 1), (2, 5)]),
        (loop("x < 3", "x := x + 1", "y = y$0 & x >= x$0"), [(3, 5)]),
        ("x := 2 ; " + loop("x < 4", "x := x + 1", "x$0 = 2"), [(4, 5)]),
        ("x := 2 ; " + loop("x < 4", "x :: {x + 1}", "x$0 = 2"), [(4, 5)]),
        (loop("x < 3", "SELECT x < 2 THEN x := x + 1 END"), []),
        (loop("x < 3", "x :: {x + 1, x + 2} ; SELECT x /= 2 THEN skip END"), [(3, 5)]),
        (
            loop(
                "x < 2",
                f"x := x + 1 ; VAR i IN i := 0 ; {loop('i < x', 'i := i + 1 ; y := y + 1', 'i >= 0', 'x - i')} END",
            ),
            [(2, 8)],
        ),
        (
            "VAR i IN i := 3 ; "
            + loop("i > 0", "i := i - 1 ; x := x + 2", "i$0 = 3", "i")
            + " END",
            [(6, 5)],
        ),
    ],
)
def test_loops(tmp_path: Path, substitution: str, expected: list[Any]) -> None:
    assert Outcome(tmp_path, substitution).each("x", "y") == expected


@pytest.mark.parametrize(
    ("substitution", "message"),
    [
        (loop("x < 3", "x := x + 1", "x < 2"), "loop invariant violated"),
        (loop("x < 3", "x :: {x + 1}", "x < 2"), "loop invariant violated"),
        (loop("x < 3", "x := x + 1", "x < 3"), "at the end of the loop"),
        (loop("x < 3", "x :: {x + 1}", "x < 3"), "at the end of the loop"),
        (loop("x < 3", "x := x + 1", variant="1 - x"), "below zero"),
        (loop("x < 3", "x := x + 1", variant="5"), "does not decrease: 5, then 5"),
        (loop("x < 3", "x :: {x + 1}", variant="x"), "does not decrease: 0, then 1"),
        (loop("x < 3", "x := x + 1", "x = x$0"), "loop invariant violated"),
        (loop("1 / x = 1", "x := x + 1"), "division by zero"),
        (loop("x < 3", "x := x + 1", "1 / x = 1"), "division by zero"),
        (loop("x < 3", "x := x + 1", variant="1 / x"), "division by zero"),
        ("VAR v IN " + loop("x < 3", "x := x + 1", "v$0 = 1") + " END", "read before"),
    ],
)
def test_loops_that_break_their_word(tmp_path: Path, substitution: str, message: str) -> None:
    outcome = Outcome(tmp_path, substitution)
    assert len(outcome.faults) == 1
    assert message in outcome.faults[0]
    assert not outcome.targets


def test_sets_that_a_loop_only_adds_to(tmp_path: Path) -> None:
    inner = loop("y < 2", "y := y + 1 ; f := f \\/ {y |-> x}", variant="2 - y")
    body = f"x := x + 1 ; y := 0 ; f := f \\/ {{x |-> 0, 9 |-> x}} ; {inner}"
    found = Outcome(tmp_path, loop("x < 3", body, variant="3 - x")).only("f")
    expected = {(1, 10), (2, 20)} | {(x, 0) for x in (1, 2, 3)} | {(9, x) for x in (1, 2, 3)}
    assert found == expected | {(y, x) for y in (1, 2) for x in (1, 2, 3)}
    assert isinstance(found, frozenset)


def test_a_set_that_a_loop_looks_at_is_there(tmp_path: Path) -> None:
    body = "f := f \\/ {x |-> card(f)} ; x := x + 1"
    found = Outcome(tmp_path, loop("x < 3", body, variant="3 - x")).only("f")
    assert found == {(1, 10), (2, 20), (0, 2), (1, 3), (2, 4)}
