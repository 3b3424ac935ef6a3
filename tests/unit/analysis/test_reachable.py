"""What is proven of reachable states, against all of them; and relations that rely on it."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from secateur.analysis import reachable as limits
from secateur.analysis.assumptions import REACHABLE, Assumptions
from secateur.analysis.effort import USUAL, Effort
from secateur.analysis.reachable import Reachable
from secateur.analysis.relations import EventRelations
from secateur.system.relations import Ground
from tests.unit.analysis.systems import Oracle, Toy, cautious, toys
from tests.unit.analysis.test_relations import _with_faults, answers

seeds = st.integers(0, 2**32)


def reached(toy: Toy) -> set[int]:
    """Return the states that are reached by steps that are not at fault."""
    seen: set[int] = set()
    waiting = list(toy.first)
    while waiting:
        state = waiting.pop()
        if state not in seen:
            seen.add(state)
            for number in range(len(toy.actions)):
                if toy.guard(number, state).holds:
                    waiting += toy.results(number, state) or ()
    return seen


def found_for(toy: Toy, effort: Effort = USUAL) -> tuple[EventRelations, Reachable | None]:
    relations = EventRelations(toy, effort, REACHABLE)
    relations.faults(0)  # the first question is when it is looked for
    return relations, relations.reachable


def satisfies(toy: Toy, found: Reachable, state: int) -> bool:
    alone = all(state & toy.slots[n].bits in codes for n, codes in found.codes.items())
    return alone and all(p.values[state & p.mask] for p in found.together)


def over(toy: Toy, states: list[int]) -> Oracle:
    """Return the definitions, over some states."""
    oracle = Oracle(toy)
    oracle.states = oracle.everywhere = states
    return oracle


@given(seeds)
def test_every_reachable_state_is_told(seed: int) -> None:
    toy = toys(Random(seed), actions=4)
    _, found = found_for(toy)
    assert found is not None
    assert all(satisfies(toy, found, s) for s in reached(toy))


@given(seeds)
def test_no_step_leaves_what_is_told(seed: int) -> None:
    toy = toys(Random(seed), actions=4)
    _, found = found_for(toy)
    assert found is not None
    for state in toy.states():
        if satisfies(toy, found, state):
            for number in range(len(toy.actions)):
                if toy.guard(number, state).holds:
                    for result in toy.results(number, state) or ():
                        assert satisfies(toy, found, result)


@given(seeds, st.integers(0, 40), st.sampled_from([(8, 2, 0), (1, 0), (0,)]))
def test_also_with_little_effort(seed: int, codes: int, pairs: tuple[int, ...]) -> None:
    toy = toys(Random(seed), actions=4)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(limits, "MOST_PAIRS", pairs)
        patch.setattr(limits, "MOST_STEPS", 200)
        relations, found = found_for(toy, Effort(codes=codes))
    if found is not None:
        assert all(satisfies(toy, found, s) for s in reached(toy))
    _never_wrong(relations, toy, over(toy, sorted(reached(toy))))


def _never_wrong(relations: EventRelations, toy: Toy, oracle: Oracle) -> None:
    for what, answer, truth, useful in answers(relations, oracle):
        if answer.ground is not Ground.APART or not _with_faults(toy):
            assert cautious(answer, truth, useful=useful), what


@given(seeds, st.booleans())
def test_relations_are_right_for_all_reachable_states(seed: int, assuming: bool) -> None:
    toy = toys(Random(seed), actions=4)
    found = found_for(toy)[1]
    assert found is not None
    told = [s for s in toy.states() if satisfies(toy, found, s)]
    checks = frozenset(range(len(toy.checks))) if assuming else frozenset()
    relations = EventRelations(toy, assumptions=Assumptions(checks, reachable=True))
    for states in (told, sorted(reached(toy))):
        oracle = over(toy, states)
        oracle.states = [s for s in states if all(toy.holds(n, s) is not False for n in checks)]
        _never_wrong(relations, toy, oracle)


@given(seeds)
def test_what_is_told_only_helps(seed: int) -> None:
    toy = toys(Random(seed), actions=4)
    oracle = Oracle(toy)
    relations, plain = EventRelations(toy, assumptions=REACHABLE), EventRelations(toy)
    for (what, answer, _, useful), (_, other, _, _) in zip(
        answers(relations, oracle), answers(plain, oracle), strict=True
    ):
        assert answer.yes in (other.yes, useful), what


def test_it_is_of_use() -> None:
    better = 0
    for seed in range(60):
        toy = toys(Random(seed), actions=4)
        oracle = Oracle(toy)
        relations, plain = EventRelations(toy, assumptions=REACHABLE), EventRelations(toy)
        before = [answer.yes for _, answer, _, _ in answers(plain, oracle)]
        better += before != [answer.yes for _, answer, _, _ in answers(relations, oracle)]
    assert better > 30


def test_without_time_nothing_is_told() -> None:
    assert found_for(toys(Random(1)), Effort(seconds=0.0))[1] is None
