"""Conditions between the binders of one comprehension say nothing of the states around it."""

from pathlib import Path

import pytest

import secateur

MACHINE = """
MACHINE Below
VARIABLES x, n
INVARIANT x : 0..1 & n : 0..20
INITIALISATION x := 0 || n := 0
OPERATIONS
  Count = SELECT n = 0 THEN n := card({x, y | x : 0..3 & y : NATURAL & y < x}) END;
  Move = SELECT x = 0 THEN x := 1 END
END
"""


@pytest.mark.parametrize("native", [False, True])
def test_a_variable_of_the_same_name_is_no_bound(tmp_path: Path, native: bool) -> None:
    path = tmp_path / "Below.mch"
    path.write_text(MACHINE)
    result = secateur.load(path).check(native=native, goal="n = 6", deadlock=False)
    assert [v.kind.value for v in result.violations] == ["goal"]
