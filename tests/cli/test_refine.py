"""`secateur refine`: verdicts, reports, exit codes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Runner

FILES = {
    "Cup.mch": """MACHINE Cup VARIABLES full INVARIANT full : BOOL INITIALISATION full := FALSE
OPERATIONS
  fill = PRE full = FALSE THEN full := TRUE END;
  r <-- drink = PRE full = TRUE THEN r := 2 || full := FALSE END
END""",
    "Mug.ref": """REFINEMENT Mug REFINES Cup VARIABLES level INVARIANT level : {0, 2} & (level = 2 <=> full = TRUE)
INITIALISATION level := 0
OPERATIONS
  fill = level := 2;
  r <-- drink = BEGIN r := level ; level := 0 END
END""",
    "Leak.ref": """REFINEMENT Leak REFINES Mug VARIABLES level INITIALISATION level := 0
OPERATIONS
  fill = level := 2;
  r <-- drink = BEGIN r := 1 ; level := 0 END
END""",
    "Sealed.ref": """REFINEMENT Sealed REFINES Cup VARIABLES full INITIALISATION full := FALSE
OPERATIONS
  fill = SELECT full = TRUE THEN skip END
END""",
    "Endless.ref": """REFINEMENT Endless REFINES Well VARIABLES n INITIALISATION n := 0
OPERATIONS draw(k) = n := n + k END""",
    "Well.mch": """MACHINE Well VARIABLES n INVARIANT n : NATURAL INITIALISATION n := 0
OPERATIONS draw(k) = PRE k : 1..2 THEN n := n + k END END""",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def test_what_holds(secateur: Runner, folder: Path) -> None:
    run = secateur("refine", str(folder / "Mug.ref"))
    assert (run.code, run.err) == (0, "")
    assert run.out.startswith("holds: Mug refines Cup (2 states, 3 transitions")
    assert "variables per level" not in run.out


def test_every_step_is_told(secateur: Runner, folder: Path) -> None:
    run = secateur("refine", str(folder / "Leak.ref"))
    assert run.code == 1
    assert "holds: Mug refines Cup" in run.out
    assert "violated: Leak refines Mug" in run.out
    assert "not a refinement: drink: Mug cannot return that\n  for r = 1, level' = 0\n" in run.out
    assert "       level: 0 -> 2, full: FALSE -> TRUE\n" in run.out
    assert run.out.endswith("variables per level:\n  Cup: full\n  Mug: level\n  Leak: level\n")


def test_one_step(secateur: Runner, folder: Path) -> None:
    run = secateur("refine", str(folder / "Leak.ref"), "-m", "Mug")
    assert run.code == 0
    assert "Leak" not in run.out


def test_json(secateur: Runner, folder: Path) -> None:
    run = secateur("refine", "--json", str(folder / "Leak.ref"))
    assert run.code == 1
    found = run.json()
    assert (found["command"], found["verdict"]) == ("refine", "violated")
    assert found["exhaustive"] is True
    first, second = found["steps"]
    assert (first["model"], first["refines"], first["verdict"]) == ("Mug", "Cup", "holds")
    assert second["levels"][0] == {"name": "Cup", "variables": ["full"]}
    (violation,) = second["violations"]
    assert violation["kind"] == "refinement"
    assert violation["witness"] == {"r": "1", "level'": "0"}
    assert violation["trace"][-1]["changed"] == {"level": "2", "full": "TRUE"}


def test_deadlocks_where_asked(secateur: Runner, folder: Path) -> None:
    file = str(folder / "Sealed.ref")
    assert secateur("refine", file).code == 0
    run = secateur("refine", "--deadlock", file)
    assert run.code == 1
    assert "deadlock, though Cup could do fill" in run.out


def test_limits(secateur: Runner, folder: Path) -> None:
    run = secateur("refine", str(folder / "Endless.ref"), "--max-states", "50", "--quiet")
    assert run.code == 3
    assert "not everything was explored: the limit of 50 states" in run.out


def test_what_refines_nothing(secateur: Runner, folder: Path) -> None:
    run = secateur("refine", str(folder / "Cup.mch"))
    assert (run.code, run.out) == (2, "")
    assert "SEC292" in run.err
    assert "Cup.mch:1:1" in run.err
    assert "help: " in run.err
    assert secateur("refine", "--json", str(folder / "Cup.mch")).json()["verdict"] == "error"


def test_no_such_component(secateur: Runner, folder: Path) -> None:
    assert "SEC237" in secateur("refine", str(folder / "Mug.ref"), "-m", "Jug").err


def test_help(secateur: Runner) -> None:
    run = secateur("refine", "--help")
    assert run.code == 0
    assert "--deadlock" in run.out
    assert "the step that leads to that component" in run.out.replace("\n", " ")
