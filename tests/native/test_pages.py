"""Searches that take many pieces of memory, on large pages and on small ones."""

from __future__ import annotations

import pytest

from tests.native.systems import Act, Record, Run, State, Sys

WORD = 2**64 - 1


def scattered(i: int, words: int) -> State:
    """Return the state with this number, all bits of which vary."""
    return i, *((i + 1) * (0x9E3779B97F4A7C15 + 2 * k) & WORD for k in range(1, words))


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("words", [2, 4, 9])
def test_states_are_read_as_they_were_written(words: int, threads: int) -> None:
    count = 120_000

    def steps(state: State) -> list[Record]:
        i = state[0]
        return [(scattered(j, words), ()) for j in (2 * i + 1, 2 * i + 2) if j < count]

    it = Run(Sys([64] * words, [scattered(0, words)], [Act(steps)]))
    it.explorer.threads = threads
    assert it.run() == "complete"
    assert it.explorer.states == count
    assert it.explorer.transitions == count - 1
    found = it.explorer.sample(count)
    assert {tuple(state) for state in found} == {scattered(i, words) for i in range(count)}
    assert it.explorer.memory >= count * words * 8
