"""A set by a condition that has no value somewhere has none itself, whoever asks for which element."""

from __future__ import annotations

from pathlib import Path

import pytest

import secateur

MODEL = """
MACHINE Sets
VARIABLES f, n, s, r
INVARIANT
  f : 0..3 +-> 0..3 & n : 0..5 & s <: 0..3 & r : 0..3 <-> 0..3 &
  ({predicate})
INITIALISATION f := {{2 |-> 1}} || n := 0 || s := {{}} || r := {{}}
OPERATIONS
  go = SELECT n < 5 THEN n := n + 1 END;
  back = SELECT n = 5 THEN n := 0 END
END
"""

UNDEFINED = (
    "s <: {x | x : 0..3 & f(x) = 1}",
    "not(n : {x | x : 0..3 & f(x) = 1 & x > 7})",
    "2 : {x | x : 0..3 & f(x) = 1}",
    "s /\\ {x | x : 0..3 & f(x) = 1} = {}",
    "s - {x | x : 0..3 & f(x) = 1} = {}",
    "(%x.(x : 0..3 | f(x)))[s] = {}",
    "(%x.(x : 0..3 | f(x)))(2) = 1",
    "{x, y | x : 0..3 & y = f(x)}(2) = 1",
    "2 |-> 1 : %x.(x : 0..3 | f(x))",
    "s <: {x | x : 0..3 & {y | y : 0..3 & f(y) = x} = {}}",
    "s <: {x | x : 0..3 & 2 : {y | y : x..x & f(y) = 1}}",
    "s <: {x | x : 0..3 & INTER(y).(y : s | {y}) = {}}",
    "s <: {x | x : 0..3 & {y, z | y : -500..500 & z : -500..500 & y + z > 999 & f(y) = z} = {}}",
)
DEFINED = (
    "s <: {x | x : 0..3 & x : dom(f) & f(x) = 1}",
    "not(n : {x | x : 0..3 & x > 7 & f(x) = 1})",
    "(%x.(x : dom(f) | f(x)))(2) = 1",
    "s <: {x | x : 0..3 & x mod 2 = 0}",
    "{x | x : dom(f) & {y | y : dom(f) & f(y) = f(x)} = {2}} = {2}",
)


def _ill_defined(folder: Path, predicate: str, *, native: bool) -> list[int]:
    file = folder / "Sets.mch"
    file.write_text(MODEL.format(predicate=predicate), encoding="utf-8")
    result = secateur.load(file).check(all=True, native=native, por="none")
    assert result.exhaustive
    assert {v.kind.value for v in result.violations} <= {"welldefinedness"}
    return [v.count for v in result.violations]


@pytest.mark.parametrize("native", [False, True])
@pytest.mark.parametrize("predicate", UNDEFINED)
def test_it_is_told(tmp_path: Path, predicate: str, native: bool) -> None:
    assert _ill_defined(tmp_path, predicate, native=native) == [6]


@pytest.mark.parametrize("native", [False, True])
@pytest.mark.parametrize("predicate", DEFINED)
def test_there_is_nothing_to_tell(tmp_path: Path, predicate: str, native: bool) -> None:
    assert not _ill_defined(tmp_path, predicate, native=native)


@pytest.mark.parametrize("native", [False, True])
@pytest.mark.parametrize(
    "predicate",
    [
        "not(0 |-> n : closure1(r \\/ {7 |-> n * 90000}))",
        "n * 90000 |-> n : (r \\/ {7 |-> n * 90000} ; {n |-> n}) or n >= 0",
        "(r \\/ {7 |-> n * 90000})[{7}] = {n * 90000}",
        "n : dom({n |-> n, n + 7 |-> n} \\/ r)",
        "(r \\/ {n |-> 3})(n) = 3",
        "card((r \\/ {n |-> n + 9})[{n}]) = 1",
    ],
)
def test_what_is_certainly_outside_of_a_space_is_no_internal_error(
    tmp_path: Path, predicate: str, native: bool
) -> None:
    assert not _ill_defined(tmp_path, predicate, native=native)
