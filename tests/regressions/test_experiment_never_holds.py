"""Where errors may be missed on purpose, no engine says that a model holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from secateur import load
from secateur.engine.native.available import why_not_native
from secateur.system.verdict import Incomplete

MODEL = """MACHINE Experiment
VARIABLES x, y
INVARIANT x : 0..3 & y : 0..3 & (x = 3 => y < 4)
INITIALISATION x := 0 || y := 0
OPERATIONS
  a = BEGIN x := (x + 1) mod 4 END;
  b = BEGIN y := (y + 1) mod 4 END
END
"""


@pytest.mark.parametrize("native", [False, True])
def test_the_verdict_is_incomplete(tmp_path: Path, native: bool) -> None:
    if native and why_not_native() is not None:
        pytest.skip(f"no native engine: {why_not_native()}")
    path = tmp_path / "Experiment.mch"
    path.write_text(MODEL)
    result = load(path).check(
        por="stubborn", proviso="none", experiment=True, native=native, deadlock=False
    )
    assert isinstance(result.verdict, Incomplete)
    assert any("--experiment" in reason for reason in result.reasons)
