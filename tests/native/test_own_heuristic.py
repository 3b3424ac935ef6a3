"""HEURISTIC_FUNCTION: the model says where to look first."""

from __future__ import annotations

from pathlib import Path

import pytest

from secateur import load
from secateur.source import InputError
from secateur.system.verdict import Violated

GRID = """MACHINE Grid
DEFINITIONS GOAL == (x = 20 & y = 20){more}
VARIABLES x, y
INVARIANT x : 0..40 & y : 0..40
INITIALISATION x, y := 0, 0
OPERATIONS
  east = PRE x < 40 THEN x := x + 1 END;
  north = PRE y < 40 THEN y := y + 1 END;
  back = BEGIN x, y := 0, 0 END
END
"""
DISTANCE = "; HEURISTIC_FUNCTION == max({x - 20, 20 - x}) + max({y - 20, 20 - y})"


def _grid(path: Path, more: str) -> Path:
    file = path / "Grid.mch"
    file.write_text(GRID.format(more=more))
    return file


@pytest.mark.parametrize("search", ["best", "astar"])
@pytest.mark.parametrize("heuristic", ["auto", "model"])
def test_it_guides_a_directed_search(tmp_path: Path, search: str, heuristic: str) -> None:
    model = load(_grid(tmp_path, DISTANCE))
    result = model.check(search=search, heuristic=heuristic, por="none")
    assert isinstance(result.verdict, Violated)
    assert len(result.violations[0].trace) == 41
    plain = model.check(por="none", native=True)
    assert result.statistics.states < plain.statistics.states
    if search == "best":
        assert result.statistics.states < 100


def test_the_opposite_leads_astray(tmp_path: Path) -> None:
    near = load(_grid(tmp_path, DISTANCE)).check(search="best", por="none")
    far = load(_grid(tmp_path, "; HEURISTIC_FUNCTION == 100 - x - y")).check(
        search="best", por="none"
    )
    assert near.statistics.states < far.statistics.states


@pytest.mark.parametrize(
    ("more", "code"), [("", "SEC305"), ("; HEURISTIC_FUNCTION == {x}", "SEC291")]
)
def test_what_cannot_be_asked_is_refused(tmp_path: Path, more: str, code: str) -> None:
    model = load(_grid(tmp_path, more))
    with pytest.raises(InputError) as caught:
        model.check(search="best", heuristic="model")
    assert str(caught.value.diagnostics[0].code) == code


def test_where_it_has_no_value_is_looked_at_last(tmp_path: Path) -> None:
    model = load(_grid(tmp_path, "; HEURISTIC_FUNCTION == 100 / x"))
    result = model.check(search="best", por="none")
    assert isinstance(result.verdict, Violated)
