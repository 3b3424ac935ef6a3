"""Two steps of an action are not alike because guards see no difference: one may not occur."""

from __future__ import annotations

from pathlib import Path

import pytest

import secateur
from secateur.system.system import PropertyKind

TOGGLED = """MACHINE Toggled
VARIABLES g, p, q, i
INVARIANT g : 0..1 & p : 1..2 & q : 1..2 & i : 0..1
INITIALISATION g, p, q, i := 0, 1, 1, 0
OPERATIONS
  toggle = SELECT p = 1 THEN g, p := 1 - g, 2 END;
  look = SELECT q = 1 THEN i, q := g * (1 - g), 2 END
END
"""


@pytest.mark.parametrize("por", ["none", "upset", "best", "stubborn", "ample"])
def test_the_deadlock_is_found(tmp_path: Path, por: str) -> None:
    # `look` leads to it, but not where g is 0: no guard looks at g
    file = tmp_path / "Toggled.mch"
    file.write_text(TOGGLED)
    result = secateur.load(file).check(all=True, por=por, symmetry="none")
    assert {v.kind for v in result.violations} == {PropertyKind.DEADLOCK}
