"""Operations that are not compiled: the evaluator is asked only where they may be possible."""

from __future__ import annotations

from pathlib import Path

import pytest

from secateur import load
from secateur.engine.native.available import why_not_native
from secateur.lang.compile.machine import CompiledMachine
from tests.agreement.test_engines import facts

pytestmark = pytest.mark.skipif(
    why_not_native() is not None, reason=f"no native engine: {why_not_native()}"
)

HARD = "#(x, b).(x : INTEGER & b : BOOL & (x : 2..n => x mod 2 = 5))"
"""What cannot be compiled: nobody knows where to look for x, and only numbers are guessed."""

TESTED = {
    "conditions on the state come first": f"Op(y) = PRE y : 0..1 & {HARD} & n < 2 THEN n := n + 2 END",
    "those on parameters are looked at later": f"Op(y) = PRE y : 0..1 & f(n) > y & n < 2 & {HARD} THEN n := n + 2 END",
    "what is risky is looked at where they hold": f"Op(y) = PRE y : 0..1 & n : 2..4 & f(n) > 2 & {HARD} THEN n := n + y END",
    "a body that is not compiled": f"Op = PRE n > 3 & n < 7 THEN IF {HARD} THEN n := 1 ELSE n := 2 END END",
    "results are no conditions": f"r <-- Op = PRE r : NAT & n < 2 & {HARD} THEN r := n || n := n + 1 END",
}
NOT_TESTED = {
    "what may be ill-defined comes first": f"Op = PRE f(n) > 2 & n < 2 & {HARD} THEN f(n + 1) := 7 END",
    "from left to right where there are no parameters": f"Op = PRE {HARD} & n < 2 THEN n := n + 2 END",
    "likewise beside parameters": f"Op(y) = PRE y : 0..1 & f(n) > 2 & n < 2 & {HARD} THEN f(n + 1) := 7 END",
    "a parameter hides a variable": f"Op(n) = PRE n : 0..3 & n < 2 & {HARD} THEN f(n) := 7 END",
}


def both(path: Path, operation: str) -> bool:
    """Compare the engines on a machine with an operation; return whether that has a test."""
    path.write_text(
        f"""MACHINE M VARIABLES n, f INVARIANT n : 0..9 & f : 0..3 +-> 0..9
INITIALISATION n := 0 || f := {{0 |-> 5}}
OPERATIONS {operation};
  Up = PRE n < 9 THEN n := n + 1 END;
  Down = PRE n > 4 THEN n := n - 3 || f(2) := n - 4 END
END"""
    )
    model = load(path)
    assert facts(model.check(native=True, all=True)) == facts(model.check(native=False, all=True))
    machine = CompiledMachine(model.system, model.system.solutions)
    part = machine.actions[0]
    assert part.reason is not None
    assert part.coded == part.tested
    return part.tested


@pytest.mark.parametrize("operation", TESTED.values(), ids=TESTED.keys())
def test_where_it_is_impossible_nobody_is_asked(tmp_path: Path, operation: str) -> None:
    assert both(tmp_path / "m.mch", operation)


@pytest.mark.parametrize("operation", NOT_TESTED.values(), ids=NOT_TESTED.keys())
def test_what_hides_a_fault_is_no_test(tmp_path: Path, operation: str) -> None:
    assert not both(tmp_path / "m.mch", operation)


def test_how_often_the_evaluator_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    step = CompiledMachine.step

    def noted(self: CompiledMachine, action: int, words: tuple[int, ...]) -> object:
        asked.append(action)
        return step(self, action, words)

    monkeypatch.setattr(CompiledMachine, "step", noted)
    path = tmp_path / "m.mch"
    path.write_text(
        f"""MACHINE M VARIABLES n INVARIANT n : 0..999 INITIALISATION n := 0
OPERATIONS Up = PRE n < 999 THEN n := n + 1 END; Op = PRE n < 2 & {HARD} THEN n := n + 2 END END"""
    )
    result = load(path).check(native=True, all=True)
    assert result.statistics.states == 1000
    assert len(asked) <= 3
