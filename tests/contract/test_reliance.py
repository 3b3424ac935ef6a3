"""Who relies on whom: a circle is refused, and nothing else is."""

from __future__ import annotations

from random import Random

import pytest

from secateur.engine.provisos.open_set import open_set
from secateur.engine.provisos.protocol import Move, View
from secateur.engine.provisos.reliance import Reliance
from tests.witnesses.models import WITNESSES


def relying() -> Reliance:
    return Reliance(WITNESSES["b, ignored for ever"].system)


def asked(reliance: Reliance, view: View, state: int, *moves: tuple[int, ...]) -> bool:
    view.closed.add(state)
    view.here = state
    return reliance(tuple(Move(n, results) for n, results in enumerate(moves)), view)


def test_a_circle_is_refused() -> None:
    reliance, view = relying(), View({})
    assert asked(reliance, view, 0, (1,))
    assert asked(reliance, view, 1, (2,))
    assert not asked(reliance, view, 2, (0,))


def test_a_state_may_rely_on_one_that_was_expanded() -> None:
    reliance, view = relying(), View({})
    view.closed.add(9)  # in full
    assert asked(reliance, view, 0, (9,))
    assert asked(reliance, view, 1, (0,))
    assert not open_set((Move(0, (0,)),), view)


def test_a_step_to_itself_is_refused() -> None:
    assert not asked(relying(), View({}), 0, (0,))


def test_several_results_must_all_be_waiting_and_are_relied_on_by_nobody() -> None:
    reliance, view = relying(), View({})
    assert asked(reliance, view, 0, (1, 2))
    assert not asked(reliance, view, 1, (0,))
    assert not asked(reliance, view, 2, (0, 3))
    assert asked(reliance, view, 3, (0, 4), (5,))


def test_a_state_that_is_opened_again_keeps_what_it_relied_on() -> None:
    reliance, view = relying(), View({})
    assert asked(reliance, view, 0, (1,))
    view.closed.discard(0)
    assert not asked(reliance, view, 1, (0,))
    assert not asked(reliance, view, 0, (3,))
    assert asked(reliance, view, 0, (3,), (1,))


@pytest.mark.parametrize("seed", range(200))
def test_whoever_relies_comes_to_an_end(seed: int) -> None:
    """By the definition: each state has an action all of whose results have come to an end."""
    random = Random(seed)
    size = random.randint(2, 9)
    reliance, view = relying(), View({})
    reduced: dict[int, list[tuple[int, ...]]] = {}
    for state in random.sample(range(size), size):
        moves = [
            tuple({random.randrange(size) for _ in range(random.choice((1, 1, 1, 2)))})
            for _ in range(random.randint(1, 2))
        ]
        by_open = open_set(tuple(Move(0, m) for m in moves), View({}, closed=view.closed | {state}))
        allowed = asked(reliance, view, state, *moves)
        assert allowed or not by_open
        if allowed:
            reduced[state] = moves
    ended = set(range(size)) - reduced.keys()
    while more := {s for s, ms in reduced.items() if any(ended.issuperset(m) for m in ms)} - ended:
        ended |= more
    assert ended == set(range(size))
