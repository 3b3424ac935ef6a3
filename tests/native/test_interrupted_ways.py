"""Ctrl-C before and while the way to something that was found is looked for."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("secateur._native", reason="NOT TESTED: the native module is not built")

import secateur
from secateur.engine.limits import Stop
from secateur.engine.native import explore
from secateur.engine.native.tiers import Tiers
from secateur.engine.native.watching import watching
from secateur.report.text import render_result
from secateur.system.verdict import FOUND_WITHOUT_WAY, Violated

MODEL = """
MACHINE Counters
VARIABLES c
INVARIANT c : 0..5 --> 0..9
INITIALISATION c := (0..5) * {0}
OPERATIONS count(i) = SELECT i : 0..5 & c(i) < 9 THEN c(i) := c(i) + 1 END
END
"""
"""A million states, with a deadlock in the last one: to find them again takes a while."""


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """How often the user asks for an end, before and while the way is looked for."""
    times = {"before": 0, "meanwhile": 0}
    stops: list[Stop] = []
    retrace = explore._Run._retrace

    def retraced(run: explore._Run, *given: Any) -> bool:
        stops.append(run.task.meter.stop)
        stops[-1].requests += times["before"]
        return retrace(run, *given)

    def watched(
        look: Callable[[], bool], tiers: Tiers | None = None
    ) -> AbstractContextManager[None]:
        if stops:
            stops[-1].requests += times["meanwhile"]
        return watching(look, tiers)

    monkeypatch.setattr(explore._Run, "_retrace", retraced)
    monkeypatch.setattr(explore, "watching", watched)
    monkeypatch.setattr("secateur.engine.native.watching._INTERVAL", 0.001)
    return times


def _result(folder: Path) -> secateur.Result:
    file = folder / "Counters.mch"
    file.write_text(MODEL, encoding="utf-8")
    return secateur.load(file).check(all=True, native=True, por="none")


@pytest.mark.slow
def test_who_asks_before_is_shown_the_way(tmp_path: Path, asked: dict[str, int]) -> None:
    asked["before"] = 1
    result = _result(tmp_path)
    assert isinstance(result.verdict, Violated)
    assert len(result.violations[0].trace.transitions) == 55


@pytest.mark.slow
def test_who_asks_meanwhile_is_told_that_there_is_something(
    tmp_path: Path, asked: dict[str, int]
) -> None:
    asked["meanwhile"] = 1
    result = _result(tmp_path)
    assert result.outcome is None
    assert FOUND_WITHOUT_WAY in result.reasons
    text = render_result("Counters", result)
    assert FOUND_WITHOUT_WAY in text.splitlines()[0]
    assert "no violation so far" not in text
