"""A violated invariant that nobody asks about must not end the search."""

from __future__ import annotations

from pathlib import Path

import pytest

from secateur import load
from secateur.engine.native.available import why_not_native

MODEL = """MACHINE Unchecked
VARIABLES x, y
INVARIANT x : 0..20 & y : 0..20 & x < 3
INITIALISATION x := 0 || y := 0
OPERATIONS
  up = SELECT x < 20 THEN x := x + 1 END;
  over = SELECT y < 20 THEN y := y + 1 END
END
"""


@pytest.mark.parametrize("native", [False, True])
def test_everything_is_visited(tmp_path: Path, native: bool) -> None:
    if native and why_not_native() is not None:
        pytest.skip(f"no native engine: {why_not_native()}")
    path = tmp_path / "Unchecked.mch"
    path.write_text(MODEL)
    result = load(path).check(invariant=False, native=native)
    assert result.statistics.states == 21 * 21
    assert [v.kind.value for v in result.violations] == ["deadlock"]
    assert result.exhaustive


ILL_DEFINED = """MACHINE IllDefined
VARIABLES x
INVARIANT x : 0..3 & 6 / x > 0
INITIALISATION x := 3
OPERATIONS
  down = SELECT x > 0 THEN x := x - 1 END;
  up = SELECT x = 0 THEN x := 3 END
END
"""


@pytest.mark.parametrize("native", [False, True])
def test_what_is_wrong_with_it_is_not_told_either(tmp_path: Path, native: bool) -> None:
    if native and why_not_native() is not None:
        pytest.skip(f"no native engine: {why_not_native()}")
    path = tmp_path / "IllDefined.mch"
    path.write_text(ILL_DEFINED)
    model = load(path)
    assert not model.check(invariant=False, native=native, all=True).violations
    assert model.check(native=native, all=True).violations
