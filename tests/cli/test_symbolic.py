"""Sets of states on the command line."""

from __future__ import annotations

import pytest

from tests.cli.conftest import Runner
from tests.examples.test_readme import ROOT

TURNTABLE = str(ROOT / "examples" / "symbolic" / "Turntable.mch")
FULL = str(ROOT / "examples" / "symbolic" / "TurntableFull.mch")


def test_check(secateur: Runner) -> None:
    run = secateur("check", TURNTABLE, "--engine", "symbolic", "--json")
    found = run.json()
    assert run.code == 0
    assert (found["verdict"], found["states"]) == ("holds", 1470)
    assert found["statistics"]["engine"] == "symbolic"


@pytest.mark.parametrize("engine", ["auto", "explicit", "symbolic"])
def test_count(secateur: Runner, engine: str) -> None:
    run = secateur("check", TURNTABLE, "--count", "--engine", engine)
    assert (run.code, run.out) == (0, "1470\n")


def test_counting_can_be_incomplete(secateur: Runner) -> None:
    run = secateur("check", TURNTABLE, "--count", "--max-states", "10")
    assert run.code == 3
    assert run.out.startswith("at least ")
    assert "the limit of 10 states was reached" in run.out


def test_formulas(secateur: Runner) -> None:
    words = "--engine", "symbolic", "--por", "two-phase", "--cycles", "backward", "--json"
    run = secateur("ltl", FULL, *words)
    assert run.code == 1
    verdicts = {f["name"]: f["verdict"] for f in run.json()["formulas"]}
    assert verdicts == {
        f"ASSERT_LTL_T{i}": "violated" if i in (5, 6) else "holds" for i in range(1, 7)
    }


def test_a_formula_of_ctl(secateur: Runner) -> None:
    run = secateur("ltl", TURNTABLE, "--ctl", "EF {alarm = TRUE}", "--engine", "symbolic")
    assert run.code == 0
    assert "engine: symbolic" in run.out


def test_what_sets_cannot_be_asked_is_left_to_the_other_engine(secateur: Runner) -> None:
    formula = "G F changed({alarm})"
    run = secateur("ltl", TURNTABLE, "--ltl", formula, "--engine", "symbolic")
    assert run.code == 1
    assert "not symbolic: " in run.out


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("check", "--engine", "symbolic", "--threads", "2"), "SEC301"),
        (("check", "--engine", "symbolic", "--search", "df"), "SEC301"),
        (("check", "--engine", "symbolic", "--por", "ample"), "SEC301"),
        (("check", "--engine", "symbolic", "--symmetry", "flood"), "SEC301"),
        (("check", "--image", "bf"), "SEC301"),
        (("check", "--engine", "symbolic", "--reorder"), "SEC301"),
        (("ltl", "--cycles", "backward"), "SEC301"),
        (("ltl", "--engine", "symbolic", "--por", "ample"), "SEC303"),
        (("ltl", "--engine", "symbolic", "--proviso", "static"), "SEC301"),
        (("ltl", "--por", "two-phase"), "SEC303"),
    ],
)
def test_what_does_not_go_together(secateur: Runner, words: tuple[str, ...], code: str) -> None:
    run = secateur(words[0], TURNTABLE, *words[1:])
    assert run.code == 2
    assert run.err.startswith(f"error[{code}]: ")
