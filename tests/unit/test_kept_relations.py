"""What is found out about actions serves the next reduced search on the same model."""

from __future__ import annotations

from pathlib import Path

import pytest

import secateur
from secateur.analysis.relations import EventRelations
from secateur.analysis.solving import relations_of
from secateur.app.checking import kept, pruned
from secateur.app.model import CheckOptions, Model
from secateur.engine.limits import Interrupted

COUNTERS = """
MACHINE Counters
VARIABLES a, b
INVARIANT a : 0..9 & b : 0..9 & a + b < 15
INITIALISATION a, b := 0, 0
OPERATIONS
  up_a = PRE a < 9 THEN a := a + 1 END;
  up_b = PRE b < 9 THEN b := b + 1 END;
  reset = PRE a = 9 THEN a := 0 END
END
"""
REDUCED: CheckOptions = {"por": "stubborn", "symmetry": "none", "all": True}


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[EventRelations]:
    """All relations that are made from now on."""
    found: list[EventRelations] = []
    make = relations_of

    def noted(*args: object) -> EventRelations:
        found.append(make(*args))  # type: ignore[arg-type]
        return found[-1]

    monkeypatch.setattr(pruned, "relations_of", noted)
    return found


@pytest.fixture
def model(tmp_path: Path) -> Model:
    file = tmp_path / "Counters.mch"
    file.write_text(COUNTERS, encoding="utf-8")
    return secateur.load(file)


def test_relations_are_found_once(model: Model, made: list[EventRelations]) -> None:
    first = model.check(**REDUCED)
    several = len(made)
    again = model.check(**REDUCED)
    other = model.check(**{**REDUCED, "por": "ample"})  # type: ignore[arg-type]
    assert len(made) == several
    assert (again.statistics.states, again.verdict) == (first.statistics.states, first.verdict)
    assert type(other.verdict) is type(first.verdict)


def test_another_question_has_relations_of_its_own(
    model: Model, made: list[EventRelations]
) -> None:
    model.check(**REDUCED)
    several = len(made)
    options: CheckOptions = {**REDUCED, "invariant": False}
    model.check(**options)
    assert len(made) > several


def test_what_was_interrupted_is_not_kept(model: Model, made: list[EventRelations]) -> None:
    model.check(**REDUCED)
    several = len(made)
    with pytest.raises(Interrupted), made[-1].purse:
        raise Interrupted
    model.check(**REDUCED)
    assert len(made) > several


def test_there_is_time_again(model: Model, made: list[EventRelations]) -> None:
    model.check(**REDUCED)
    relations = made[-1]
    relations.answers.clear()
    relations.purse.spent = relations.purse.effort.seconds
    assert relations.purse.empty
    late = relations.dependent(0, 2)
    assert late.yes
    assert late.remark == "no time was left"
    relations.resume()
    assert relations.purse.spent == 0.0
    assert relations.dependent(0, 2).remark != late.remark


def test_no_more_is_kept_than_can_be_of_use(model: Model) -> None:
    for kinds in ({}, {"invariant": False}, {"deadlock": False}):
        model.check(**{**REDUCED, **kinds})  # type: ignore[arg-type]
    assert 0 < len(model.system.kept) <= kept._MOST
