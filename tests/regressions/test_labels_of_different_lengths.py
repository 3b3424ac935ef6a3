"""Transitions of an operation were told apart by what another one had left in their records."""

from __future__ import annotations

from pathlib import Path

import pytest

from secateur import load
from secateur.engine.native.available import why_not_native

MODEL = """MACHINE Labels
VARIABLES x, y
INVARIANT x : 0..5 & y : 0..5
INITIALISATION x := 0 || y := 0
OPERATIONS
  b(p, q) = SELECT p : 0..3 & q : 0..3 THEN ANY z WHERE z : 0..1 THEN x := (x + z + p) mod 6 END END;
  a(p) = SELECT p : 0..1 THEN CHOICE y := (y + 1) mod 6 OR y := (1 + y) mod 6 OR y := (y + p) mod 6 END END
END
"""


@pytest.mark.skipif(why_not_native() is not None, reason=f"no native engine: {why_not_native()}")
def test_transitions_are_counted_alike(tmp_path: Path) -> None:
    path = tmp_path / "Labels.mch"
    path.write_text(MODEL)
    native, python = (
        load(path).check(native=native, por="none").statistics for native in (True, False)
    )
    assert native.transitions == python.transitions
    assert native.operations == python.operations
