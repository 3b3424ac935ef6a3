"""The models with which provisos are compared: they hold, and the provisos keep their order."""

from __future__ import annotations

from pathlib import Path

import pytest

import secateur
from tools.por_tables.measure import CLASSES, measure
from tools.por_tables.provisos import FOLDER, REDUCTIONS, compared

STATES = {
    "BoundedRetransmission": 5_898,
    "BusArbiter": 5_000,
    "LeaderElection": 25_572,
    "TokenRing": 11_520,
}


def test_every_model_is_tested() -> None:
    assert {file.stem for file in FOLDER.glob("*.mch")} == set(STATES)


@pytest.mark.parametrize("name", STATES)
def test_models_hold(name: str) -> None:
    run = measure(FOLDER / f"{name}.mch", {**CLASSES["invariant"], "por": "none"}, 60.0)
    assert (run.verdict, run.states) == ("holds", STATES[name])


@pytest.mark.parametrize("name", STATES)
def test_only_an_election_comes_to_an_end(name: str) -> None:
    result = secateur.load(FOLDER / f"{name}.mch").check(native=True, por="none")
    ended = {v.kind.value for v in result.violations}
    assert ended == ({"deadlock"} if name == "LeaderElection" else set())
    assert name == "LeaderElection" or not result.statistics.never_enabled


@pytest.mark.parametrize("por", REDUCTIONS)
def test_provisos_keep_their_order(por: str, tmp_path: Path) -> None:
    text = (FOLDER / "TokenRing.mch").read_text(encoding="utf-8")
    assert "SIZE == 5" in text
    small = tmp_path / "TokenRing.mch"
    small.write_text(text.replace("SIZE == 5", "SIZE == 3"), encoding="utf-8")
    found = compared(small, por, 60.0)
    assert not found.complaints()
    sizes = {name: run.states for name, run in found.reduced.items()}
    assert sizes["none"] < sizes["open"] < sizes["visited"] < found.full.states
    assert sizes["none"] < sizes["static"] < found.full.states


@pytest.mark.parametrize("por", REDUCTIONS)
def test_a_wrong_model_is_found_wrong_under_every_proviso(por: str, tmp_path: Path) -> None:
    text = (FOLDER / "TokenRing.mch").read_text(encoding="utf-8")
    wrong = text.replace("SIZE == 5", "SIZE == 3").replace("inbox(i) := FALSE || ", "")
    assert wrong.count("FALSE ||") < text.count("FALSE ||")
    file = tmp_path / "TokenRing.mch"
    file.write_text(wrong, encoding="utf-8")
    found = compared(file, por, 60.0)
    sound = {name: run.verdict for name, run in found.reduced.items() if name != "none"}
    assert found.full.verdict == "violated"
    assert set(sound.values()) == {"violated"}
