"""Coverage, sweeps and clearer traces on the command line."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.conftest import Runner


def test_a_sweep_is_a_table(secateur: Runner) -> None:
    run = secateur("check", "Lift.mch", "--sweep", "PERSON=1..3", "--quiet")
    assert run.code == 1
    head, *rows = run.out.splitlines()
    assert head.split() == ["PERSON", "verdict", "states", "transitions", "seconds", "violated"]
    assert [row.split()[:2] for row in rows] == [[str(n), "violated"] for n in (1, 2, 3)]
    sizes = [int(row.split()[2]) for row in rows]
    assert sizes == sorted(set(sizes))


def test_sweeps_are_combined(secateur: Runner) -> None:
    options = ["--sweep", "PERSON=1,2", "--sweep", "MAXINT=3..4", "--json"]
    found = secateur("check", "Lift.mch", *options).json()
    assert found["command"] == "sweep"
    assert [run["values"] for run in found["runs"]] == [
        {"PERSON": 1, "MAXINT": 3},
        {"PERSON": 1, "MAXINT": 4},
        {"PERSON": 2, "MAXINT": 3},
        {"PERSON": 2, "MAXINT": 4},
    ]
    assert {run["verdict"] for run in found["runs"]} == {"violated"}


def test_bad_sweeps(secateur: Runner) -> None:
    for text in ("PERSON", "PERSON=", "PERSON=3..1", "=1..2", "PERSON=a..b"):
        run = secateur("check", "Lift.mch", "--sweep", text)
        assert (run.code, run.out) == (2, "")
        assert "does not look like DEFAULT_SETSIZE=1..4" in run.err
    run = secateur("check", "Lift.mch", "--sweep", "NOBODY=1..2")
    assert (run.code, run.out) == (2, "")
    assert "NOBODY" in run.err


def test_coverage_is_told(secateur: Runner) -> None:
    run = secateur("check", "Lift.mch", "--coverage", "--quiet")
    assert run.code == 1
    assert "makes no difference: " in run.out
    assert "new states per operation:" in run.out
    assert "states without a variable:" in run.out
    found = secateur("check", "Lift.mch", "--coverage", "--json").json()["coverage"]
    assert found["exhaustive"] is True
    assert found["asked"] >= len(found["vacuous"])
    assert set(found["without"]) == {"roof", "floor", "door", "inside"}


def test_a_trace_made_shorter_says_so(secateur: Runner) -> None:
    run = secateur("check", "Lift.mch", "--search", "df", "--shorten", "--untangle", "--quiet")
    assert run.code == 1
    assert " steps suffice, instead of " in run.out or " could be left out\n" in run.out
    assert "  untangled: " in run.out


def test_options_that_would_be_ignored_are_refused(secateur: Runner) -> None:
    for words in (
        ("--sweep", "PERSON=1..2", "--report", "a.html"),
        ("--sweep", "PERSON=1..2", "--expect", "holds"),
        ("--sweep", "PERSON=1..2", "--baseline", "b.json"),
        ("--count", "--coverage"),
        ("--count", "--shorten"),
        ("--count", "--expect", "holds"),
        ("--count", "--baseline", "b.json"),
        ("--count", "--baseline", "b.json", "--update-baseline"),
        ("--count", "--report", "a.html"),
        ("--count", "-o", "a.sarif"),
        ("--count", "-o", "a.xml"),
        ("--count", "-o", "a.itf.json"),
    ):
        run = secateur("check", "Lift.mch", *words)
        assert (run.code, run.out) == (2, "")
        assert "SEC450" in run.err


def test_counting_does_not_say_that_anything_holds(secateur: Runner, tmp_path: Path) -> None:
    file = tmp_path / "r.json"
    run = secateur("check", "Lift.mch", "--count", "--json", "-o", str(file))
    assert run.code == 0
    assert run.json()["verdict"] == "counted"
    assert run.json()["exhaustive"]
    assert json.loads(file.read_text())["verdict"] == "counted"
    cut = secateur("check", "Counter.mch", "--count", "--max-states", "5", "--json")
    assert (cut.code, cut.json()["verdict"]) == (3, "incomplete")
