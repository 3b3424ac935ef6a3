"""What is found out about events before a reduced search begins is part of the time of a run.

It was not where Python explores: an analysis of a minute and a half was waited for with
`--max-seconds 3`.
"""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from secateur import load
from secateur.app.checking.pruned import Pruner
from secateur.engine.native.available import why_not_native

MODEL = """MACHINE Two
VARIABLES x, y
INVARIANT x : 0..3 & y : 0..3
INITIALISATION x := 0 || y := 0
OPERATIONS
  east = SELECT x < 3 THEN x := x + 1 END;
  north = SELECT y < 3 THEN y := y + 1 END
END
"""


@pytest.mark.parametrize("native", [False, True])
def test_the_analysis_ends_with_the_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, native: bool
) -> None:
    if native and why_not_native() is not None:
        pytest.skip(f"no native engine: {why_not_native()}")

    def endless(_self: Pruner, _machine: object) -> None:
        while True:
            time.sleep(0.01)

    monkeypatch.setattr(Pruner, "prepare", endless)
    path = tmp_path / "Two.mch"
    path.write_text(MODEL)
    begun = time.monotonic()
    result = load(path).check(por="stubborn", native=native, max_seconds=0.5)
    assert time.monotonic() - begun < 20
    assert result.reasons == ("the limit of 0.5 seconds was reached",)
    assert not result.exhaustive
