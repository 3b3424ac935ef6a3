"""The Python API."""

from __future__ import annotations

from pathlib import Path

import pytest

import secateur
from secateur.system.answer import Decided, Evaluated, Undefined

MACHINE = """
MACHINE Buffer
VARIABLES n
INVARIANT n : 0..3
INITIALISATION n := 0
OPERATIONS
  put = PRE n < 3 THEN n := n + 1 END;
  r <-- get = PRE n > 0 THEN n := n - 1 || r := n END
END
"""


@pytest.fixture
def model(tmp_path: Path) -> secateur.Model:
    file = tmp_path / "Buffer.mch"
    file.write_text(MACHINE)
    return secateur.load(file)


def test_a_verified_model_is_true(model: secateur.Model) -> None:
    result = model.check()
    assert result
    assert result.verdict == secateur.Holds(exhaustive=True)
    assert (result.statistics.states, result.statistics.transitions) == (4, 7)
    assert result.trace is None


def test_a_goal_is_found_with_its_trace(model: secateur.Model) -> None:
    result = model.check(goal="n = 2")
    assert not result
    assert result.trace is not None
    assert [s.operation for s in result.trace.steps] == ["INITIALISATION", "put", "put"]
    assert not model.check(goal="n = 9").violations


def test_limits_make_a_result_false(model: secateur.Model) -> None:
    result = model.check(max_states=2)
    assert not result
    assert isinstance(result.verdict, secateur.Incomplete)


def test_states_and_transitions_can_be_walked(model: secateur.Model) -> None:
    states = list(model.states())
    assert sorted(model.values(s)["n"] for s in states) == [0, 1, 2, 3]
    assert sum(len(list(model.transitions(s))) for s in states) == 6
    assert [t.step.operation for t in model.initial_transitions()] == ["INITIALISATION"]


def test_expressions_are_evaluated_in_a_state(model: secateur.Model) -> None:
    assert model.evaluate("n + 1") == Evaluated(1)
    last = list(model.states())[-1]
    assert model.evaluate("n * n", last) == Evaluated(9)
    assert model.evaluate("n > 2", last) == Decided(truth=True)
    assert model.evaluate("x : 0..3 & x > n") == Decided(truth=True, solution=(("x", 1),))
    assert isinstance(model.evaluate("1 / n"), Undefined)


def test_bad_input_is_an_input_error(model: secateur.Model, tmp_path: Path) -> None:
    with pytest.raises(secateur.InputError):
        secateur.load(tmp_path / "nothing.mch")
    with pytest.raises(secateur.InputError):
        model.evaluate("n +")
    with pytest.raises(secateur.InputError):
        model.evaluate("n + q")
    with pytest.raises(secateur.InputError):
        model.check(goal="q = 1")
    with pytest.raises(secateur.InputError):
        model.check(search="zigzag")


def test_only_what_is_promised_is_there() -> None:
    assert all(hasattr(secateur, name) for name in secateur.__all__)
    with pytest.raises(AttributeError):
        secateur.nothing  # noqa: B018
