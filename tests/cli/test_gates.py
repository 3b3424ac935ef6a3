"""--expect, --baseline and --annotations: runs as gates."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from secateur.report.annotations import annotation
from secateur.report.expectation import Outcome, parse_expectation, why_unexpected
from tests.cli.conftest import MODELS, Runner


@pytest.fixture(autouse=True)
def not_on_github(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)


@pytest.mark.parametrize(
    ("model", "words", "code"),
    [
        ("Switch.mch", ("--expect", "holds"), 0),
        ("Switch.mch", ("--expect", "violated"), 1),
        ("Switch.mch", ("--expect", "incomplete"), 1),
        ("Stuck.mch", ("--expect", "violated"), 0),
        ("Stuck.mch", ("--no-assertions", "--expect", "violated:welldefinedness"), 0),
        ("Stuck.mch", ("--no-assertions", "--expect", "violated:divide"), 0),
        ("Stuck.mch", ("--expect", "violated:divide"), 1),  # and an assertion, equally near
        ("Stuck.mch", ("--expect", "violated:deadlock"), 1),
        ("Stuck.mch", ("--expect", "holds"), 1),
        ("Stuck.mch", ("--all", "--expect", "violated:divide"), 1),
        (
            "Stuck.mch",
            (
                "--all",
                "--expect=violated:divide",
                "--expect=violated:deadlock",
                "--expect=violated:n /=  2",
            ),
            0,
        ),
        ("Counter.mch", ("--max-states", "10", "--expect", "incomplete"), 0),
        ("Counter.mch", ("--max-states", "10", "--expect", "holds"), 1),
        ("Switch.mch", ("--ltl", "G {on = FALSE}", "--expect", "violated:ltl"), 0),
        ("Switch.mch", ("--ltl", "G {", "--expect", "violated"), 2),
        ("Missing.mch", ("--expect", "violated"), 2),
        ("Switch.mch", ("--expect", "violent"), 2),
        ("Switch.mch", ("--expect", "holds:on"), 2),
    ],
)
def test_expectations(secateur: Runner, model: str, words: tuple[str, ...], code: int) -> None:
    run = secateur("check", model, *words)
    assert run.code == code
    assert bool(run.err) == bool(code)  # why, in a line


def test_why_not_as_expected(secateur: Runner) -> None:
    run = secateur("check", "Stuck.mch", "--no-assertions", "--expect", "violated:inv3")
    assert run.err == ("expected violated:inv3, but what is violated is welldefinedness divide\n")
    held = secateur("check", "Switch.mch", "--expect", "violated")
    assert held.err == "expected violated, but the verdict is holds\n"
    assert secateur("check", "Switch.mch", "--expect", "violated", "--quiet").err == ""


def test_a_label_is_enough() -> None:
    outcome = Outcome("violated", (("invariant", "M0.inv3"),))
    assert not why_unexpected([parse_expectation("violated:inv3")], outcome)
    assert not why_unexpected([parse_expectation("violated:M0.inv3")], outcome)
    assert why_unexpected([parse_expectation("violated:v3")], outcome)
    text = Outcome("violated", (("invariant", "x : 0..5"),))
    assert why_unexpected([parse_expectation("violated:5")], text)
    assert why_unexpected([parse_expectation("violated:.5")], text)
    assert not why_unexpected([parse_expectation("violated:x : 0..5")], text)


def test_expectations_of_formulas(secateur: Runner) -> None:
    words = ("ltl", "Switch.mch", "--ltl", "G {on = FALSE}")
    assert secateur(*words).code == 1
    assert secateur(*words, "--expect", "violated").code == 0
    assert secateur(*words, "--expect", "violated:G {on = FALSE}").code == 0
    assert secateur(*words, "--expect", "violated:ctl").code == 1
    assert secateur("ltl", "Switch.mch", "--ltl", "G {", "--expect", "holds").code == 2


def test_a_baseline(secateur: Runner, tmp_path: Path) -> None:
    file = tmp_path / "lift.json"
    model = tmp_path / "Lift.mch"
    text = (MODELS / "Lift.mch").read_text()
    model.write_text(text)
    gate = ("check", str(model), "--all", "--baseline", str(file))
    missing = secateur(*gate)
    assert (missing.code, missing.out) == (2, "")
    assert "error[SEC473]" in missing.err
    assert "help: --update-baseline writes it" in missing.err
    before = secateur("check", str(model), "--all").code
    assert secateur(*gate, "--update-baseline").code == before
    same = secateur(*gate)
    assert (same.code, same.err) == (before, "")
    model.write_text(text.replace("roof : 2..3", "roof : 2..2").replace("floor > 0", "floor > 9"))
    other = secateur(*gate)
    assert other.code == 1
    for line in (
        "event down is never enabled any more",
        "values of floor: 4 (0 .. 3) -> 3 (0 .. 2)",
        "values of roof: 2 (2 .. 3) -> 1 (2 .. 2)",
    ):
        assert f"differs from the baseline: {line}\n" in other.err
    assert "differs from the baseline: states " in other.err


def test_a_baseline_knows_what_was_looked_at(secateur: Runner, tmp_path: Path) -> None:
    file, model = tmp_path / "b.json", tmp_path / "Switch.mch"
    text = (MODELS / "Switch.mch").read_text()
    strict = text.replace("on : BOOL", "on : BOOL & (on = TRUE => on /= FALSE)")
    model.write_text(strict)
    gate = ("check", str(model), "--baseline", str(file))
    assert secateur(*gate, "--update-baseline").code == 0
    assert secateur(*gate).code == 0
    model.write_text(text)
    assert secateur(*gate).err == (
        "differs from the baseline: no longer checked: invariant on = TRUE => on /= FALSE\n"
    )
    model.write_text(strict)
    assert secateur(*gate, "--no-deadlock").err == (
        "differs from the baseline: no longer checked: deadlock\n"
    )
    less = secateur(*gate, "--no-invariant", "--no-assertions", "--no-goal")
    assert less.code == 1
    cut = secateur(*gate, "--max-states", "1")
    assert cut.code == 1
    assert "differs from the baseline: exhaustive yes -> no\n" in cut.err
    assert "differs from the baseline: now incomplete because of: the limit of 1 state" in cut.err


def test_a_baseline_knows_what_makes_no_difference(secateur: Runner, tmp_path: Path) -> None:
    file, model = tmp_path / "b.json", tmp_path / "Switch.mch"
    text = (MODELS / "Switch.mch").read_text()
    model.write_text(text)
    gate = ("check", str(model), "--coverage", "--baseline", str(file))
    assert secateur(*gate, "--update-baseline").code == 0
    assert secateur(*gate).code == 0
    model.write_text(
        text.replace("toggle = ", "toggle = PRE on = FALSE or on = TRUE THEN ").replace(
            "FALSE);", "FALSE) END;"
        )
    )
    other = secateur(*gate)
    assert other.code == 1
    assert "now without effect: guard of toggle: " in other.err
    model.write_text(text)
    without = secateur("check", str(model), "--baseline", str(file))
    assert without.err == ("differs from the baseline: --coverage was given then, and is not now\n")


def test_a_baseline_of_an_earlier_version(secateur: Runner, tmp_path: Path) -> None:
    file = tmp_path / "b.json"
    secateur("check", "Switch.mch", "--baseline", str(file), "--update-baseline")
    content = json.loads(file.read_text())
    file.write_text(
        json.dumps({k: v for k, v in content.items() if k not in ("properties", "coverage")})
    )
    run = secateur("check", "Switch.mch", "--baseline", str(file))
    assert run.code == 2
    assert "is of an earlier version: it says nothing of properties, coverage" in run.err
    assert "--update-baseline writes it anew" in run.err
    file.write_text(json.dumps({**content, "verdict": "counted"}))
    counted = secateur("check", "Switch.mch", "--baseline", str(file))
    assert (counted.code, "SEC474" in counted.err) == (2, True)


def test_what_json_prints_is_a_baseline(secateur: Runner, tmp_path: Path) -> None:
    file = tmp_path / "switch.json"
    file.write_text(secateur("check", "Switch.mch", "--json").out)
    assert secateur("check", "Switch.mch", "--baseline", str(file)).code == 0
    report = json.loads(file.read_text())
    report["states"] = 12031
    report["statistics"]["never_enabled"] = ["read"]
    file.write_text(json.dumps(report))
    run = secateur("check", "Switch.mch", "--baseline", str(file), "--json")
    assert run.code == 1
    assert run.json()["verdict"] == "holds"
    assert "states 12,031 -> 2\n" in run.err
    assert "event read is enabled now\n" in run.err


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"states": 3}', "null"])
def test_a_baseline_that_is_none(secateur: Runner, tmp_path: Path, text: str) -> None:
    file = tmp_path / "b.json"
    file.write_text(text)
    run = secateur("check", "Switch.mch", "--baseline", str(file))
    assert run.code == 2
    assert "error[SEC474]" in run.err


def test_a_baseline_of_another_model(secateur: Runner, tmp_path: Path) -> None:
    file = tmp_path / "b.json"
    assert secateur("check", "Switch.mch", "--baseline", str(file), "--update-baseline").code == 0
    run = secateur("check", "Lift.mch", "--baseline", str(file))
    assert run.code == 2
    assert "is about Switch.mch, not about Lift.mch" in run.err
    assert secateur("check", "Switch.mch", "--update-baseline").code == 2
    nowhere = tmp_path / "no" / "b.json"
    run = secateur("check", "Switch.mch", "--baseline", str(nowhere), "--update-baseline")
    assert run.code == 2
    assert (run.out, "error[SEC461]" in run.err) == ("", True)


def test_annotations(secateur: Runner, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    run = secateur("check", "Stuck.mch", "--no-assertions", "--json")
    assert run.json()["verdict"] == "violated"
    assert run.err.startswith(
        "::error file=Stuck.mch,line=8,endLine=8,col=32,endColumn=43,title=not well-defined%3A divide::"
        "division by zero: 1 / 0%0Atrace of 2 steps:%0A  1  INITIALISATION%0A"
    )
    assert run.err.count("\n") == 1
    assert secateur("check", "Stuck.mch", "--annotations", "none").err == ""
    assert secateur("check", "Stuck.mch", "--quiet").err == ""
    assert secateur("check", "Stuck.mch", "--expect", "violated").err == ""
    assert secateur("check", "Switch.mch").err == ""
    unexpected = secateur("check", "Switch.mch", "--expect", "violated").err
    assert "::error file=Switch.mch,title=not as expected::expected violated, but" in unexpected
    limited = secateur("check", "Counter.mch", "--max-states", "9").err
    assert "::warning file=Counter.mch,title=incomplete::the limit of 9 states" in limited
    formula = secateur("ltl", "Switch.mch", "--ltl", "G {on = FALSE}").err
    assert formula.startswith("::error file=Switch.mch,title=formula violated%3A G {on = FALSE}::")
    assert "::error title=SEC001::there is no file" in secateur("check", "Missing.mch").err


def test_annotations_on_request(secateur: Runner) -> None:
    assert "::error " in secateur("check", "Stuck.mch", "--annotations", "github", "--quiet").err
    assert "::error " in secateur("check", "Missing.mch", "--annotations=github").err
    assert "::" not in secateur("check", "Missing.mch").err


def test_annotations_are_escaped() -> None:
    shown = annotation("error", "a,b:c\n100%", "x: 50%\r\ny, z", {"file": "a,b.mch"})
    assert shown == "::error file=a%2Cb.mch,title=a%2Cb%3Ac%0A100%25::x: 50%25%0D%0Ay, z"
