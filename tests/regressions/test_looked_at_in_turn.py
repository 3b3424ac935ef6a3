"""What may not be looked at before something ill-defined does not say which values there are.

The parts of a conclusion are looked at from left to right, as are those of an alternative; where they
served to find values, those for which an earlier part is ill-defined were never met.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import secateur

MODEL = """
MACHINE InTurn
VARIABLES s, f, n
INVARIANT s <: 0..8 & f : 0..8 +-> 0..8 & n : 0..8 & ({formula})
INITIALISATION s := {{8, 1}} || f := {{1 |-> 2}} || n := 0
END
"""
ILL_DEFINED = {
    "!x.(10 / (x - 2) > -100 or not(x : s))": "10 / (x - 2)",
    "!x.(x > 0 => (10 / (x - 2) > -100 or x /: s))": "10 / (x - 2)",
    "!x.(not(x = f(n) & x < 9) or n /= 2)": "f(n)",
    "!(x, y).(y : s & x = f(n) => (y : s => y : s))": "f(n)",
    "!x.(x = f(n) or x : s => n = 0)": "f(n)",
    "!x.(not(f(x) = 3) or x < 0)": "f(x)",
    "#x.(x = f(n) or x : s)": "f(n)",
    "not(#x.(x > 0 & x : (s - (0..8)) - {f(n)}))": "f(n)",
    "not(#x.(n = 0 => f(x) = 7 & x = 1))": "f(x)",
}
DEFINED = {
    "{x | #(y, z).(y : s & z : s & x = y & 10 / (z - 8) < 0)} = s": "z = 1 settles it for each x",
    "!x.(x /: s or x = 8 or f(x) = 2)": "f is applied where x is 1",
    "!(x, y).(not(x = f(1) & y : s) or x <= y + 1)": "f(1) does not depend on y",
    "!g.(g /: 0..1 --> 0..2 or g(1) : 0..2 or g(0) = 1)": "g is such a function",
}


def _check(folder: Path, formula: str, *, native: bool) -> secateur.Result:
    file = folder / "InTurn.mch"
    file.write_text(MODEL.format(formula=formula), encoding="utf-8")
    return secateur.load(file).check(all=True, deadlock=False, native=native)


@pytest.mark.parametrize("native", [False, True])
@pytest.mark.parametrize(("formula", "place"), ILL_DEFINED.items())
def test_it_is_told(tmp_path: Path, formula: str, place: str, native: bool) -> None:
    result = _check(tmp_path, formula, native=native)
    told = [(v.kind.value, v.span.text if v.span else None) for v in result.violations]
    assert told == [("welldefinedness", place)]


@pytest.mark.parametrize("native", [False, True])
@pytest.mark.parametrize("formula", DEFINED)
def test_there_is_nothing_to_tell(tmp_path: Path, formula: str, native: bool) -> None:
    result = _check(tmp_path, formula, native=native)
    assert not result.violations
    assert result.exhaustive


@pytest.mark.parametrize("native", [False, True])
def test_what_is_undecided_for_the_same_values_comes_first(tmp_path: Path, native: bool) -> None:
    """For 8 the second conjunct is ill-defined, and nobody knows whether there is such a y."""
    formula = "not(#x.(x : s & 10 / (x - 8) > 0 & #y.(y * y = y + 9 + x)))"
    result = _check(tmp_path, formula, native=native)
    assert not result.violations
    assert not result.exhaustive
