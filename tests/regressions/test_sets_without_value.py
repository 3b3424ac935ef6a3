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
    "s <: {x | x : 0..3 & {b, y | b : {FALSE} & y : BOOL & y = b}(TRUE) = TRUE}",
    "s <: {x | x : 0..3 & {b, y | b : BOOL & y : {FALSE} & y = b}(TRUE) = TRUE}",
    "s <: {x | x : 0..3 & (%b.(b : BOOL & b = FALSE | b))(bool(x < 9)) = TRUE}",
    "s <: {x | x : 0..3 & {b, y | b : BOOL & y : BOOL & (n = x => y = b)}(TRUE) = TRUE}",
    "s <: {x | x : 0..3 & (%b.(b : BOOL | bool(f(x) = 1)))(TRUE) = TRUE}",
    """s <: {x | x : 0..3 & {b, y | b : BOOL & y : BOOL &
       (f(x) = 1 => y = b) & (not(f(x) = 1) => y = TRUE)}(TRUE) = TRUE}""",
    """s <: {x | x : 0..3 & {b, y | b : BOOL & y : BOOL &
       (n < x => y = b & b = FALSE) & (not(n < x) => y = FALSE & b = FALSE)}(TRUE) = TRUE}""",
    "s <: {x | x : 0..3 & {y, z | y : -500..500 & z : -500..500 & y + z > 999 & f(y) = z} = {}}",
)
DEFINED = (
    "s <: {x | x : 0..3 & x : dom(f) & f(x) = 1}",
    "not(n : {x | x : 0..3 & x > 7 & f(x) = 1})",
    "not(n : {x | x : 0..3 & f(x) = 1 & x > 7})",
    "(%x.(x : dom(f) | f(x)))(2) = 1",
    "s <: {x | x : 0..3 & x mod 2 = 0}",
    "s <: {x | x : 0..3 & {b, y | b : BOOL & y : BOOL & y = b}(TRUE) = TRUE}",
    "s <: {x | x : 0..3 & {y, b . b : BOOL & y : BOOL & y = b | b |-> y}(TRUE) = TRUE}",
    "s <: {x | x : 0..3 & {b . b : BOOL | b |-> x}(TRUE) = 3}",
    "s <: {x | x : 0..3 & (%b.(b : POW(BOOL) | card(b) + x))({TRUE}) = 2}",
    """s <: {x | x : 0..3 & {b, y | b : BOOL & y : BOOL &
       (n = x => y = b) & (not(n = x) => y = TRUE)}(TRUE) = TRUE}""",
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


def test_functions_that_are_defined_everywhere_need_not_be_gone_through(tmp_path: Path) -> None:
    """Three nested ones over 512 relations: gone through, they would take 134 million rounds."""
    file = tmp_path / "Nested.mch"
    file.write_text(
        """
MACHINE Nested
SETS ID = {aa, bb, cc}
VARIABLES r, b
INVARIANT r : ID <-> ID & b : BOOL
INITIALISATION r := {} || b := TRUE
OPERATIONS
  turn = b := bool(b = FALSE);
  go(x) = SELECT x : ID THEN
    r := {s, t | s : POW(ID * ID) & t : POW(ID * ID) &
      t = {u, v | u : POW(ID * ID) & v : POW(ID * ID) &
        (b = TRUE => v = u <+ {x |-> aa}) & (not(b = TRUE) => v = (%w.(w : ID <-> ID | w))(u))
      }(s)}(r)
  END
END
""",
        encoding="utf-8",
    )
    model = secateur.load(file)
    assert all(part.reason is None for part in model.compiled().parts)
    result = model.check(por="none", symmetry="none")
    assert result.statistics.states == 16


@pytest.mark.parametrize("native", [False, True])
@pytest.mark.parametrize(("divisor", "told"), [("i", [1]), ("i + 1", [])])
def test_a_constant_that_is_too_large_to_list_is_asked_for_what_is_used(
    tmp_path: Path, divisor: str, told: list[int], native: bool
) -> None:
    """What is wrong with it is told once, when the constants get their values."""
    file = tmp_path / "Large.mch"
    file.write_text(
        f"""
MACHINE Large
CONSTANTS F
PROPERTIES F = %(x, y).(x : 0..999 & y : 0..999 | %i.(i : 0..3 | (x + y) / ({divisor})))
VARIABLES n
INVARIANT n : 0..5 & F(n |-> 7)(3) <= n + 7
INITIALISATION n := 0
OPERATIONS
  go = SELECT n < 5 THEN n := n + 1 END;
  back = SELECT n = 5 THEN n := 0 END
END
""",
        encoding="utf-8",
    )
    model = secateur.load(file)
    assert all(part.reason is None for part in model.compiled().parts)
    result = model.check(all=True, native=native, por="none")
    assert [v.count for v in result.violations] == told


UNUSED = (
    "{10 / i} /= {}",
    "card({10 / i}) = 1",
    "dom({1 |-> 10 / i}) = {1}",
    "size([10 / i]) = 1",
    "[10 / i, 4](2) = 4",
    "{10 / i} /\\ {} = {}",
    "{} <: {10 / i}",
    "{} <: (10 / i)..5",
    "{} <| {1 |-> 10 / i} = {}",
    "prj1(INTEGER, INTEGER)(1 |-> 10 / i) = 1",
    "rec(a : 10 / i, b : 1)'b = 1",
    "1 : dom(%q.(q : 0..3 | q mod i))",
    "1 : dom(%q.(q : 1..3 | 2 ** (i - q + 0)))",
    "%q.(q : 0..3 | 10 / (q + i))(1) > 0",
    "TRUE : dom(%z.(z : BOOL | %w.(w : BOOL | 10 / i)(z)))",
    "%q.(q : INTEGER | 5)(10 / i) = 5",
    "10 / i : INTEGER",
    "10 / i /: {}",
    "(10 / i |-> 1) /: {}",
    "size([1] <- 10 / i) = 2",
    "card({1} \\/ {10 / i}) >= 1",
    "bool({10 / i} /= {}) = TRUE",
    "card({i} <| c) = 1",
    "i : dom({i} <| c)",
    "i + 1 : dom(c) \\/ ran({i} <| c) \\/ {i, i + 1}",
    "{i} <| c /= {}",
)


@pytest.mark.parametrize("native", [False, True])
@pytest.mark.parametrize("predicate", UNUSED)
def test_what_nobody_uses_is_told_as_well(tmp_path: Path, predicate: str, native: bool) -> None:
    """In one of the two states there is a part without a value; the rest does not depend on it."""
    file = tmp_path / "Unused.mch"
    file.write_text(
        f"""
MACHINE Unused
CONSTANTS c
PROPERTIES c = %q.(q : 0..2000000 | 10 / q)
VARIABLES i
INVARIANT i : 0..1 & ({predicate})
INITIALISATION i := 0
OPERATIONS go = i := 1 - i
END
""",
        encoding="utf-8",
    )
    result = secateur.load(file).check(all=True, native=native, por="none")
    assert result.exhaustive
    told = [v.count for v in result.violations if v.name not in {"SETUP_CONSTANTS"}]
    assert told == ([2] if "i - q" in predicate else [1])
