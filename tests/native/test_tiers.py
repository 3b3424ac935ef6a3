"""Code that is replaced by better code while an explorer runs: nothing else changes."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("secateur._native", reason="NOT TESTED: the native module is not built")

import secateur
from secateur.engine.native import tiers, watching
from secateur.kernel.jit import Compiled, Later
from tests.native.test_models import counters, summary

BAD = " & (c0 + c1 = 12 => c2 < 6)"


@pytest.mark.parametrize("threads", [1, 2])
def test_better_code_finds_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, threads: int
) -> None:
    file = tmp_path / "Counters.mch"
    file.write_text(counters(7, 6, BAD))
    model = secateur.load(file)
    options: secateur.app.model.CheckOptions = {
        "all": True,
        "por": "none",
        "native": True,
        "threads": threads,
    }
    monkeypatch.setattr(tiers, "_LEAST", 3600.0)
    plain = model.check(**options)
    replaced: list[Compiled] = []
    hand_over = tiers.Tiers._replace

    def noted(self: tiers.Tiers, better: Compiled) -> None:
        replaced.append(better)
        hand_over(self, better)

    monkeypatch.setattr(tiers, "_LEAST", 0.0)
    monkeypatch.setattr(tiers, "_TIMES", 0.0)
    monkeypatch.setattr(tiers.Tiers, "_replace", noted)
    monkeypatch.setattr(watching, "_INTERVAL", 0.001)
    better = model.check(**options)
    assert len(replaced) == 1, "it has lasted too short a time: take more counters"
    assert summary(better) == summary(plain)
    assert plain.statistics.states == 7**7


def test_better_code_that_cannot_be_had_changes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """It ended the thread that looks after the limits, and was printed with its traceback."""
    file = tmp_path / "Counters.mch"
    file.write_text(counters(6, 6, BAD))
    asked: list[Later] = []

    def fail(self: Later, *, wait: bool = False) -> None:
        asked.append(self)
        raise RuntimeError(f"no better code, whether one waits or not: {wait}")

    monkeypatch.setattr(tiers, "_LEAST", 0.0)
    monkeypatch.setattr(tiers, "_TIMES", 0.0)
    monkeypatch.setattr(Later, "result", fail)
    monkeypatch.setattr(watching, "_INTERVAL", 0.001)
    result = secateur.load(file).check(all=True, por="none", native=True)
    assert len(asked) == 1
    assert result.statistics.states == 7**6
    assert capfd.readouterr().err == ""
