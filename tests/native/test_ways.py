"""The way to a state is executed by the evaluator: only what can have changed its bits is tried."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

import secateur
from secateur.lang.compile.machine import CompiledMachine
from secateur.system.system import Outgoing, State

MODEL = """
MACHINE Way
VARIABLES a, b
INVARIANT a : 0..60 & b : 0..60 & {invariant}
INITIALISATION a := 0 || b := 0
OPERATIONS
  {operations}
END
"""
APART = "up = SELECT a < 60 THEN a := a + 1 END; down = SELECT a = 60 & b < 60 THEN b := b + 1 END"
ALIKE = "one = SELECT a < 60 & a mod 2 = 0 THEN a := a + 1 END; two = SELECT a < 60 & a mod 2 = 1 THEN a := a + 1 END"
CHOICE = "go(x) = SELECT x : 1..3 & a + x <= 60 THEN a := a + x END"


def _check(folder: Path, operations: str, invariant: str) -> secateur.Result:
    file = folder / "Way.mch"
    file.write_text(MODEL.format(operations=operations, invariant=invariant), encoding="utf-8")
    return secateur.load(file).check(native=True, por="none", engine="explicit")


# Operations, an invariant, the steps to where it fails, and how often each operation is tried.
CASES = (
    (APART, "b < 60", 120, {0: 60, 1: 60}),
    (ALIKE, "a < 60", 60, {0: 60, 1: 30}),  # what comes first is tried first
    (CHOICE, "a < 60", 20, {0: 20}),
)


@pytest.mark.parametrize("case", CASES)
def test_what_cannot_lead_there_is_not_executed(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    case: tuple[str, str, int, dict[int, int]],
) -> None:
    operations, invariant, steps, tried = case
    asked: Counter[int] = Counter()
    outcomes = CompiledMachine.outcomes

    def counted(self: CompiledMachine, action: int, state: State) -> Iterator[Outgoing]:
        asked[action] += 1
        return outcomes(self, action, state)

    monkeypatch.setattr(CompiledMachine, "outcomes", counted)
    (violation,) = _check(tmp_path, operations, invariant).violations
    assert len(violation.trace.steps) == steps + 1
    assert asked == tried
