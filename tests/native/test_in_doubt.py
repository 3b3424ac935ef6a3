"""A reduced search that has passed a fault is repeated with relations over all states."""

from __future__ import annotations

from pathlib import Path

import pytest

import secateur
from secateur.analysis.assumptions import NOTHING, REACHABLE, Assumptions
from secateur.analysis.effort import USUAL, Effort
from secateur.app.checking import pruned
from secateur.app.checking.merged import Merge
from secateur.engine.plan import Plan
from secateur.system.verdict import Holds, Violated

FAULTY = """
MACHINE Faulty
VARIABLES x, y, z
INVARIANT x : 0..3 & y : 0..3 & z : 0..3
INITIALISATION x, y, z := 3, 0, 0
OPERATIONS
  down = PRE x > 0 THEN x := x - 1 END;
  up = PRE y < 2 THEN y := y + 1 END;
  divide = PRE y = 2 & z = 0 THEN z := 3 / x END;
  again = PRE z > 0 & x = 0 THEN x := 3 END
END
"""


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[Assumptions]:
    """Return what was assumed in each run."""
    seen: list[Assumptions] = []
    original = pruned.Pruner.__init__

    def noting(
        self: pruned.Pruner,
        planned: Plan,
        assumptions: Assumptions = REACHABLE,
        effort: Effort = USUAL,
        merge: Merge | None = None,
    ) -> None:
        seen.append(assumptions)
        original(self, planned, assumptions, effort, merge)

    monkeypatch.setattr(pruned.Pruner, "__init__", noting)
    return seen


@pytest.mark.parametrize("native", [True, False])
@pytest.mark.parametrize("por", ["best", "upset", "stubborn", "ample"])
def test_all_errors_behind_a_fault(
    native: bool, por: str, tmp_path: Path, runs: list[Assumptions]
) -> None:
    (tmp_path / "Faulty.mch").write_text(FAULTY)
    model = secateur.load(tmp_path / "Faulty.mch")
    full = model.check(all=True, por="none", native=native)
    runs.clear()
    reduced = model.check(all=True, por=por, native=native)
    assert isinstance(reduced.verdict, Violated)
    assert {v.name for v in reduced.violations} == {v.name for v in full.violations}
    assert runs == [REACHABLE, NOTHING]


def test_the_first_error_is_enough(tmp_path: Path, runs: list[Assumptions]) -> None:
    (tmp_path / "Faulty.mch").write_text(FAULTY)
    result = secateur.load(tmp_path / "Faulty.mch").check(por="best", deadlock=False)
    assert isinstance(result.verdict, Violated)
    assert runs == [REACHABLE]


def test_without_a_fault_nothing_is_repeated(tmp_path: Path, runs: list[Assumptions]) -> None:
    (tmp_path / "Faulty.mch").write_text(FAULTY.replace("3 / x", "3"))
    result = secateur.load(tmp_path / "Faulty.mch").check(por="best", deadlock=False)
    assert isinstance(result.verdict, Holds)
    assert runs == [REACHABLE]
