"""A reduced search beside a full one: it settles what it can, and changes nothing else."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from secateur import load
from secateur.app.checking import aside, symbolic
from secateur.engine.limits import seconds_reached
from secateur.engine.search.protocol import Task
from secateur.system.result import Result
from secateur.system.verdict import Holds, Incomplete, Violated

COUNTERS = """MACHINE Counters
CONSTANTS most PROPERTIES most = {top}
VARIABLES c
INVARIANT c : 1..{count} --> 0..most
INITIALISATION c := (1..{count}) * {{0}}
OPERATIONS
  inc(i) = PRE i : 1..{count} & c(i) < most THEN c(i) := c(i) + 1 END
END
"""

TANGLED = """MACHINE Tangled
VARIABLES a, b, c
INVARIANT a : 0..99 & b : 0..99 & c : 0..99 & a + b + c < 1000
INITIALISATION a, b, c := 0, 0, 0
OPERATIONS
  turn = BEGIN a, b, c := b, c, (a + 1) mod 100 END;
  skip_one = BEGIN a, c := (a + b + 1) mod 100, (c + a) mod 100 END
END
"""


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let attempts be made at once, and take as long as they like."""
    monkeypatch.setattr(aside, "FIRST", 0.0)
    monkeypatch.setattr(aside, "SHARE", 100.0)


def _model(path: Path, text: str) -> Path:
    file = path / "Model.mch"
    file.write_text(text)
    return file


def test_a_space_too_large_to_be_visited_is_settled(tmp_path: Path) -> None:
    model = load(_model(tmp_path, COUNTERS.format(count=9, top=9)))
    result = model.check(deadlock=False, native=True)
    assert isinstance(result.verdict, Holds)
    assert result.verdict.exhaustive
    assert result.statistics.states < 10
    assert result.reductions[0].reduced


def test_a_violation_found_beside_has_a_shortest_trace(tmp_path: Path) -> None:
    model = load(_model(tmp_path, COUNTERS.format(count=8, top=9)))
    result = model.check(native=True)
    assert isinstance(result.verdict, Violated)
    assert len(result.violations[0].trace) == 2 + 8 * 9


def test_all_violations_are_counted_in_full(tmp_path: Path) -> None:
    model = load(_model(tmp_path, COUNTERS.format(count=5, top=9)))
    result = model.check(native=True, all=True)
    assert result.statistics.states == 10**5 + 1
    assert not result.reductions


def test_a_part_of_the_violations_is_not_enough_where_all_are_wanted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    explored = symbolic.explored
    attempts = []

    def ends_too_soon(task: Task, *rest: Any) -> Result:
        result = explored(task, *rest)
        attempts.append(result)
        assert task.meter.limits.seconds is not None
        reasons = (seconds_reached(task.meter.limits.seconds),)
        statistics = replace(result.statistics, states=7)
        return replace(
            result, verdict=Violated(result.violations, reasons=reasons), statistics=statistics
        )

    monkeypatch.setattr(aside, "COMPILING", 0.0)
    monkeypatch.setattr(symbolic, "explored", ends_too_soon)
    model = load(_model(tmp_path, COUNTERS.format(count=6, top=9)))
    result = model.check(all=True)
    assert attempts
    assert result.statistics.states == 10**6 + 1
    assert result.engine.name == "native"


def test_what_is_not_done_sooner_is_remarked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(aside, "SHARE", 0.0)
    monkeypatch.setattr(aside, "COMPILING", 0.0)
    model = load(_model(tmp_path, TANGLED))
    result = model.check(native=True)
    plain = model.check(native=True, por="none")
    assert result.statistics == plain.statistics
    assert result.verdict == plain.verdict
    assert result.statistics.states > 100_000


def test_an_attempt_leaves_the_limits_of_the_search_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(aside, "SHARE", 0.0)
    monkeypatch.setattr(aside, "COMPILING", 0.0)
    model = load(_model(tmp_path, COUNTERS.format(count=9, top=9)))
    result = model.check(native=True, max_seconds=1.0)
    assert isinstance(result.verdict, Incomplete)
    assert result.reasons == ("the limit of 1 seconds was reached",)
    assert result.statistics.states > 1000
    assert any("tried beside" in note for note in result.notes)
