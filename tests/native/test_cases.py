"""Values that conditions give by cases are computed rather than searched for, and are the same."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("secateur._native", reason="NOT TESTED: the native module is not built")

import secateur

MODEL = """
MACHINE Cases
SETS ID = {{a, b, c}}
VARIABLES f, x
INVARIANT f : ID +-> ID & x : ID
INITIALISATION f := {{}} || x := a
OPERATIONS
  turn(y) = SELECT y : ID & y /= x THEN x := y END;
  set(g) = SELECT g : ID <-> ID & {cases} & g : ID +-> ID THEN f := g END
END
"""

COMPLEMENT = "(x = a => g = f <+ {a |-> b}) & (not(x = a) => g = f <+ {x |-> c})"
TURNED = "(not(x = a) => f <+ {x |-> c} = g) & (x = a => g = f <+ {a |-> b} & x |-> b : g)"
ONE_SIDED = "(x = a => g = f <+ {a |-> b}) & (not(x = a) => g <: {b |-> c})"
ILL_DEFINED = "(x = a => g = {a |-> f(b)}) & (not(x = a) => g = f <+ {x |-> c})"
MORE_OF_IT = "(x = a => g = f <+ {a |-> b}) & (not(x = a) => g = f <+ {x |-> c}) & c : dom(g)"


@pytest.mark.parametrize("cases", [COMPLEMENT, TURNED, ONE_SIDED, ILL_DEFINED, MORE_OF_IT])
def test_the_engines_agree(tmp_path: Path, cases: str) -> None:
    path = tmp_path / "Cases.mch"
    path.write_text(MODEL.format(cases=cases), encoding="utf-8")

    def seen(native: bool) -> tuple[Any, ...]:
        result = secateur.load(path).check(all=True, native=native)
        told = sorted((v.kind.value, v.name, v.message, v.count) for v in result.violations)
        return result.statistics.states, result.statistics.operations, told

    assert seen(native=True) == seen(native=False)


BETWEEN = """
MACHINE Between
SETS ID = {{a, b, c}}
VARIABLES f, x, z
INVARIANT f : ID +-> ID & x : ID & z : ID
INITIALISATION f := {{a |-> b, b |-> b}} || x := a || z := a
OPERATIONS
  turn(y) = SELECT y : ID & y /= x THEN x := y END;
  set(g) = SELECT g : ID & {conditions} THEN z := g END
END
"""


FALSE_ELSEWHERE = [
    "f(g) = b & (x = a => g = a) & (not(x = a) => g = b)",
    "(x = a => g /= b & g = a) & f(g) = b & (not(x = a) => g = b)",
    "#h.(h : ID & f(h) = g & (x = a => h = a) & (not(x = a) => h = b))",
    "!h.(h : ID & f(h) = b & (x = a => h = a) & (not(x = a) => h = b) => h /= g)",
    "g : {h | h : ID & f(h) = b & (x = a => h = a) & (not(x = a) => h = b)}",
]
"""Where f is applied to c, which it is not defined for, another conjunct is false: it does not matter."""
ILL_DEFINED_FIRST = [
    "(x = a => f(g) = b & g = a) & (not(x = a) => g = b)",
    "g /= a & f(c) /= g & (x = a => g = a) & (not(x = a) => g = b)",
]


@pytest.mark.parametrize("conditions", [*FALSE_ELSEWHERE, *ILL_DEFINED_FIRST])
def test_what_is_asked_of_other_values_may_be_ill_defined(tmp_path: Path, conditions: str) -> None:
    path = tmp_path / "Between.mch"
    path.write_text(BETWEEN.format(conditions=conditions), encoding="utf-8")
    python, native = (secateur.load(path).check(all=True, native=n) for n in (False, True))
    ill_defined = any(v.kind.value == "welldefinedness" for v in python.violations)
    assert ill_defined == (conditions in ILL_DEFINED_FIRST)
    assert type(native.verdict) is type(python.verdict)
    assert native.statistics.states == python.statistics.states
    assert [v.kind for v in native.violations] == [v.kind for v in python.violations]
