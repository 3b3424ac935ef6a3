"""A set as an element of another, where nobody can tell which elements it has itself.

`{{x | x : NATURAL & x*x = x+x}} = {{0, 2}}` was false: elements with different hashes are different
to Python, and a rule that cannot be listed had one of its own.  So an invariant that says `/=` held.
Lambdas over infinite sets were told apart as they are written, in the same way.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import secateur
from secateur.cli.exit import ExitCode
from secateur.cli.main import main
from secateur.system.verdict import Incomplete

MODEL = """
MACHINE Rules
VARIABLES n, s
INVARIANT n : 0..3 & s : POW(POW(INTEGER)) & {invariant}
INITIALISATION n := 0 || s := {{{{0, 2}}}}
OPERATIONS go = SELECT n < 3 THEN n := n + 1 END; on = skip
END
"""
RULE = "{x | x : NATURAL & x*x = x+x}"
DOUBTFUL = (
    f"{{{RULE}}} /= {{{{0, 2}}}}",
    f"{{{RULE}}} = s",
    f"{RULE} /: s",
    f"not({{{RULE}}} <: s)",
    f"s /\\ {{{RULE}}} = {{}}",
    f"card(s \\/ {{{RULE}}}) = 2",
    f"{{{RULE} |-> 1}} /= {{{{0, 2}} |-> 1}}",
    "%x.(x : INTEGER | x + 1) /: {%x.(x : INTEGER | 1 + x)}",
    "card({%x.(x : INTEGER | x + 1), %x.(x : INTEGER | 1 + x)}) = 2",
    "{id(NATURAL)} /\\ {%x.(x : NATURAL | x)} = {}",
)
SURE = {
    "{%x.(x : NATURAL | x + n)} /= {{1 |-> 2}}": True,
    "%x.(x : INTEGER | x + n) : {%x.(x : INTEGER | x + n)}": True,
    "card({%x.(x : INTEGER | x + n), %x.(x : INTEGER | n + x + 1)}) = 2": True,
    "card({f | #k.(k : 0..n & f = %x.(x : INTEGER | x + k))}) = n + 1": True,
    "%x.(x : INTEGER | x + n) : {%x.(x : INTEGER | x + 2), %x.(x : INTEGER | x + 3)}": False,
    "card({seq(INTEGER), iseq(INTEGER), NATURAL1 +-> INTEGER}) = 3": True,
    "card({f | #k.(k : 4..9 & f = (NATURAL * {n}) <+ {k |-> n + 1})}) = 6": True,
    "card({f | #k.(k : 4..9 & f = %x.(x : INTEGER | IF x = k THEN n ELSE 9 END))}) = 6": True,
    "card({STRING * {n}, %t.(t : STRING | n + 1)}) = 2": True,
    "card({NATURAL, INTEGER, NATURAL1}) = 3": True,
    "{NATURAL, {x | x : 0..9 & x*x = x+x}} = {NATURAL, {0, 2}}": True,
    "{x | x : 0..9 & x*x = x+x} : s": True,
    "{x | x : 0..9 & x*x = x+x} /: s": False,
}


@pytest.mark.parametrize("invariant", DOUBTFUL)
@pytest.mark.parametrize("native", [False, True])
def test_what_cannot_be_told_is_not_answered(tmp_path: Path, invariant: str, native: bool) -> None:
    file = tmp_path / "Rules.mch"
    file.write_text(MODEL.format(invariant=invariant))
    result = secateur.load(file).check(native=native)
    assert isinstance(result.verdict, Incomplete), result.verdict


@pytest.mark.parametrize(("invariant", "holds"), SURE.items())
@pytest.mark.parametrize("native", [False, True])
def test_what_can_be_told_is(tmp_path: Path, invariant: str, holds: bool, native: bool) -> None:
    file = tmp_path / "Rules.mch"
    file.write_text(MODEL.format(invariant=invariant))
    result = secateur.load(file).check(native=native)
    assert bool(result) is holds
    assert result.exhaustive or not holds


WITHIN_STATES = """
MACHINE WithinStates
VARIABLES w, p, q
INVARIANT w : POW(INTEGER +-> INTEGER) & p : INTEGER * (INTEGER <-> INTEGER)
  & q : seq(POW(INTEGER) * INTEGER) & (w = {} or card(w) = 1)
INITIALISATION w := {} || p := (1 |-> {}) || q := []
OPERATIONS
  add1 = w := {%x.(x : INTEGER | x + 1)};
  add2 = w := {%x.(x : INTEGER | 1 + x)};
  add3 = p := (1 |-> id(INTEGER));
  add4 = p := (1 |-> %x.(x : INTEGER | x));
  add5 = q := [NATURAL |-> 2];
  r <-- out = CHOICE r := {id(INTEGER)} OR r := {%x.(x : INTEGER | x)} END
END
"""


@pytest.mark.parametrize("native", [False, True])
def test_states_with_rules_inside_are_different_where_nobody_can_tell(
    tmp_path: Path, native: bool
) -> None:
    file = tmp_path / "WithinStates.mch"
    file.write_text(WITHIN_STATES)
    model = secateur.load(file)
    result = model.check(native=native)
    assert result
    assert result.exhaustive
    assert result.statistics.states == 3 * 3 * 2


@pytest.mark.parametrize("native", [False, True])
@pytest.mark.parametrize(
    "family", ["POW({%s})", "FIN1({%s})", "{%s} * (0..3000)", "(0..1) --> {%s}", "perm({%s})"]
)
def test_sets_that_are_listed_may_have_rules_inside(
    tmp_path: Path, family: str, native: bool
) -> None:
    file = tmp_path / "Listed.mch"
    one, other = family % "id(INTEGER)", family % "%x.(x : INTEGER | x)"
    file.write_text(f"""
    MACHINE Listed
    VARIABLES w, n
    INVARIANT n : 0..1 & (n : 0..1 or w = {one})
    INITIALISATION w := {{}} || n := 0
    OPERATIONS one = w := {one}; other = w := {other}; turn = n := 1 - n
    END
    """)
    result = secateur.load(file).check(native=native)
    assert result
    assert result.statistics.states == 6


def test_formulas_about_states_with_rules_inside(tmp_path: Path) -> None:
    file = tmp_path / "WithinStates.mch"
    file.write_text(WITHIN_STATES)
    assert main(["ltl", "--ltl", "G {card(w) <= 1}", str(file)]) == ExitCode.HOLDS
    assert main(["ltl", "--ltl", "G {w = {}}", str(file)]) == ExitCode.VIOLATED


@pytest.mark.parametrize(
    ("formula", "value"),
    [
        (
            "{p, a | (1 -> p |-> a) : {[1, 2] |-> 5, [1] |-> 6, [2] |-> 7, {} |-> 8}}",
            "{({}|->6),([2]|->5)}",
        ),
        ("{p | p <- 1 : {[1], [2, 1], [2], {(3, 4)}, {}}}", "{{},[2]}"),
        ("{i, p | i -> p : {[3, 1], [4]}}", "{(3|->[1]),(4|->{})}"),
    ],
)
def test_sequences_are_taken_apart_within_what_is_an_element(
    capsys: pytest.CaptureFixture[str], formula: str, value: str
) -> None:
    assert main(["eval", formula]) == 0
    assert capsys.readouterr().out.strip() == value


def test_a_set_of_rules_that_cannot_be_listed_is_undecided(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["eval", f"card({{{RULE}, {{0, 2}}}})"]) == ExitCode.INCOMPLETE
    assert "is finite" in capsys.readouterr().out
