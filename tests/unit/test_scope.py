"""SCOPE: only from states in which it holds is anything explored."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import secateur
from secateur.lang.scoped import LIMITED
from secateur.source import InputError

MACHINE = """
MACHINE Walk
DEFINITIONS SCOPE == x < 3
VARIABLES x, y
INVARIANT x : NATURAL & y : BOOL & x /= 5
INITIALISATION x := 0 || y := FALSE
OPERATIONS
  step = PRE y = FALSE THEN x := x + 1 END;
  jump(n) = SELECT n : 2..3 & x = 0 THEN x := n END;
  flip = y := bool(y = FALSE)
END
"""


@pytest.fixture
def walk(tmp_path: Path) -> secateur.Model:
    path = tmp_path / "Walk.mch"
    path.write_text(MACHINE)
    return secateur.load(path)


WAYS: list[dict[str, Any]] = [
    {},
    {"native": True},
    {"native": False},
    {"search": "df"},
    {"engine": "symbolic"},
    {"por": "stubborn"},
    {"por": "ample"},
]


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_states_outside_are_not_looked_at(walk: secateur.Model, way: dict[str, Any]) -> None:
    result = walk.check(**way)
    assert isinstance(result.verdict, secateur.Incomplete)
    assert result.reasons == (LIMITED,)
    assert "outside of SCOPE" not in (
        *result.statistics.operations,
        *result.statistics.never_enabled,
    )
    if "por" not in way:
        assert result.statistics.states == 6
        # One step and one flip from each, jumps to 2 and 3 from both states with x = 0, and the first.
        assert result.statistics.transitions == 3 + 6 + 4 + 1


@pytest.mark.parametrize("way", WAYS, ids=str)
def test_a_scope_that_is_never_left(walk: secateur.Model, way: dict[str, Any]) -> None:
    result = walk.check(scope="x < 5 or x = 5", **way)
    assert [v.name for v in result.violations] == ["x /= 5"]
    assert all(step.operation != "outside of SCOPE" for step in result.violations[0].trace.steps)
    inside = walk.check(scope="x : NATURAL & x /= 5", **way)
    assert inside.reasons == (LIMITED,)


def test_nothing_outside_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "Walk.mch"
    path.write_text(MACHINE.replace("x := x + 1", "x := (x + 1) mod 3").replace("2..3", "2..2"))
    assert secateur.load(path).check()


def test_deadlocks_are_found_inside_only(tmp_path: Path) -> None:
    path = tmp_path / "Walk.mch"
    path.write_text(
        MACHINE.replace("flip = y := bool(y = FALSE)", "flip = SELECT x = 2 THEN y := TRUE END")
    )
    model = secateur.load(path)
    assert [v.kind.value for v in model.check(invariant=False).violations] == []
    stopping = path.read_text().replace("x := x + 1", "x := x + 1 || y := TRUE")
    path.write_text(stopping)
    (violation,) = secateur.load(path).check(invariant=False).violations
    assert violation.kind.value == "deadlock"


def test_the_goal_is_inside(walk: secateur.Model) -> None:
    assert walk.check(goal="x = 2").violations
    assert not walk.check(goal="x = 3").violations
    assert walk.check(goal="x = 3", scope="x < 4").violations


def test_without_a_scope(walk: secateur.Model) -> None:
    assert [v.name for v in walk.check(scope=False).violations] == ["x /= 5"]


@pytest.mark.parametrize("text", ["x", "z = 3", "x <"])
def test_a_scope_that_is_no_predicate(walk: secateur.Model, text: str) -> None:
    with pytest.raises(InputError):
        walk.check(scope=text)
