"""Lawful ends: where a run may end is no deadlock, whichever engine looks."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from secateur.app.model import Model
from secateur.app.pictures.graph import gather
from secateur.app.replayed import trouble_at
from secateur.engine.native.available import why_not_native
from secateur.lang.lower import lower
from secateur.lang.registry import load
from secateur.maths.ast import Expr
from secateur.system.system import PropertyKind
from tests.agreement.test_engines import facts

pytestmark = pytest.mark.skipif(
    why_not_native() is not None, reason=f"no native engine: {why_not_native()}"
)

MACHINE = """MACHINE M
SETS S
DEFINITIONS LAWFUL == ({})
VARIABLES x, y, f
INVARIANT x : 0..3 & y : 0..3 & f : S --> 0..2
INITIALISATION x := 0 || y := 0 || f := S * {{0}}
OPERATIONS
  A = PRE x < 3 & y < 2 THEN x := x + 1 END;
  B = PRE y < 3 & x /= 2 THEN y := y + 1 END;
  C(s) = PRE s : S & f(s) < 2 & x = 3 THEN f(s) := f(s) + 1 END
END"""

ENDS = (
    "x = 3",
    "x = 3 & f = S * {2}",
    "y = 3 & f = S * {0}",
    "1 = 2",
    "x >= 0",
    "y / (x - 3) < 0",
    "card({g | g : S --> 0..2 & g = f & ran(g) = {0}}) = 1",
    "#s.(s : S & f(s) = 2) & 12 / y > 2",
)


def _model(path: Path, end: str) -> Model:
    path.write_text(MACHINE.format(end))
    typed = load(path)
    found: Expr = typed.definitions["LAWFUL"]
    typed = replace(typed, ends=found)
    return Model(typed, lower(typed), {})


def _without(path: Path) -> Model:
    path.write_text(MACHINE.format("1 = 1"))
    typed = load(path)
    return Model(typed, lower(typed), {})


def _deadlocks(model: Model, **options: object) -> int:
    result = model.check(all=True, **options)  # type: ignore[arg-type]
    return sum(v.count for v in result.violations if v.kind is PropertyKind.DEADLOCK)


@pytest.mark.parametrize("end", ENDS)
def test_engines_agree(tmp_path: Path, end: str) -> None:
    model = _model(tmp_path / "M.mch", end)
    python = model.check(native=False, all=True)
    # the definition: states without successors in which the predicate does not hold
    graph = gather(model, arguments=True)
    busy = {*graph.sources, *graph.uninitialised}
    stuck = [state for i, state in enumerate(graph.states) if i not in busy]
    expected = [s for s in stuck if not model.system.may_end(s)]
    assert len(expected) == len(graph.deadlocks())
    assert _deadlocks(model, native=False) == len(expected)
    assert facts(model.check(native=True, all=True)) == facts(python)
    assert facts(model.check(native=True, threads=2, all=True)) == facts(python)
    assert facts(model.check(native=True, compress=True, all=True)) == facts(python)
    symbolic = model.check(engine="symbolic", all=True)
    assert [v.count for v in symbolic.violations] == [v.count for v in python.violations]
    assert gather(model, arguments=False).deadlocks() == graph.deadlocks()


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("por", ["ample", "stubborn", "upset", "best", "process-ample"])
def test_reductions_keep_what_is_left(tmp_path: Path, end: str, por: str) -> None:
    model = _model(tmp_path / "M.mch", end)
    expected = _deadlocks(model, native=False) > 0
    for native in (False, True):
        assert (_deadlocks(model, native=native, por=por) > 0) == expected


@pytest.mark.parametrize("symmetry", ["canonical", "flood"])
@pytest.mark.parametrize("end", ENDS)
def test_symmetric_states_are_lawful_ends_alike(tmp_path: Path, end: str, symmetry: str) -> None:
    model = _model(tmp_path / "M.mch", end)
    expected = _deadlocks(model, native=False) > 0
    for native in (False, True):
        assert (_deadlocks(model, native=native, symmetry=symmetry) > 0) == expected


def test_a_trace_to_a_lawful_end_shows_no_deadlock(tmp_path: Path) -> None:
    plain = _without(tmp_path / "P.mch").check(native=False, all=True)
    model = _model(tmp_path / "M.mch", "x >= 0")
    (violation,) = plain.violations
    assert [b.kind for b in trouble_at(violation.trace) if hasattr(b, "kind")] == [
        PropertyKind.DEADLOCK
    ]
    list(model.system.initial())
    same = replace(violation.trace, system=model.system)
    assert trouble_at(same) == ()


@given(st.sets(st.tuples(st.integers(0, 3), st.integers(0, 3))))
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_set_of_ends(tmp_path: Path, ends: set[tuple[int, int]]) -> None:
    listed = ", ".join(f"{a} |-> {b}" for a, b in sorted(ends))
    model = _model(tmp_path / "M.mch", f"x |-> y : {{{listed}}}" if ends else "x = 9")
    python = model.check(native=False, all=True)
    assert facts(model.check(native=True, all=True)) == facts(python)
