"""`secateur check`: verdicts, exit codes, limits."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from secateur.cli.main import main
from secateur.engine.search.registry import SEARCHES
from tests.cli.conftest import MODELS, Runner


def test_a_model_that_holds(secateur: Runner) -> None:
    run = secateur("check", "Switch.mch")
    assert run.code == 0
    assert run.out.startswith("holds: Switch (2 states, 5 transitions, ")
    assert run.out.splitlines()[1:] == [
        "",
        "transitions per operation:",
        "  INITIALISATION  1",
        "  toggle          2",
        "  read            2",
        "values per variable:",
        "  on  2",
        "engine: python",
    ]
    assert run.err == ""


def test_a_violated_invariant_is_shown_with_its_place_and_a_shortest_trace(
    secateur: Runner,
) -> None:
    run = secateur("check", "Lift.mch")
    assert run.code == 1
    assert run.out.split("\n\n", maxsplit=1)[0] == (
        "invariant violated: door = open => floor < 3\n"
        "   --> Lift.mch:7:55\n"
        "  7 |   floor : 0..roof & door : DOOR & inside <: PERSON & (door = open => floor < 3) &\n"
        "    |                                                       ^^^^^^^^^^^^^^^^^^^^^^^^\n"
        "  trace of 6 steps:\n"
        "  1  SETUP_CONSTANTS\n"
        "       roof = 3\n"
        "  2  INITIALISATION\n"
        "       floor = 0, door = closed, inside = {}\n"
        "  3  up\n"
        "       floor: 0 -> 1\n"
        "  4  up\n"
        "       floor: 1 -> 2\n"
        "  5  up\n"
        "       floor: 2 -> 3\n"
        "  6  open_door\n"
        "       door: closed -> open\n"
        "  because door = open holds since step 6 (open_door)\n"
        "  and `floor` < 3 is false since step 5 (up)\n"
        "    `floor` = 3"
    )
    assert "never enabled so far: never" in run.out


@pytest.mark.parametrize("search", [row.name for row in SEARCHES])
def test_every_search_counts_alike(secateur: Runner, search: str) -> None:
    found = secateur("check", "Lift.mch", "--all", "--search", search, "--json").json()
    assert (found["states"], found["transitions"]) == (58, 184)
    assert found["exhaustive"] is True
    assert [v["kind"] for v in found["violations"]] == ["invariant", "invariant"]
    assert {v["count"] for v in found["violations"]} == {4, 6}


def test_all_kinds_are_found_in_one_run(secateur: Runner) -> None:
    found = secateur("check", "Stuck.mch", "--all", "--goal", "n = 1", "--json").json()
    kinds = {v["kind"]: v for v in found["violations"]}
    assert set(kinds) == {"deadlock", "assertion", "goal", "welldefinedness"}
    assert kinds["welldefinedness"]["name"] == "divide"
    assert "division by zero" in kinds["welldefinedness"]["message"]
    assert [s["operation"] for s in kinds["deadlock"]["trace"]] == ["INITIALISATION", *["up"] * 3]


def test_what_is_not_wanted_is_not_checked(secateur: Runner) -> None:
    words = ("check", "Stuck.mch", "--all", "--json", "--no-deadlock", "--no-assertions")
    found = secateur(*words, "--goal", "n = 1", "--no-goal").json()
    assert [v["kind"] for v in found["violations"]] == ["welldefinedness"]


def test_no_initial_state_names_the_culprit(secateur: Runner) -> None:
    run = secateur("check", "Impossible.mch", "--no-deadlock")
    assert run.code == 1
    assert "no initial state" in run.out
    assert "c < 3" in run.out


def test_limits_make_the_verdict_incomplete(secateur: Runner) -> None:
    run = secateur("check", "Counter.mch", "--max-states", "7", "--json")
    assert run.code == 3
    assert run.json()["verdict"] == "incomplete"
    assert run.json()["reasons"] == ["the limit of 7 states was reached"]
    assert run.json()["states"] == 7
    run = secateur("check", "Counter.mch", "--max-seconds", "0.3")
    assert run.code == 3
    assert "the limit of 0.3 seconds was reached" in run.out


def test_a_limit_on_memory_is_kept(secateur: Runner) -> None:
    run = secateur("check", "Counter.mch", "--max-memory", "1M", "--quiet")
    assert run.code == 3
    assert "the limit of 1 MB of memory was reached" in run.out
    assert run.err == ""


def test_a_limit_on_time_is_kept_even_within_one_expression(secateur: Runner) -> None:
    run = secateur("check", "Endless.mch", "--max-seconds", "0.5")
    assert run.code == 3
    assert "the limit of 0.5 seconds was reached" in run.out


def test_the_same_run_twice_says_the_same(secateur: Runner) -> None:
    first, second = (
        secateur("check", "Lift.mch", "--all", "--search", "random", "--seed", "5", "--json").json()
        for _ in range(2)
    )
    del first["seconds"], second["seconds"]
    assert first == second


def test_set_sizes_and_assumptions(secateur: Runner) -> None:
    found = secateur("check", "Lift.mch", "--all", "--json").json()
    assert any("PERSON" in assumption for assumption in found["assumptions"])
    larger = secateur("check", "Lift.mch", "--all", "--json", "--set-size", "PERSON=3").json()
    assert larger["states"] > found["states"]


def test_paths_with_spaces_and_accents(secateur: Runner, tmp_path: Path) -> None:
    folder = tmp_path / "a folder with spaces é"
    folder.mkdir()
    shutil.copy(MODELS / "Switch.mch", folder / "Switch.mch")
    run = secateur("check", str(folder / "Switch.mch"), "--json")
    assert run.code == 0
    assert run.json()["model"] == str(folder / "Switch.mch")


def test_only_some_valuations_of_the_constants(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    model = tmp_path / "c.mch"
    model.write_text(
        "MACHINE C CONSTANTS c PROPERTIES c : 1..5 VARIABLES x INVARIANT x : 1..5 "
        "INITIALISATION x := c OPERATIONS stay = skip END"
    )
    assert main(["check", str(model), "--max-setups", "2"]) == 3
    assert "only 2 valuations of the constants, as asked for" in capsys.readouterr().out
    assert main(["check", str(model), "--max-setups", "5"]) == 0
    assert main(["check", str(model), "--max-setups", "0"]) == 2
    assert "--max-setups: '0' is not a number of at least 1" in capsys.readouterr().err
