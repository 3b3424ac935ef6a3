"""The models in `examples/symbolic`: sizes and verdicts are as their comments and README say."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

import secateur
from secateur.app.temporal.claims import Claim, Manner, claims_of
from tests.examples.test_readme import ROOT

FOLDER = ROOT / "examples" / "symbolic"

PRODUCER_CONSUMER = {"P1": True, "P2": False, "P3": True, "P4": False, "P5": True}
TURNTABLE = {"T1": True, "T2": True, "T3": True, "T4": True, "T5": False, "T6": False}


@dataclass(frozen=True)
class Expected:
    name: str
    set_name: str
    constant: int
    factor: int
    verdicts: dict[str, bool]
    sizes: tuple[int, ...]

    def states(self, size: int) -> int:
        return self.constant * int(self.factor**size)


EXPECTED = (
    Expected("ProducerConsumer", "WORKER", 18, 36, PRODUCER_CONSUMER, (1, 2)),
    Expected("Turntable", "DRILL", 30, 7, TURNTABLE, (1, 2)),
    Expected("TurntableFull", "DRILL", 24, 7, TURNTABLE, (1, 2)),
)
CASES = [pytest.param(e, size, id=f"{e.name}-{size}") for e in EXPECTED for size in e.sizes]


@cache
def _model(name: str, set_name: str, size: int) -> secateur.Model:
    return secateur.load(FOLDER / f"{name}.mch", set_sizes={set_name: size})


def _short(name: str) -> str:
    return name.removeprefix("ASSERT_LTL_")


def test_every_model_is_tested() -> None:
    assert {file.stem for file in FOLDER.glob("*.mch")} == {e.name for e in EXPECTED}


@pytest.mark.parametrize(("expected", "size"), CASES)
def test_invariant_and_deadlock(expected: Expected, size: int) -> None:
    model = _model(expected.name, expected.set_name, size)
    result = model.check(por="none", symmetry="none")
    assert result
    assert result.exhaustive
    assert result.statistics.states == expected.states(size)
    assert not result.statistics.never_enabled


@pytest.mark.parametrize(("expected", "size"), CASES)
def test_formulas(expected: Expected, size: int) -> None:
    model = _model(expected.name, expected.set_name, size)
    results = model.temporal(manner=Manner(por="none", symmetry="none"))
    assert {_short(r.name): r.holds for r in results} == expected.verdicts


@pytest.mark.parametrize("expected", EXPECTED, ids=lambda e: e.name)
def test_comments_in_the_machines(expected: Expected) -> None:
    text = (FOLDER / f"{expected.name}.mch").read_text(encoding="utf-8")
    assert f"{expected.constant} * {expected.factor}**" in text
    for size in expected.sizes:
        assert f"{expected.states(size):,}" in text
    said = re.findall(r"/\* (Holds|Violated): [^*]*\*/\s*ASSERT_LTL_(\w+)", text)
    if expected.name != "TurntableFull":  # which has the formulas of Turntable
        assert {name: word == "Holds" for word, name in said} == expected.verdicts


@pytest.mark.parametrize("expected", EXPECTED, ids=lambda e: e.name)
def test_formulas_in_the_readme(expected: Expected) -> None:
    text = (FOLDER / "README.md").read_text(encoding="utf-8")
    rows = re.findall(
        r"^\| (\w+) \| `([^`]+)` \| [^|]+ \| (holds|violated) \|$", text, re.MULTILINE
    )
    for claim in claims_of(_model(expected.name, expected.set_name, 1).typed):
        name = _short(claim.name)
        verdict = "holds" if expected.verdicts[name] else "violated"
        assert (name, claim.text, verdict) in rows


def test_the_same_about_events() -> None:
    texts = ("G F [add]", "G F [remove]")
    claims = [Claim(text, "ltl", text) for text in texts]
    results = _model("ProducerConsumer", "WORKER", 2).temporal(claims)
    assert [r.holds for r in results] == [True, True]


def test_two_steps_a_round(tmp_path: Path) -> None:
    text = (FOLDER / "ProducerConsumer.mch").read_text(encoding="utf-8")
    assert "  LAST == 5;" in text
    short = tmp_path / "ProducerConsumer.mch"
    short.write_text(text.replace("  LAST == 5;", "  LAST == 2;"), encoding="utf-8")
    result = secateur.load(short, set_sizes={"WORKER": 2}).check(por="none", symmetry="none")
    assert result
    assert result.statistics.states == 18 * 9**2


def test_a_drill_adds_a_constant_number_of_states_to_the_reduced_graph() -> None:
    def size(drills: int) -> int:
        model = _model("TurntableFull", "DRILL", drills)
        third = [claim for claim in claims_of(model.typed) if _short(claim.name) == "T3"]
        (found,) = model.temporal(third, manner=Manner(por="stubborn"))
        assert found
        return found.states

    assert [size(n) for n in (1, 2, 5)] == [14 + 12 * n for n in (1, 2, 5)]
