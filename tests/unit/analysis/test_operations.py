"""What is said of operations, against all lawful states."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from secateur.analysis.operations import (
    Dependency,
    Influence,
    dependency,
    influence,
    sets_of,
    together,
)
from secateur.analysis.relations import EventRelations
from tests.unit.analysis.systems import Oracle, toys

NEVER = {Influence.APART, Influence.KEEP}


@given(st.integers(0, 2**32))
def test_influences(seed: int) -> None:
    toy = toys(Random(seed))
    oracle, relations = Oracle(toy), EventRelations(toy)
    for a in range(3):
        for b in range(3):
            found = influence(relations, a, b)
            changes = set()
            for s in oracle.everywhere:
                if oracle.possible(a, s):
                    results = oracle.results(a, s)
                    before = oracle.possible(b, s)
                    after = (
                        {True, False}
                        if results is None
                        else {oracle.possible(b, t) for t in results}
                    )
                    changes |= {(before, new) for new in after}
            if found is Influence.APART:
                continue
            if found in NEVER | {Influence.DISABLE, Influence.IMPOSSIBLE}:
                assert (False, True) not in changes
            if found in NEVER | {Influence.ENABLE, Influence.GUARANTEED}:
                assert (True, False) not in changes
            if found is Influence.GUARANTEED:
                assert not {(True, False), (False, False)} & changes
            if found is Influence.IMPOSSIBLE:
                assert not {(True, True), (False, True)} & changes


@given(st.integers(0, 2**32))
def test_dependencies_have_a_kind(seed: int) -> None:
    toy = toys(Random(seed))
    relations = EventRelations(toy)
    for a in range(3):
        for b in range(3):
            kind = dependency(relations, a, b)
            assert (kind is Dependency.NONE) == (not relations.dependent(a, b).yes)
    sets = sets_of(toy.actions)
    assert (
        sets.write == toy.actions[0].may_write | toy.actions[1].may_write | toy.actions[2].may_write
    )


def test_operations_are_their_instances() -> None:
    apart, keep, always = Influence.APART, Influence.KEEP, Influence.GUARANTEED
    assert together([[apart, apart], [apart, apart]]) is apart
    assert together([[apart, keep]]) is keep
    assert together([[always, keep], [keep, always]]) is always
    assert together([[always, keep], [keep, keep]]) is Influence.ENABLE
    assert together([[Influence.IMPOSSIBLE]]) is Influence.IMPOSSIBLE
    assert together([[Influence.IMPOSSIBLE, keep]]) is Influence.DISABLE
    assert together([[Influence.ENABLE, Influence.DISABLE]]) is Influence.BOTH
