"""A machine that is included twice promises the same of different variables."""

from pathlib import Path

import pytest

import secateur

INNER = """
MACHINE Inner
VARIABLES v
INVARIANT v : 0..1
INITIALISATION v := 0
OPERATIONS Step = BEGIN v := v + 1 END
END
"""
OUTER = """
MACHINE Outer
INCLUDES one.Inner, two.Inner
OPERATIONS
  First = SELECT one.v < 2 THEN one.Step END;
  Second = SELECT two.v < 3 THEN two.Step END
END
"""


@pytest.mark.parametrize("native", [False, True])
def test_each_is_reported_under_its_own_name(tmp_path: Path, native: bool) -> None:
    (tmp_path / "Inner.mch").write_text(INNER)
    path = tmp_path / "Outer.mch"
    path.write_text(OUTER)
    result = secateur.load(path).check(native=native, all=True, deadlock=False)
    found = {v.name: v.count for v in result.violations}
    assert found == {"one.v : 0 .. 1": 4, "two.v : 0 .. 1": 6}
