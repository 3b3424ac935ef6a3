"""`--symmetry` on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Runner

MACHINE = """
MACHINE Turns
SETS P
VARIABLES at
INVARIANT at : P --> 0..3 & card(at |> {3}) < 2
INITIALISATION at := P * {0}
OPERATIONS
  Step(p) = PRE p : P & at(p) < 3 THEN at(p) := at(p) + 1 END
END
"""


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "Turns.mch"
    path.write_text(MACHINE)
    return path


def test_what_was_merged_is_said(secateur: Runner, model: Path) -> None:
    run = secateur(
        "check",
        str(model),
        "--set-size",
        "P=4",
        "--symmetry",
        "canonical",
        "--no-deadlock",
        "--all",
    )
    assert run.code == 1
    assert "violated: Turns (35 states" in run.out
    assert "elements exchanged: 4 of P; each state stands for 7.3 on average" in run.out


@pytest.mark.parametrize("strategy", ["canonical", "flood", "markers"])
def test_traces_are_real(secateur: Runner, model: Path, strategy: str) -> None:
    run = secateur("check", str(model), "--set-size=P=3", f"--symmetry={strategy}", "--json")
    found = run.json()
    assert run.code == 1
    assert found["symmetry"]["name"] == strategy
    assert found["symmetry"]["sets"] == [["P", 3]]
    steps = found["violations"][0]["trace"]
    assert len(steps) == 7  # two elements go all the way, after INITIALISATION


def test_markers_never_say_that_a_model_holds(secateur: Runner, model: Path) -> None:
    text = model.read_text().replace("< 2", "< 9")
    model.write_text(text)
    run = secateur("check", str(model), "--symmetry", "markers", "--no-deadlock")
    assert run.code == 3
    assert "symmetry markers may take different states for the same" in run.out


def test_flooding_has_a_limit(secateur: Runner, model: Path) -> None:
    run = secateur("check", str(model), "--set-size", "P=9", "--symmetry", "flood")
    assert run.code == 2
    assert "error[SEC309]: each state would be stored with 362880 permutations of it" in run.err
    assert "use --symmetry canonical" in run.err


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (["--symmetry", "markers", "--search", "astar"], "SEC306"),
        (["--symmetry", "markers", "--compress"], "SEC301"),
        (["--symmetry", "flood", "--fingerprint"], "SEC301"),
        (["--symmetry", "flood", "--threads", "2"], "SEC301"),
    ],
)
def test_what_does_not_go_together_is_refused(
    secateur: Runner, model: Path, options: list[str], code: str
) -> None:
    run = secateur("check", str(model), *options)
    assert run.code == 2
    assert f"error[{code}]" in run.err


def test_formulas(secateur: Runner, model: Path) -> None:
    run = secateur(
        "ltl", str(model), "--set-size=P=4", "--symmetry", "canonical", "--ltl", "F {at = P * {3}}"
    )
    assert run.code == 0
    assert "holds: F {at = P * {3}} (35 states" in run.out
    named = secateur("ltl", str(model), "--symmetry", "canonical", "--ltl", "F {at(P1) = 3}")
    assert named.code == 0
    assert "no symmetry: P1 is named in {at(P1) = 3} of the formula" in named.out


def test_a_large_symmetric_model_is_merged_without_being_asked(
    secateur: Runner, model: Path
) -> None:
    text = model.read_text().replace("< 2", "< 99").replace("0..3", "0..5").replace("< 3", "< 5")
    model.write_text(text)
    run = secateur("check", str(model), "--set-size", "P=8", "--no-deadlock")
    assert run.code == 0
    assert "holds: Turns (1287 states" in run.out
    assert "symmetry: canonical" in run.out


def test_info_says_which_elements_may_be_exchanged(secateur: Runner, model: Path) -> None:
    assert "P: all 2 elements may be exchanged" in secateur("info", str(model)).out
