"""What is kept of states makes no difference to what is found."""

from __future__ import annotations

import random
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.native.systems import (
    Act,
    Prop,
    Record,
    Run,
    State,
    Sys,
    assert_agrees,
    counter,
    expected,
)

STORAGES = ("compress", "fingerprint")


def stored(system: Sys, storage: str, threads: int = 1) -> Run:
    it = Run(system)
    setattr(it.explorer, storage, True)
    it.explorer.threads = threads
    return it


def wide(bits: list[int], compiled: bool = True) -> Sys:
    """Counters all over the words, some properties that fail, and a note."""
    words = len(bits)
    places = [(w, bits[w] - 4) for w in range(words) if bits[w] >= 4]
    actions = [
        counter(w, shift, 5, compiled=compiled or i % 2 == 0) for i, (w, shift) in enumerate(places)
    ]
    silent = Act(lambda s: [], compiled=False, notes=lambda s: [0] if sum(s) % 7 == 3 else [])

    def digits(state: State) -> list[int]:
        return [state[w] >> shift & 15 for w, shift in places]

    return Sys(
        bits,
        [tuple(0 for _ in bits)],
        [*actions, silent],
        [
            Prop(lambda s: digits(s)[0] < 4),
            Prop(lambda s: sum(digits(s)) != 4, compiled=compiled),
            Prop(lambda s: True),
        ],
        notes=[False],
    )


WIDTHS = ([12], [31], [40], [63], [64], [16, 16], [64, 4], [64, 64], [20, 64, 33], [64, 0, 64, 17])


@pytest.mark.parametrize("storage", STORAGES)
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("bits", WIDTHS, ids=str)
def test_the_same_is_found(storage: str, threads: int, bits: list[int]) -> None:
    it = stored(wide(bits), storage, threads)
    assert it.run() == "complete"
    assert_agrees(it)


@pytest.mark.parametrize("sparing", [False, True])
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("bits", WIDTHS, ids=str)
def test_ways_are_found_by_searching_once_or_twice(
    sparing: bool, threads: int, bits: list[int]
) -> None:
    it = stored(wide(bits), "lean", threads)
    it.sparing = sparing
    assert it.run() == "complete"
    assert_agrees(it)


@pytest.mark.parametrize("storage", STORAGES)
@pytest.mark.parametrize("threads", [1, 2])
def test_ways_are_found_again_by_the_evaluator(storage: str, threads: int) -> None:
    it = stored(wide([64, 64, 64], compiled=False), storage, threads)
    assert it.run() == "complete"
    assert_agrees(it)


@pytest.mark.parametrize("storage", STORAGES)
@pytest.mark.parametrize("threads", [1, 2])
def test_a_search_that_stops_knows_the_way(storage: str, threads: int) -> None:
    system = wide([64, 64])
    system.stop_at = ([1], False)
    it = stored(system, storage, threads)
    assert it.run() == "violation"
    count, first = it.explorer.violations[1]
    depth = expected(system).depth
    assert count == sum(d == 4 for d in depth.values())
    assert len(it.explorer.path(first)) == 5
    assert it.explorer.states == sum(d <= 4 for d in depth.values())


@pytest.mark.parametrize("storage", STORAGES)
@pytest.mark.parametrize("limit", [1, 2, 10, 35])
def test_the_limit_of_states_is_exact(storage: str, limit: int) -> None:
    it = stored(wide([64, 64]), storage)
    it.explorer.max_states = limit
    assert it.run() == "states"
    assert it.explorer.states == limit


def test_memory() -> None:
    def steps(state: State) -> list[Record]:
        rng = random.Random(hash(state))
        return [(tuple(rng.getrandbits(64) for _ in state), ()) for _ in range(5)]

    for storage in STORAGES:
        it = stored(Sys([64] * 4, [(0,) * 4], [Act(steps)]), storage)
        it.explorer.max_memory = 12_000_000
        assert it.run() == "memory"
        assert it.explorer.states > 100
        assert it.explorer.memory < 16_000_000


