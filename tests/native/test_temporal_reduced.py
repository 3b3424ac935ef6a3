"""Formulas on reduced products: the native engine says what Python says, and what all paths do."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from secateur.app.temporal import check as temporal
from secateur.app.temporal.claims import Manner
from secateur.engine.limits import Limits
from secateur.engine.liveness.lawful import Lawful
from secateur.system.temporal import TemporalResult
from tests.agreement.temporal import ALL_ROWS
from tests.native.test_temporal import EVALUATED, check, model
from tests.native.test_twins import RING

FULL: Final = Manner(por="none", native=True)
REDUCED: Final = Manner(por="stubborn", native=True)
IN_PYTHON: Final = Manner(por="stubborn", native=False)

OF_THE_RING: Final = (
    "G {token : 1..3}",
    "G ([enter(1)] => F [leave(1)])",
    "G F {phase(2) = busy}",
    "G (e(enter(1)) => {work(1) = 2})",
    "WF(labour(1)) & WF(ask(1)) => F {phase(1) = waiting}",
    "SF(enter(1)) & WF(labour(1)) & WF(ask(1)) => F {phase(1) = busy}",
    "G (changed({token}) => ([leave] or [pass]))",
    "!p.({p : 1..3} => G ({phase(p) = busy} => {token = p}))",
    "G not deadlock",
)


def both(native: TemporalResult, python: TemporalResult) -> None:
    """Both say the same; and have gone the same way, if that was to the end."""
    assert native.engine.name == "native"
    assert python.engine.name == "python"
    assert native.holds is python.holds
    assert native.holds is not None
    assert native.remark == python.remark
    assert (native.reduced is None) is (python.reduced is None)
    if native.holds:
        assert (native.states, native.transitions) == (python.states, python.transitions)
    if native.holds and native.reduced is not None and python.reduced is not None:
        assert replace(native.reduced, seconds=0) == replace(python.reduced, seconds=0)


@pytest.mark.parametrize("rows", ALL_ROWS, ids=lambda rows: "-".join(r.name for r in rows))
def test_a_ring(tmp_path: Path, rows: Lawful) -> None:
    it = model(tmp_path, RING)
    por, proviso = (row.name for row in rows)
    fewer = 0
    for formula in OF_THE_RING:
        full = check(it, formula, FULL)
        native = check(it, formula, Manner(por, proviso, native=True))
        both(native, check(it, formula, Manner(por, proviso, native=False)))
        assert native.holds is full.holds
        if native.holds:
            fewer += native.states < full.states or native.transitions < full.transitions
    assert fewer or por == "process-ample" or proviso == "static"


@pytest.mark.parametrize(
    "formula",
    [
        "G([a(1)] => {x < 9})",
        "G([c(1)] => {x > 1})",
        "G(e(c(2)) => {x > 2})",
        "G(changed({s}) => [a])",
        "G F {s = {}}",
        "WF(b(1)) => G F {x = 1}",
    ],
)
def test_what_the_evaluator_does_is_reduced_too(tmp_path: Path, formula: str) -> None:
    """There are marks behind the states that it returns, which instances know nothing of."""
    it = model(tmp_path, EVALUATED)
    native, full = check(it, formula, REDUCED), check(it, formula, FULL)
    assert (native.engine.name, native.holds) == ("native", full.holds)
    assert native.remark == check(it, formula, IN_PYTHON).remark


def test_a_value_that_does_not_fit_is_made_room_for(tmp_path: Path) -> None:
    text = """MACHINE Wide VARIABLES x, y INVARIANT x : 0..1 & y : 0..9 INITIALISATION x, y := 0, 0
OPERATIONS
  up = SELECT x < 40 THEN x := x + 1 END;
  aside = SELECT y < 9 THEN y := y + 1 END
END"""
    it = model(tmp_path, text)
    native = check(it, "F {x = 40}", REDUCED)
    both(native, check(it, "F {x = 40}", IN_PYTHON))
    assert native.holds
    assert native.states < check(it, "F {x = 40}", FULL).states


def test_where_something_is_ill_defined_everything_is_looked_at(tmp_path: Path) -> None:
    text = """MACHINE Faulty VARIABLES x, y INVARIANT x : 0..3 & y : 0..3 INITIALISATION x, y := 0, 0
OPERATIONS
  up = SELECT x < 3 THEN x := x + 1 END;
  divide = SELECT y < 3 THEN y := y + 1 / (3 - x) END
END"""
    it = model(tmp_path, text)
    native, python = check(it, "G {x < 9}", REDUCED), check(it, "G {x < 9}", IN_PYTHON)
    assert native.holds is None
    assert native.remark == python.remark == "not reduced: something is ill-defined on the way"
    assert any("ill-defined" in reason for reason in native.reasons)


def test_a_formula_that_sees_too_much_is_not_reduced(tmp_path: Path) -> None:
    result = check(model(tmp_path, RING), "G ([ask(1)] => X {phase(1) = waiting})", REDUCED)
    assert result.holds
    assert result.engine.name == "native"
    assert result.reduced is None
    assert result.remark is not None
    assert result.remark.startswith("not reduced: ")


def test_much_to_look_at_is_reduced_by_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(temporal, "MANY", Limits(states=50))
    it = model(tmp_path, RING)
    automatic = Manner(native=True)
    result = check(it, "G {token : 1..3}", automatic)
    assert (result.holds, result.engine.name) == (True, "native")
    assert result.reduced is not None
    seen = check(it, "G ([ask(1)] => X {phase(1) = waiting})", automatic)
    assert (seen.holds, seen.remark, seen.reduced) == (True, None, None)


def test_what_is_in_vain_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(temporal, "MANY", Limits(states=50))
    monkeypatch.setattr(temporal, "PATIENCE", 20)
    text = """MACHINE Bound VARIABLES x, y INVARIANT x : 0..9 & y : 0..9 INITIALISATION x, y := 0, 0
OPERATIONS
  up = SELECT x < 9 THEN x := x + 1 END;
  follow = SELECT y < x THEN y := y + 1 END;
  back = SELECT x = 9 THEN x, y := 0, 0 END
END"""
    it = model(tmp_path, text)
    result = check(it, "G ({x + y = 5} => {x >= y})", Manner(native=True))
    assert result.holds
    assert result.states == check(it, "G ({x + y = 5} => {x >= y})", FULL).states
    assert result.reduced is not None
    assert (result.reduced.expanded, result.reduced.reduced) == (20, 0)


def test_limits(tmp_path: Path) -> None:
    result = check(model(tmp_path, RING), "G {token : 1..3}", REDUCED, Limits(states=5))
    assert (result.holds, result.states) == (None, 5)
    assert result.reasons == ("the limit of 5 states was reached",)


def test_a_value_that_cannot_be_written_is_left_to_python(tmp_path: Path) -> None:
    """In the predicate, `idle` is a number."""
    formula = "!x.({x : {idle}} => G {#idle.(idle : 1..3 & (phase(idle) = x or token = idle))})"
    it = model(tmp_path, RING)
    result = check(it, formula, REDUCED)
    assert (result.holds, result.engine.name) == (True, "python")
    assert result.reduced is not None
    assert check(it, formula, FULL).engine.name == "native"
