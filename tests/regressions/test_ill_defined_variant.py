"""A variant that nobody asks about may be ill-defined: with a reduction, that was not noticed.

An exploration in full evaluates what events promise in any case; a reduced one left the promises
that were not asked for out of its analysis, and held a single state for enough.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from secateur import load
from secateur.engine.native.available import why_not_native

MODEL = """machine Late
variables x
invariants
  @inv x ∈ 0‥5
variant 1000 − 100 ÷ (5 − x)
events
  event INITIALISATION
    then
      @act x ≔ 1
  end
  convergent event up
    where
      @grd x < 5
    then
      @act x ≔ x + 1
  end
end
"""


@pytest.mark.parametrize("native", [False, True])
@pytest.mark.parametrize("por", ["none", "best", "upset", "stubborn", "ample"])
def test_every_search_finds_it(tmp_path: Path, por: str, native: bool) -> None:
    if native and why_not_native() is not None:
        pytest.skip(f"no native engine: {why_not_native()}")
    path = tmp_path / "Late.eventb"
    path.write_text(MODEL, encoding="utf-8")
    result = load(path).check(por=por, native=native, deadlock=False, variant=False)
    assert [(v.kind.value, v.name) for v in result.violations] == [("welldefinedness", "up")]
