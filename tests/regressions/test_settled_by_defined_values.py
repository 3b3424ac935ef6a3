"""A quantifier is settled by values for which it is defined, in whatever order they come.

`#x.(x : {8, 1} & 10 / (x - 8) < 0)` was true for the native engine, which goes through numbers in
their order, and ill-defined for the evaluator, which meets 8 first.  As a guard, that was an
internal error.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import secateur

MODEL = """
MACHINE Settled
VARIABLES s, f, q, n
INVARIANT s <: 0..8 & f : 0..8 +-> 0..8 & q : seq(0..8) & size(q) <= 3 & n : 0..8 {invariant}
INITIALISATION s := {{8, 1}} || f := {{1 |-> 2}} || q := [3] || n := 0
OPERATIONS
  go = SELECT {guard} THEN n := 1 END;
  on = skip
END
"""
SETTLED = {
    "#x.(x : s & 10 / (x - 8) < 0)": True,
    "!x.(x : s => 10 / (x - 8) > 0)": False,
    "#(x, y).(x : s & y : s & 10 / (x - y) > 0)": True,
    "#x.(x : s & #y.(y : s & 10 / (y - x) > 0 & f(x) = 2))": True,
    "!x.(x : s => f(x) = 3 & 10 / (x - 8) < 0)": False,
    "!x.((x : s => f(x) = 2) & (x : s => x /= 8))": False,
    "#x.(x : s & f(x) = 2 & x < 8 & f(x) > 5)": False,
    "!x.(x : s & f(x) = 2 & x < 8 => x = 1)": True,
    "{x | x : s & f(x) = 2 & x < 8} = {1}": True,
    "SIGMA(x).(x : s & f(x) = 2 & x < 8 | f(x)) = 2": True,
    "#x.(x : {y | y : s & f(y) = 2 & y /= 8})": True,
    "#x.(f(x) = 2 & x : s & x /= 8)": True,
}
ILL_DEFINED = {
    "#x.(x : s & 10 / (x - 8) > 0)": "10 / (x - 8)",
    "!x.(x : s => 10 / (x - 8) < 0)": "10 / (x - 8)",
    "!x.(x : s => 10 / (x - 8) < 0 or x = 8)": "10 / (x - 8)",
    "!x.(x : s & f(x) = 2 => x < 9)": "f(x)",
    "#x.(x : s & x : f[{f(8)}])": "f(8)",
    "#x.(x : {y | y : s & f(y) = 2} & x < 2)": "f(y)",
    "{x | x : s & f(x) = 2} = {1}": "f(x)",
    "!x.(x : 0..2 & f(3) = 0 => x >= n)": "f(3)",
    "!x.(x : 0..2 => (f(3) = 0 => x >= n))": "f(3)",
    "!x.(x : 0..2 & n + f(3) = 0 => x >= n)": "f(3)",
    "!x.(x : 0..2 => f(x) = 3 or x /= 1 or n <= 1)": "f(x)",
    "q(0) = 3": "q(0)",
    "q(9) = 3": "q(9)",
}


def _check(
    folder: Path, *, native: bool, guard: str = "n = 0", invariant: str = ""
) -> secateur.Result:
    file = folder / "Settled.mch"
    invariant = f"& ({invariant})" if invariant else ""
    file.write_text(MODEL.format(guard=guard, invariant=invariant), encoding="utf-8")
    return secateur.load(file).check(all=True, native=native, por="none")


def _told(result: secateur.Result) -> list[tuple[str, str | None]]:
    return [(v.kind.value, v.span.text if v.span else None) for v in result.violations]


@pytest.mark.parametrize("native", [False, True])
@pytest.mark.parametrize(("formula", "truth"), SETTLED.items())
def test_it_is_settled(tmp_path: Path, formula: str, truth: bool, native: bool) -> None:
    result = _check(tmp_path, invariant=formula, native=native)
    assert _told(result) == ([] if truth else [("invariant", formula)])
    guarded = _check(tmp_path, guard=formula, native=native)
    assert _told(guarded) == []
    assert guarded.statistics.states == (2 if truth else 1)


@pytest.mark.parametrize("native", [False, True])
@pytest.mark.parametrize(("formula", "place"), ILL_DEFINED.items())
def test_nothing_settles_it(tmp_path: Path, formula: str, place: str, native: bool) -> None:
    result = _check(tmp_path, invariant=formula, native=native)
    assert _told(result) == [("welldefinedness", place)]
    guarded = _check(tmp_path, guard=formula, native=native)
    assert _told(guarded) == [("welldefinedness", place)]
    assert guarded.statistics.states == 1


@pytest.mark.parametrize("native", [False, True])
def test_parameters_for_which_another_conjunct_is_false_are_not_told(
    tmp_path: Path, native: bool
) -> None:
    file = tmp_path / "Settled.mch"
    text = MODEL.format(guard="n = 0", invariant="")
    operation = "put(x) = PRE x : 0..3 & f(x) : s & x : ran(%y.(y : s & y > 8 | y)) THEN n := x END"
    file.write_text(text.replace("on = skip", f"on = skip; {operation}"), encoding="utf-8")
    assert _told(secateur.load(file).check(all=True, native=native, por="none")) == []


@pytest.mark.parametrize("native", [False, True])
def test_an_item_that_no_sequence_has_is_no_internal_error_where_it_is_assigned(
    tmp_path: Path, native: bool
) -> None:
    file = tmp_path / "Settled.mch"
    text = MODEL.format(guard="n = 0", invariant="")
    file.write_text(text.replace("on = skip", "on = BEGIN q(0) := 1 END"), encoding="utf-8")
    result = secateur.load(file).check(all=True, native=native, por="none")
    assert {v.kind.value for v in result.violations} == {"invariant", "welldefinedness"}


@pytest.mark.parametrize("native", [False, True])
def test_a_set_that_turns_out_to_be_large_is_not_passed_over(tmp_path: Path, native: bool) -> None:
    """The evaluator meets what is ill-defined before it gives up; the code gave up at once."""
    file = tmp_path / "Large.mch"
    file.write_text(
        "MACHINE Large VARIABLES n, s"
        " INVARIANT n : 0..400000 & s <: 0..3 & s <: {x | x : 0..n & 10 / (x - 5) < 100}"
        " INITIALISATION n := 0 || s := {}"
        " OPERATIONS go = SELECT n = 0 THEN n := 399999 END; back = SELECT n > 0 THEN n := 0 END END",
        encoding="utf-8",
    )
    result = secateur.load(file).check(all=True, native=native, por="none")
    assert [(v.kind.value, v.count) for v in result.violations] == [("welldefinedness", 1)]
