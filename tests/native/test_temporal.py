"""Temporal formulas in the native engine: what is evaluated, limits, doubt, and what is said."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from secateur import load
from secateur.app.model import Model
from secateur.app.temporal.claims import USUAL, Claim, Manner
from secateur.engine.limits import NO_LIMITS, Limits
from secateur.system.temporal import TemporalResult

pytest.importorskip(
    "secateur._native", reason="NOT TESTED: the native module is not built (make native)"
)

NATIVE = Manner(por="none", native=True)
PYTHON = Manner(por="none", native=False)

EVALUATED = """MACHINE Evaluated
VARIABLES x, s
INVARIANT x : 0..9 & s : POW(POW(0..3))
INITIALISATION x, s := 0, {}
OPERATIONS
  a(p) = SELECT p : 0..1 & x < 9 & (%q.(q : 0..1 | "a"))(p) : STRING THEN x := x + 1 || s := POW({0, p}) END;
  b(p) = SELECT p : {0, 1} & x > 2 THEN x := p END;
  c(p) = SELECT p : 0..2 & x > p THEN x := (x * 2 ** 70) / 2 ** 70 - 1 END
END
"""
"""The first operation is not compiled, the last one always traps."""

COUNTERS = """MACHINE Counters
VARIABLES n
INVARIANT n : 1..6 --> 0..9
INITIALISATION n := (1..6) * {0}
OPERATIONS
  up(i) = SELECT i : 1..6 & n(i) < 9 THEN n(i) := n(i) + 1 END;
  down(i) = SELECT i : 1..6 & n(i) > 0 THEN n(i) := n(i) - 1 END
END
"""
"""A million states."""


def model(folder: Path, text: str) -> Model:
    path = folder / f"{text.split()[1]}.mch"
    path.write_text(text)
    return load(path)


def check(
    model: Model, formula: str, manner: Manner = NATIVE, limits: Limits = NO_LIMITS
) -> TemporalResult:
    (result,) = model.temporal([Claim(formula, "ltl", formula)], limits, manner)
    return result


@pytest.mark.parametrize(
    "formula",
    [
        "G([a(1)] => {x < 9})",
        "G([a(1)] => X {1 : union(s)})",
        "G([a(0)] => X {1 : union(s)})",
        "G([c(1)] => {x > 1})",
        "G([c(1)] => {x > 2})",
        "G(e(c(2)) => {x > 2})",
        "!i.({i : 0..2} => G([c(i)] => {x > i}))",
        "G(changed({s}) => [a])",
        "G(before_after({x <= x$0 + 1}))",
        "(WF(a(1)) & SF(c(0))) => G F {x = 0}",
        "G(deterministic(a(0), b(1)))",
        "G(controller(a, b, c) => X not controller(a, b, c))",
    ],
)
def test_steps_that_are_evaluated(tmp_path: Path, formula: str) -> None:
    it = model(tmp_path, EVALUATED)
    native, python = check(it, formula), check(it, formula, PYTHON)
    assert (native.engine.name, native.engine.compiled) == ("native", 2)
    assert native.holds is python.holds
    assert native.holds is not None
    if native.holds:
        assert (native.states, native.nodes) == (python.states, python.nodes)


def test_large_models_are_native_by_themselves(tmp_path: Path) -> None:
    it = model(tmp_path, COUNTERS)
    result = check(it, "G {card(n |> {10}) = 0}", USUAL, Limits(states=20_000))
    assert (result.engine.name, result.holds) == ("native", None)
    assert result.states == 20_000
    assert result.reasons == ("the limit of 20000 states was reached",)
    small = check(it, "G {n(1) = 0}", USUAL)
    assert (small.engine.name, small.holds) == ("python", False)


def test_a_violation_is_found_before_everything_is_explored(tmp_path: Path) -> None:
    result = check(model(tmp_path, COUNTERS), "G F {n(1) = 0}")
    assert result.holds is False
    assert result.states < 1000


def test_limits(tmp_path: Path) -> None:
    it = model(tmp_path, COUNTERS)
    result = check(it, "G {n(1) < 10}", NATIVE, Limits(seconds=0.5))
    assert result.holds is None
    assert result.reasons == ("the limit of 0.5 seconds was reached",)
    result = check(it, "G {n(1) < 10}", NATIVE, Limits(memory=1 << 20))
    assert result.reasons == ("the limit of 1 MB of memory was reached",)


def test_what_is_ill_defined_is_in_doubt(tmp_path: Path) -> None:
    text = COUNTERS.replace("n(i) := n(i) - 1", "n(i) := n(i) - 2 / n(i)").replace("6", "2")
    it = model(tmp_path, text.replace("n(i) > 0", "n(i) >= 0"))
    for formula, holds in (
        ("G {n(1) < 10}", None),
        ("G {12 / n(1) < 13}", None),
        ("G F {n(1) = 0}", False),  # there is such a path, whatever else there is
    ):
        native, python = check(it, formula), check(it, formula, PYTHON)
        assert native.holds is holds
        assert python.holds is holds
        assert any("is ill-defined" in reason for reason in native.reasons)


def test_a_value_that_does_not_fit_is_made_room_for(tmp_path: Path) -> None:
    text = "MACHINE Wide VARIABLES x INVARIANT x : 0..1 INITIALISATION x := 0 OPERATIONS up = SELECT x < 300 THEN x := x + 1 END END"
    result = check(model(tmp_path, text), "F {x = 300}")
    assert (result.holds, result.states, result.engine.name) == (True, 301, "native")


def test_what_is_left_to_the_evaluator_is_said(tmp_path: Path) -> None:
    text = COUNTERS.replace("up(i) =", "r <-- up(i) =").replace(
        "n(i) := n(i) + 1", "r := i || n(i) := n(i) + 1"
    )
    it = model(tmp_path, text)
    result = check(it, "G det_output", USUAL, Limits(states=1500))
    assert result.engine.name == "python"
    assert result.engine.remark == "not native: det_output is left to the evaluator"


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_returns_the_partial_result(tmp_path: Path) -> None:
    path = tmp_path / "Counters.mch"
    path.write_text(COUNTERS.replace("6", "9"))
    command = [sys.executable, "-m", "secateur", "ltl", "--json", "--por", "none"]
    command += ["--ltl", "G {n(1) < 10}"]
    for seconds in (2, 4, 8, 16):  # a busy machine may still be loading the model
        process = subprocess.Popen(
            [*command, str(path)],
            stdout=subprocess.PIPE,
            # In the background of a shell, the signal would be ignored.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509
        )
        time.sleep(seconds)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=30)
        assert process.returncode == 3
        for found in json.loads(out).get("formulas", ()):
            assert found["reasons"] == ["interrupted by the user"]
            if found["engine"] == "native" and found["states"] > 0:
                return
    pytest.fail("no search began")
