"""What `--json` prints is as docs/schema says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from secateur.report.envelope import SCHEMA
from tests.cli.conftest import Runner

PATH = Path(__file__).parents[2] / "docs" / "schema" / f"secateur-{SCHEMA}.schema.json"


@pytest.fixture(scope="module")
def validator() -> Any:
    jsonschema = pytest.importorskip("jsonschema", reason="NO jsonschema: nothing is validated")
    schema = json.loads(PATH.read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@pytest.mark.parametrize(
    "words",
    [
        ["check", "Lift.mch"],
        ["check", "Lift.mch", "--all", "--ltl", "G F {floor = 2}", "--ctl", "EF {floor = 2}"],
        ["check", "Lift.mch", "--no-invariant", "--por", "stubborn", "--symmetry", "canonical"],
        ["check", "Counter.mch", "--max-states", "10"],
        ["check", "Lift.mch", "--count"],
        ["check", "Impossible.mch"],
        ["check", "Stuck.mch"],
        ["check", "Lift.mch", "--coverage", "--shorten", "--untangle"],
        ["check", "Lift.mch", "--sweep", "PERSON=1..2"],
        ["check", "Lift.mch", "--sweep", "NOBODY=1..2"],
        ["check", "nowhere.mch"],
        ["check", "Lift.mch", "--no-such-option"],
        ["ltl", "Lift.mch", "--ltl", "G {floor < 9}", "--ltl", "G {floor < }", "--ltl", "F [up]"],
        ["ltl", "Lift.mch", "--ltl", "G {floor < 9}", "--por", "stubborn"],
        ["ltl", "Lift.mch"],
        ["eval", "1 + 1"],
        ["eval", "x > 1 & x < 5"],
        ["eval", "1 / 0"],
        ["info", "Lift.mch"],
        ["version"],
        ["step", "Lift.mch"],
    ],
    ids=" ".join,
)
def test_real_output_is_valid(secateur: Runner, validator: Any, words: list[str]) -> None:
    validator.validate(secateur(*words, "--json").json())


def test_replays_are_valid(secateur: Runner, validator: Any, tmp_path: Path) -> None:
    trace = tmp_path / "t.itf.json"
    secateur("check", "Lift.mch", "-o", str(trace), "--quiet")
    validator.validate(secateur("replay", "Lift.mch", str(trace), "--json").json())
    stopped = secateur("replay", "Counter.mch", str(trace), "--json")
    assert stopped.code == 1
    validator.validate(stopped.json())


@pytest.mark.parametrize(
    "change",
    [
        {"verdict": "fine"},
        {"states": "many"},
        {"violations": [{"kind": "invariant"}]},
        {"formulas": None},
        {"schema": SCHEMA + 1},
    ],
)
def test_the_schema_refuses_what_is_wrong(
    secateur: Runner, validator: Any, change: dict[str, Any]
) -> None:
    told = secateur("check", "Lift.mch", "--json").json()
    assert validator.is_valid(told)
    assert not validator.is_valid({**told, **change})
