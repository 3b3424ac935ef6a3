"""Sets that are defined by rules in which they are asked for elements."""

from __future__ import annotations

from pathlib import Path

from secateur import load
from secateur.system.verdict import Holds

REACHED = """
MACHINE Reached
SETS N = {a, b, c, d}
ABSTRACT_CONSTANTS within
CONSTANTS graph
PROPERTIES
  graph = {a |-> b, b |-> c, c |-> a} &
  within = {i, x, y | i = 0 & x = y & x : N} \\/
           {i, x, y | i > 0 & #z.((i - 1, x, z) : within & (z, y) : graph)}
OPERATIONS
  None(x, y) = PRE x : N & y : N & (0, x, y) : within THEN skip END;
  Seven(x, y) = PRE x : N & y : N & (7, x, y) : within THEN skip END
END
"""

ITSELF = """
MACHINE Itself
CONSTANTS s
PROPERTIES s <: 0..3 & s = {x | x : 0..3 & x : s}
END
"""


def test_elements_are_found_by_the_rule(tmp_path: Path) -> None:
    path = tmp_path / "Reached.mch"
    path.write_text(REACHED)
    result = load(path).check(all=True)
    assert isinstance(result.verdict, Holds)
    assert result.statistics.operations["None"] == 4
    assert result.statistics.operations["Seven"] == 3


def test_an_equation_with_many_solutions_is_no_definition(tmp_path: Path) -> None:
    path = tmp_path / "Itself.mch"
    path.write_text(ITSELF)
    result = load(path).check(all=True, deadlock=False)
    assert result.statistics.operations["SETUP_CONSTANTS"] == 16
