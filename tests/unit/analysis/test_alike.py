"""Questions that are the same are asked once, and guards are kept apart all at a time."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from secateur.analysis.effort import Effort
from secateur.analysis.exclusion import Exclusion, Neighbours
from secateur.analysis.relations import EventRelations
from secateur.engine.reduce.lookup import Lookup
from tests.unit.analysis.coded import CodedToy, coded_toys

seeds = st.integers(0, 2**32)
NO_SOLVER = Effort(ticks=0)


def _twice(seed: int) -> CodedToy:
    """Return a random system whose first action is there twice."""
    toy = coded_toys(Random(seed))
    toy.events.append(toy.events[0])
    toy.actions.append(replace(toy.actions[0], operation="again"))
    return toy


@given(seeds)
def test_conjuncts_of_one_code_have_one_answer(seed: int) -> None:
    toy = _twice(seed)
    relations = EventRelations(toy, NO_SOLVER)
    last = len(toy.actions) - 1
    for conjunct in range(len(toy.actions[0].guard)):
        assert relations.first_alike(last, conjunct) == relations.first_alike(0, conjunct)
        for a in range(len(toy.actions)):
            relations.enables(a, 0, conjunct)
            relations.disables(a, 0, conjunct)
            asked = len(relations.answers)
            assert relations.enables(a, last, conjunct) == relations.enables(a, 0, conjunct)
            assert relations.disables(a, last, conjunct) == relations.disables(a, 0, conjunct)
            assert len(relations.answers) == asked
    result = len(toy.actions[0].guard)
    assert relations.first_alike(last, result) == (last, result)


@given(seeds)
def test_who_enables_a_conjunct_of_the_same_code(seed: int) -> None:
    toy = _twice(seed)
    relations = EventRelations(toy, NO_SOLVER)
    lookup = Lookup(toy, relations)
    everybody = range(len(toy.actions))
    for b in reversed(everybody):
        for conjunct in range(lookup.conjuncts(b)):
            one_by_one = [a for a in everybody if relations.enables(a, b, conjunct).yes and a != b]
            assert list(lookup.enablers(b, conjunct)) == one_by_one


@given(seeds)
def test_all_that_are_apart_from_an_action(seed: int) -> None:
    toy = _twice(seed)
    relations = EventRelations(toy, NO_SOLVER)
    relations.tables.most = NO_SOLVER.quick
    needs = [list(relations.tables.needs(a)) for a in range(len(toy.actions))]
    exclusion = Exclusion()
    neighbours = Neighbours(exclusion, needs)
    for a, mine in enumerate(needs):
        for b, others in enumerate(needs):
            apart = any(exclusion.are_apart(one, other) for one in mine for other in others)
            assert bool(neighbours.apart(a) >> b & 1) == apart
