"""Search by priority: the least rank first, among equals the oldest."""

from __future__ import annotations

import ctypes
import heapq
from collections.abc import Callable
from typing import Any, Final

import pytest

from tests.native.systems import Act, Prop, Record, Run, State, Sys, assert_agrees, counter

RANK: Final = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.POINTER(ctypes.c_uint64))


def ranked(system: Sys, rank: Callable[[State], int]) -> Run:
    it = Run(system)
    words = len(system.bits)
    function = RANK(lambda state: rank(tuple(state[i] for i in range(words))))
    it.search("priority")
    it.explorer.set_rank(it._address(function))
    return it


def expansions(system: Sys, rank: Callable[[State], int]) -> list[State]:
    """Return the states in the order in which a heap of Python's gives them."""
    (start,) = system.initial
    age = {start: 0}
    heap, order = [(rank(start), 0, start)], []
    while heap:
        *_, state = heapq.heappop(heap)
        order.append(state)
        for act in system.actions:
            for target, _ in act.steps(state):
                if target not in age:
                    age[target] = len(age)
                    heapq.heappush(heap, (rank(target), age[target], target))
    return order


RANKS: dict[str, Callable[[State], int]] = {
    "least": lambda s: s[0] & 15,
    "negative": lambda s: -(s[0] >> 4 & 15) * 2**40,
    "equal": lambda s: 7,
    "odd": lambda s: (s[0] * 37) % 11 - 5,
}


@pytest.mark.parametrize("name", RANKS)
@pytest.mark.parametrize("words", [1, 2])
def test_the_order_of_expansion(name: str, words: int) -> None:
    expanded: list[State] = []
    rank = RANKS[name]

    def watching(act: Act) -> Act:
        def steps(state: State) -> list[Record]:
            expanded.append(state)
            return list(act.steps(state))

        return Act(steps)

    actions = [counter(0, 0, 6), counter(0, 4, 6), counter(words - 1, 8, 6)]
    system = Sys([12] * words, [(0,) * words], actions)
    want = expansions(system, rank)
    system.actions = [watching(actions[0]), *actions[1:]]
    it = ranked(system, rank)
    assert it.run() == "complete"
    assert list(dict.fromkeys(expanded)) == want
    assert_agrees(it)


def test_the_nearest_goes_straight_to_the_goal() -> None:
    """A search led by the distance to a goal hardly looks elsewhere."""
    goal = (9, 9, 9)

    def digits(state: State) -> tuple[int, ...]:
        return tuple(state[0] >> 4 * i & 15 for i in range(3))

    def distance(state: State) -> int:
        return sum(g - d for g, d in zip(goal, digits(state), strict=True))

    system = Sys(
        [12],
        [(0,)],
        [counter(0, 4 * i, 9) for i in range(3)],
        [Prop(lambda s: digits(s) != goal)],
        stop_at=([0], False),
    )
    it = ranked(system, distance)
    assert it.run() == "violation"
    assert it.explorer.states < 100
    _, first = it.explorer.violations[0]
    assert len(it.explorer.path(first)) == 28


def test_it_needs_a_rank() -> None:
    it = Run(Sys([12], [(0,)], [counter(0, 0, 6)]))
    it.search("priority")
    with pytest.raises(ValueError, match="rank"):
        it.run()


def test_memory_counts() -> None:
    def steps(state: State) -> list[Any]:
        return [((state[0] * 2 + k,), ()) for k in (1, 2)] if state[0] < 2**60 else []

    it = ranked(Sys([64], [(0,)], [Act(steps)]), lambda s: -s[0] % 1009)
    it.explorer.max_memory = 3_000_000
    assert it.run() == "memory"
