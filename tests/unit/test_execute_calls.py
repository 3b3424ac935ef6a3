"""Calls of operations: arguments, results, preconditions, calls within calls."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from secateur.system.system import Fault, Transition
from tests.unit.execute_machines import initial, system_of

CALLEE = """MACHINE Callee VARIABLES v INVARIANT v : 0..100 INITIALISATION v := 7
OPERATIONS
  set(p) = PRE p : 0..100 & p < 50 THEN v := p END;
  q, d <-- divide(p, by) = PRE p : 0..100 & by : 1..9 & q : 0..100 THEN
      q := p / by || d := p mod by END;
  n <-- some = n :: {v, v + 1};
  m <-- maybe = SELECT v > 90 THEN m := v END;
  k <-- lazy = IF v > 90 THEN k := 1 ELSE skip END;
  bump = v := v + 1
END"""


def outcomes(folder: Path, substitution: str) -> tuple[list[Any], list[str]]:
    """Return the values (a, b, v) that `substitution` leads to from (1, 2, 7), and faults."""
    caller = f"""MACHINE Caller INCLUDES Callee PROMOTES bump VARIABLES a, b, f
    INVARIANT a : INTEGER & b : INTEGER & f : INTEGER +-> INTEGER
    INITIALISATION a := 1 || b := 2 || f := {{1 |-> 5}}
    OPERATIONS op = BEGIN {substitution} END END"""
    system = system_of(folder, CALLEE, caller)
    items = [i for i in system.successors(initial(system)) if _is_about(i, "op")]
    found = [dict(system.values(i.target)) for i in items if isinstance(i, Transition)]
    faults = [i.message for i in items if isinstance(i, Fault)]
    return sorted((t["a"], t["b"], t["v"]) for t in found), faults


def _is_about(item: object, operation: str) -> bool:
    if isinstance(item, Transition):
        return item.step.operation == operation
    return isinstance(item, Fault) and item.where == operation


@pytest.mark.parametrize(
    ("substitution", "expected"),
    [
        ("set(a + b)", [(1, 2, 3)]),
        ("a, b <-- divide(17, 5)", [(3, 2, 7)]),
        ("b, a <-- divide(17, 5)", [(2, 3, 7)]),
        ("a <-- some", [(7, 2, 7), (8, 2, 7)]),
        ("a <-- some || b := a", [(7, 1, 7), (8, 1, 7)]),
        ("a <-- some ; set(a)", [(7, 2, 7), (8, 2, 8)]),
        ("set(20) ; a <-- some", [(20, 2, 20), (21, 2, 20)]),
        ("set(20) ; bump ; bump", [(1, 2, 22)]),
        ("a <-- maybe", []),
        ("CHOICE a <-- maybe OR bump END", [(1, 2, 8)]),
        ("a, b <-- divide(17, 5) ; a, b <-- divide(a, b)", [(1, 1, 7)]),
        ("VAR p IN p := 30 ; set(p) ; a := p END", [(30, 2, 30)]),
        ("ANY p WHERE p : 3..4 THEN set(p) END", [(1, 2, 3), (1, 2, 4)]),
    ],
)
def test_calls(tmp_path: Path, substitution: str, expected: list[Any]) -> None:
    assert outcomes(tmp_path, substitution) == (expected, [])


@pytest.mark.parametrize(
    ("substitution", "message"),
    [
        ("set(60)", "precondition violated"),
        ("a, b <-- divide(1, 0)", "precondition violated"),
        ("a <-- lazy", "returns without having assigned its result"),
        ("set(1 / 0)", "division by zero"),
        ("bump ; set(10 * a) ; set(100 * a)", "precondition violated"),
    ],
)
def test_calls_that_fail(tmp_path: Path, substitution: str, message: str) -> None:
    found, faults = outcomes(tmp_path, substitution)
    assert not found
    assert len(faults) == 1
    assert message in faults[0]


def test_a_result_goes_into_a_part_of_a_variable(tmp_path: Path) -> None:
    assert outcomes(tmp_path, "f(1), b <-- divide(17, 5) ; a := f(1)") == ([(3, 2, 7)], [])


def test_calls_within_calls(tmp_path: Path) -> None:
    middle = """MACHINE Middle INCLUDES Callee
    OPERATIONS r <-- twice(p) = PRE p : 0..100 THEN VAR q IN
        set(p) ; q <-- some ; set(q + 1) ; r <-- some END END END"""
    top = """MACHINE Top INCLUDES Middle VARIABLES a INVARIANT a : INTEGER INITIALISATION a := 0
    OPERATIONS op(q) = PRE q : {10, 60} THEN a <-- twice(q) END END"""
    system = system_of(tmp_path, CALLEE, middle, top)
    items = list(system.successors(initial(system)))
    found = {dict(system.values(i.target))["a"] for i in items if isinstance(i, Transition)}
    assert found == {11, 12, 13}
    assert [i.message for i in items if isinstance(i, Fault)] == ["precondition violated"]


def test_results_of_operations_are_part_of_the_step(tmp_path: Path) -> None:
    system = system_of(tmp_path, CALLEE)
    steps = [i.step for i in system.successors(initial(system)) if isinstance(i, Transition)]
    assert {s.results for s in steps if s.operation == "some"} == {(("n", 7),), (("n", 8),)}
    divided = [s for s in steps if s.operation == "divide"]
    assert len(divided) == 101 * 9
    assert all(
        dict(s.results)["q"] == dict(s.arguments)["p"] // dict(s.arguments)["by"] for s in divided
    )