def test_distinct_values_are_those_of_the_table() -> None:
    for bits in WIDTHS:
        it = Run(wide(bits))
        whole = Run(wide(bits))
        it.explorer.compress = True
        assert it.explorer.run(it.step, it.check) == whole.run() == "complete"
        mask = [2**b - 1 for b in bits]
        got, want = (x.explorer.distinct_values([mask], 9999)[0] for x in (it, whole))
        assert sorted(got) == sorted(want)
        assert it.explorer.distinct_values([mask], 1) == [None]


def test_fingerprints_keep_no_states() -> None:
    it = stored(wide([12]), "fingerprint")
    it.run()
    with pytest.raises(RuntimeError, match="kept"):
        it.explorer.distinct_values([[1]], 10)


@pytest.mark.parametrize("storage", STORAGES)
def test_other_orders_need_all_states(storage: str) -> None:
    it = stored(wide([12]), storage)
    it.search("df")
    with pytest.raises(ValueError, match="breadth-first"):
        it.run()


def _always(target: tuple[int, ...], _: tuple[int, ...]) -> list[tuple[tuple[int, ...], tuple[()]]]:
    return [(target, ())]


@pytest.mark.parametrize("storage", STORAGES)
def test_bits_that_do_not_exist_are_an_error(storage: str) -> None:
    for bits, wrong in ((8, 8), (40, 41), (63, 63)):
        astray = (3 | 1 << wrong, 0)
        it = stored(Sys([bits, 3], [(3, 0)], [Act(partial(_always, astray))]), storage)
        with pytest.raises(RuntimeError, match="bits"):
            it.run()


@given(st.lists(st.integers(0, 64), min_size=1, max_size=5), st.integers(0, 2**32))
def test_any_layout(bits: list[int], seed: int) -> None:
    rng = random.Random(seed)
    states = [tuple(rng.getrandbits(b) if b else 0 for b in bits) for _ in range(20)]

    def steps(state: State) -> list[Record]:
        at = states.index(state)
        return [(states[(at * 3 + k) % 20], ()) for k in range(2)]

    fixed = states[seed % 20]
    prop = Prop(lambda s: s != fixed)
    for storage in STORAGES:
        it = stored(Sys(bits, [states[0]], [Act(steps, distinct=False)], [prop]), storage)
        assert it.run() == "complete"
        assert_agrees(it)


def unsettled(bits: list[int], states: int) -> Sys:
    """A number in the last word, and words that begin to vary, or cease to, as it grows."""
    rng = random.Random(sum(bits))
    since = [[rng.randrange(states) for _ in range(width)] for width in bits]
    until = [[rng.randrange(4 * states) for _ in range(width)] for width in bits]

    def state(n: int) -> State:
        words = [
            sum((a <= n < z and (n ^ n >> 3 ^ b) % 3 != 0) << b for b, (a, z) in enumerate(pairs))
            for pairs in (zip(*both, strict=True) for both in zip(since, until, strict=True))
        ]
        return (*words, n)

    def steps(s: State) -> list[Record]:
        n = s[-1]
        return [(state(m), ()) for m in {n // 2, n + 1, 2 * n} if m < states]

    last = Prop(lambda s: s[-1] != states - 1)
    return Sys([*bits, 16], [state(1)], [Act(steps)], [last])


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    "bits", [[64] * 5, [5, 64, 61, 0, 7, 64], [1] * 9, [64, 63, 62, 61, 60, 59]], ids=str
)
def test_what_varies_may_change(bits: list[int], threads: int) -> None:
    it = Run(unsettled(bits, 4000))
    it.explorer.threads = threads
    it.run()
    assert_agrees(it)
    number = 2**16 - 1
    every = [*(0 for _ in bits), number]
    assert it.explorer.count_distinct(every, 10_000) == it.explorer.states
