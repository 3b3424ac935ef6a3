"""Sets that are defined by rules in which they are asked for elements."""

from __future__ import annotations

from pathlib import Path

import pytest

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

MANY = """
MACHINE Many
CONSTANTS s
PROPERTIES {properties}
END
"""


def test_elements_are_found_by_the_rule(tmp_path: Path) -> None:
    path = tmp_path / "Reached.mch"
    path.write_text(REACHED)
    result = load(path).check(all=True)
    assert isinstance(result.verdict, Holds)
    assert result.statistics.operations["None"] == 4
    assert result.statistics.operations["Seven"] == 3


@pytest.mark.parametrize(
    ("properties", "solutions"),
    [
        ("s <: 0..3 & s = {x | x : 0..3 & x : s}", 16),
        ("s <: 0..3 & s = {x | x : 0..3 & (x < 2 or x + 0 : s)}", 4),
        ("s <: 0..3 & s = {x | x : 0..3 & not(x + 0 : s)}", 0),
        ("s = {x | x : 0..3 & (x + 1) mod 4 : s}", 2),
    ],
)
def test_an_equation_over_finite_sets_is_no_definition(
    tmp_path: Path, properties: str, solutions: int
) -> None:
    path = tmp_path / "Many.mch"
    path.write_text(MANY.replace("{properties}", properties))
    result = load(path).check(all=True, deadlock=False)
    assert result.statistics.operations.get("SETUP_CONSTANTS", 0) == solutions


def test_what_excludes_itself_is_no_definition(tmp_path: Path) -> None:
    path = tmp_path / "Liar.mch"
    liar = "s = {x | x : NATURAL & (x < 2 or not(x + 0 : s))}"
    path.write_text(MANY.replace("{properties}", liar))
    assert not isinstance(load(path).check(all=True, deadlock=False).verdict, Holds)
