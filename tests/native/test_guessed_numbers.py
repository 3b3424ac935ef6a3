"""Integers without a bound: the numbers that the evaluator tries first are tried by the code, too."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("secateur._native", reason="NOT TESTED: the native module is not built")

import secateur
from secateur.app.checking.compiled import compiled_overview
from secateur.app.events import unfolded

MODEL = """
MACHINE Guessed
VARIABLES v, w
INVARIANT v : 0..9 & w : 0..9
INITIALISATION v := 0 || w := 0
OPERATIONS
  up = SELECT v < 9 & {condition} THEN v := v + 1 END;
  over = SELECT v = 9 & w < 3 THEN v := 0 || w := w + 1 END
END
"""

HOLDS = {
    "premise": "#x.(x : INTEGER & (x : 2..9 & x mod (9 - v) = 0 => !t.(t : 2..8 => x mod t /= 0)))",
    "first guess": "#x.(x < v + 1)",
    "second guess": "#x.(x > 0 & x <= v + w + 1)",
    "two at once": "#(x, y).(x + y <= v)",
}
OTHERS = {
    "neither": "#x.(x > v + 3)",
    "never": "#x.(x > v & x < v)",
    "not always": "#x.(x > w & x * x <= w + 1)",
    "ill-defined": "#x.(x / (x * v) > 4)",
    "ill-defined later": "#x.(x > 1 & v / (w - 1) > x)",
}


@pytest.mark.parametrize("condition", [*HOLDS.values(), *OTHERS.values()], ids=[*HOLDS, *OTHERS])
def test_the_engines_agree(tmp_path: Path, condition: str) -> None:
    path = tmp_path / "Guessed.mch"
    path.write_text(MODEL.format(condition=condition), encoding="utf-8")

    def seen(native: bool) -> tuple[Any, ...]:
        result = secateur.load(path).check(all=True, native=native)
        told = sorted((v.kind.value, v.name, v.message, v.count) for v in result.violations)
        return result.statistics.states, result.statistics.operations, told, result.reasons

    assert seen(native=True) == seen(native=False)


@pytest.mark.parametrize("condition", HOLDS.values(), ids=HOLDS)
def test_it_is_compiled(tmp_path: Path, condition: str) -> None:
    path = tmp_path / "Guessed.mch"
    path.write_text(MODEL.format(condition=condition), encoding="utf-8")
    overview = compiled_overview(secateur.load(path).system)
    assert all(part.reason is None for part in overview.parts)


HIDDEN = """
MACHINE Hidden
VARIABLES a, b, c
INVARIANT a : 0..7 & b : 0..1 & c : 0..1
INITIALISATION a := 1 || b := 0 || c := 0
OPERATIONS
  grow = SELECT a < 6 THEN a := a + 1 END;
  solve = SELECT b = 0 & {condition} THEN b := 1 END;
  aside = SELECT c = 0 THEN c := 1 END
END
"""
"""What the guesses 0 and 1 need of the state is less than what the condition is about."""

NEEDED = {
    "none of it": "#x.(x > 1 & x * x = a)",
    "behind a name": "LET y BE y = a + 1 IN #x.(x > 1 & x * x = y) END",
    "all": "#x.(x * a = a)",
}


@pytest.mark.parametrize("por", ["stubborn", "upset", "ample", "best"])
@pytest.mark.parametrize("condition", NEEDED.values(), ids=NEEDED)
def test_what_the_evaluator_needs_counts_as_read(tmp_path: Path, condition: str, por: str) -> None:
    path = tmp_path / "Hidden.mch"
    path.write_text(HIDDEN.format(condition=condition), encoding="utf-8")
    model = secateur.load(path)
    for goal in ("b = 1", "b = 1 & a < 4", "b = 1 & c = 0"):
        full = model.check(goal=goal, deadlock=False, por="none")
        reduced = model.check(goal=goal, deadlock=False, por=por)
        assert bool(reduced) == bool(full), goal
    full = model.check(por="none", stop_at=["deadlock"])
    assert bool(model.check(por=por, stop_at=["deadlock"])) == bool(full)


@pytest.mark.parametrize("condition", NEEDED.values(), ids=NEEDED)
def test_the_reads_of_an_action_are_those_of_its_condition(tmp_path: Path, condition: str) -> None:
    path = tmp_path / "Hidden.mch"
    path.write_text(HIDDEN.format(condition=condition), encoding="utf-8")
    system = secateur.load(path).system
    events = unfolded(system)
    (solve,) = (a for a in events.actions if a.operation == "solve")
    (grow,) = (a for a in events.actions if a.operation == "grow")
    assert grow.may_write
    assert solve.sees & grow.may_write == grow.may_write
