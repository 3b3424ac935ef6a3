"""What the explorer remembers of states, and what it says of their parts, is exact."""

from __future__ import annotations

import pytest

from tests.native.systems import Act, Record, Run, State, Sys, assert_agrees, counter, expected


def explored(system: Sys, threads: int = 1) -> Run:
    it = Run(system)
    it.explorer.threads = threads
    assert it.run() == "complete"
    return it


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("words", [3, 5, 9])
def test_steps_that_commute(words: int, threads: int) -> None:
    """Nearly every transition leads to a state that was met lately."""
    actions = [counter(i, 40 * (i % 2), 4) for i in range(3)]
    assert_agrees(explored(Sys([64] * words, [(0,) * words], actions), threads))


@pytest.mark.parametrize("words", [3, 6])
def test_steps_that_lead_anywhere(words: int) -> None:
    """Hardly any transition does: nothing is remembered for a while, and then it is tried again."""
    size = 4093

    def steps(state: State) -> list[Record]:
        i = state[0]
        others = [(i * (2 * k + 3) + 17 * k) % size for k in range(75)]
        return [((j, *(j * w % 251 for w in range(1, words))), ()) for j in others]

    assert_agrees(explored(Sys([16] * words, [(0,) * words], [Act(steps, distinct=False)])))


def spread(i: int) -> State:
    """Return a state whose words vary in few bits, in many, and in others later on."""
    late = 1 << i % 61 if i % 50 == 49 else 0
    return i, i * 2654435761 % 2**40 << 3 | 5, late, i // 300 << 60


MASKS = [
    [0b111, 0, 0, 0],
    [0b111000, 0, 0, 0],
    [0xFFF, 0, 0, 0],
    [0xFFFF, 0, 0, 0],
    [0, 0b111, 0, 0],
    [0, 0x7F << 3, 0, 0],
    [0, 0xFFFFF << 20, 0, 0],
    [0, 0x3F << 30, 0, 0],
    [0, 0, 0xFF, 0],
    [0, 0, 0xFFFF << 8, 0],
    [0, 0, 2**64 - 1, 0],
    [0, 0, 1 << 60, 0xF << 60],
    [0, 0, 0, 0x3 << 60],
    [0, 0, 0, 0xF << 60],
    [0, 0, 0, 0],
]


@pytest.mark.parametrize("most", [1, 40, 5000])
@pytest.mark.parametrize("count", [1, 60, 2900])
def test_values_of_parts(count: int, most: int) -> None:
    def steps(state: State) -> list[Record]:
        return [(spread(state[0] + 1), ())] if state[0] < count else []

    it = explored(Sys([64] * 4, [spread(0)], [Act(steps)]))
    states = expected(it.system).depth
    found = it.explorer.distinct_values(MASKS, most)
    for mask, values in zip(MASKS, found, strict=True):
        want = {tuple(w & m for w, m in zip(state, mask, strict=True)) for state in states}
        if len(want) > most:
            assert values is None
        else:
            assert sorted(map(tuple, values)) == sorted(want)
