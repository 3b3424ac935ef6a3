"""Formulas about models in which something is ill-defined."""

from __future__ import annotations

from pathlib import Path

import pytest

import secateur
from secateur.app.temporal.claims import Claim, Manner
from secateur.system.temporal import TemporalResult

MACHINE = """
MACHINE Partial
VARIABLES f, n
INVARIANT f : 0..2 +-> 0..1 & n : 0..2
INITIALISATION f := {} || n := 0
OPERATIONS
  Add = SELECT n < 2 THEN f(n) := 0 || n := n + 1 END;
  Use = SELECT f(0) = 1 THEN n := 0 END
END
"""


@pytest.mark.parametrize("native", [True, False])
def test_a_path_is_shown_in_spite_of_what_is_ill_defined(tmp_path: Path, native: bool) -> None:
    path = tmp_path / "Partial.mch"
    path.write_text(MACHINE)
    model = secateur.load(path)

    def judged(text: str) -> TemporalResult:
        return model.temporal([Claim(text, "ltl", text)], manner=Manner(native=native))[0]

    violated = judged("G {n < 2}")
    assert violated.holds is False
    assert violated.remark == "an event counts as not enabled where it is ill-defined"
    assert any("Use is ill-defined" in reason for reason in violated.reasons)
    unknown = judged("G {n < 3}")
    assert unknown.holds is None
