"""What the language of a system knows of its states; and what runs and guards show at once."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from secateur.analysis.assumptions import REACHABLE
from secateur.analysis.effort import USUAL, Purse
from secateur.analysis.exclusion import Exclusion
from secateur.analysis.questions import Question, Verb
from secateur.analysis.relations import EventRelations
from secateur.analysis.seen import Seen
from secateur.analysis.tables import Truths
from secateur.system.events import Action, Conjunct, Occurring, Slot
from tests.unit.analysis.systems import Oracle, Toy, toys
from tests.unit.analysis.test_reachable import _never_wrong, over, reached, satisfies

seeds = st.integers(0, 2**32)


@dataclass
class InformedToy(Toy):
    """A system of which it is known what occurs."""

    occurring: Occurring = Occurring({}, {})


def informed(toy: Toy, chance: Random) -> InformedToy:
    """Return a system that is told something of what is reached."""
    states = reached(toy)
    numbers = range(len(toy.slots))
    codes = {
        n: tuple({s & toy.slots[n].bits for s in states}) for n in numbers if chance.random() < 0.7
    }
    together = {
        (x, y): frozenset(s & (toy.slots[x].bits | toy.slots[y].bits) for s in states)
        for x, y in combinations(numbers, 2)
        if chance.random() < 0.5
    }
    return InformedToy(**vars(toy), occurring=Occurring(codes, together))


@given(seeds)
def test_relations_are_right_for_all_reachable_states(seed: int) -> None:
    chance = Random(seed)
    toy = informed(toys(chance, actions=4), chance)
    relations = EventRelations(toy, assumptions=REACHABLE)
    _never_wrong(relations, toy, over(toy, sorted(reached(toy))))
    found = relations.reachable
    assert found is not None
    assert all(satisfies(toy, found, s) for s in reached(toy))


@given(seeds)
def test_it_is_not_relied_on_unless_that_is_allowed(seed: int) -> None:
    chance = Random(seed)
    toy = informed(toys(chance, actions=3), chance)
    _never_wrong(EventRelations(toy), toy, Oracle(toy))


def _counter(knowing: bool) -> InformedToy:
    """Return a counter of two bits without a code for 3, from 0 to 1 and back; or so it is known."""
    slot = Slot("x", 3, (0, 1, 2))
    action = Action("a", (), (Conjunct("x", 3),), 3, 3, 3, deterministic=True, total=True)
    toy = InformedToy([slot], [action], first=(0,))
    toy.conjuncts.append([{0: True, 1: True, 2: True}])
    results: dict[int, tuple[int, ...] | None] = {0: (1,), 1: (0,), 2: None}
    toy.outcomes.append(results)
    if knowing:
        toy.occurring = Occurring({0: (0, 1)}, {})
    return toy


def test_what_does_not_occur_is_no_fault() -> None:
    assert not EventRelations(_counter(knowing=True), assumptions=REACHABLE).faults(0).yes
    assert EventRelations(_counter(knowing=True)).faults(0).yes


def test_a_row_that_leads_outside_does_not_occur() -> None:
    toy = _counter(knowing=True)
    toy.outcomes[0] = {0: (1,), 1: (0,), 2: (2,)}
    toy.occurring = Occurring({0: (0,)}, {})  # so that x = 0 is left for x = 1, which is none
    relations = EventRelations(toy, assumptions=REACHABLE)
    assert not relations.faults(0).yes
    table = relations.tables.action(0)
    assert table is not None
    assert not table.rows


@given(seeds)
def test_what_is_seen_is_so(seed: int) -> None:
    toy = toys(Random(seed), actions=4)
    seen, oracle = Seen(toy, frozenset(), Purse(USUAL)), Oracle(toy)
    numbers = range(len(toy.actions))
    for a in numbers:
        for b in numbers:
            if a == b:
                continue
            if seen.witness(Question(Verb.CLASH, a, b)) is not None:
                assert oracle.dependent(a, b)
            if seen.witness(Question(Verb.MEET, a, b)) is not None:
                assert not oracle.excluded(a, b)
            for j in range(len(toy.actions[b].guard)):
                if seen.witness(Question(Verb.ENABLE, a, b, j)) is not None:
                    assert oracle.change(a, b, j, to=True)
                if seen.witness(Question(Verb.DISABLE, a, b, j)) is not None:
                    assert oracle.change(a, b, j, to=False)


def test_something_is_seen() -> None:
    found = 0
    for seed in range(30):
        toy = toys(Random(seed), actions=3)
        seen = Seen(toy, frozenset(), Purse(USUAL))
        found += seen.witness(Question(Verb.MEET, 0, 1)) is not None
    assert found


def test_a_conjunct_that_denies_a_whole_guard() -> None:
    x, y, either = (
        Truths(1, {0: False, 1: True}),
        Truths(2, {0: False, 2: True}),
        Truths(3, {0: True, 1: True, 2: True, 3: False}),
    )
    assert Exclusion().holds([x, y], [either])
    assert Exclusion().holds([either], [x, y])
    assert not Exclusion().holds([x], [either])
    unsure = Truths(3, {0: True, 1: True, 2: True, 3: None})  # it might be true there
    assert not Exclusion().holds([x, y], [unsure])


def test_places_that_do_not_go_together() -> None:
    x, y = Truths(1, {0: False, 1: True}), Truths(2, {0: False, 2: True})
    assert Exclusion({3: frozenset({0, 1, 2})}).holds([x], [y])
    assert not Exclusion({3: frozenset({0, 1, 2, 3})}).holds([x], [y])
    assert not Exclusion({7: frozenset({0, 1, 2})}).holds([x], [y])  # of others nothing is said
    assert not Exclusion().holds([x], [y])
    unsure = Truths(2, {0: False, 2: None})
    assert Exclusion({3: frozenset({0, 1, 2})}).holds([x], [unsure])
    assert not Exclusion({3: frozenset({0, 3})}).holds([x], [unsure])
