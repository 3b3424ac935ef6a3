"""The explorer finds what thirty lines of Python find."""

from __future__ import annotations

import random
from typing import Any

import pytest

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
    only,
)

SEARCHES = ("bf", "df", "mixed", "random")


def counters(n: int, most: int, words: int = 1, **more: Any) -> Sys:
    return Sys(
        bits=[16] * words,
        initial=[(0,) * words],
        actions=[counter(i % words, i // words * 4, most) for i in range(n)],
        **more,
    )


def run(system: Sys, search: str = "bf", threads: int = 1) -> Run:
    it = Run(system)
    it.search(search)
    it.explorer.threads = threads
    assert it.run() == "complete"
    return it


@pytest.mark.parametrize("search", SEARCHES)
@pytest.mark.parametrize("words", [1, 2, 3])
def test_counters(search: str, words: int) -> None:
    assert_agrees(run(counters(3, 6, words), search))


@pytest.mark.parametrize("threads", [2, 3])
@pytest.mark.parametrize("words", [1, 2, 3])
def test_counters_with_threads(threads: int, words: int) -> None:
    assert_agrees(run(counters(3, 9, words), threads=threads))


def philosophers(n: int) -> Sys:
    """Fork i is bit i; philosopher i has 2 bits: thinks, has the left one, eats."""

    def pc(s: int, i: int) -> int:
        return s >> (n + 2 * i) & 3

    def move(i: int, frm: int, to: int, needs: int, gives: int) -> Act:
        def steps(state: State) -> list[Record]:
            s = state[0]
            if pc(s, i) != frm or needs & ~s:
                return []
            new = (s & ~needs | gives) & ~(3 << (n + 2 * i)) | to << (n + 2 * i)
            return [((new,), ())]

        mask = (1 << i) | (1 << (i + 1) % n) | 3 << (n + 2 * i)
        return Act(steps, read=(mask,), write=(mask,), compiled=i % 2 == 0)

    actions = [
        a
        for i in range(n)
        for a in (
            move(i, 0, 1, 1 << i, 0),
            move(i, 1, 2, 1 << (i + 1) % n, 0),
            move(i, 2, 0, 0, (1 << i) | (1 << (i + 1) % n)),
        )
    ]
    return Sys([3 * n], [(2**n - 1,)], actions)


@pytest.mark.parametrize("threads", [1, 2])
def test_philosophers_deadlock(threads: int) -> None:
    it = run(philosophers(5), threads=threads)
    assert_agrees(it)
    assert it.explorer.deadlocks[0] == 1


def test_memoised_actions_are_asked_once_for_what_they_read() -> None:
    actions = [
        counter(0, 4 * i, 9, read=(15 << 4 * i,), write=(15 << 4 * i,), compiled=False)
        for i in range(3)
    ]
    it = run(Sys([12], [(0,)], actions))
    assert_agrees(it)
    assert len(it.asked) == len(set(it.asked)) == 30
    assert it.explorer.asked == 30


def test_many_memoised_answers_in_wide_states() -> None:
    def steps(state: State) -> list[Record]:
        a, b, c = state
        return [((a, (b * 5 + k) % 251, c ^ 1), ()) for k in range(3)] if b != 7 else []

    act = Act(steps, read=only(1, 255, 3), write=(0, 255, 1), compiled=False)
    reads_c = Act(steps, read=(0, 255, 1), write=(0, 255, 1), compiled=False)
    with pytest.raises(RuntimeError, match="does not write"):
        run(Sys([8, 8, 1], [(3, 1, 0)], [Act(steps, write=(0, 255, 0), compiled=False)]))
    assert act.read != reads_c.read
    assert_agrees(run(Sys([8, 8, 1], [(3, 1, 0)], [reads_c])))


def test_what_traps_is_asked() -> None:
    actions = [
        counter(0, 4 * i, 9, traps=lambda s, i=i: s[0] >> 4 * i & 15 == 3 + i) for i in range(3)
    ]
    it = run(Sys([12], [(0,)], actions))
    assert_agrees(it)
    assert {a for _, a, _ in it.asked} == {0, 1, 2}


def wild(labels: int, spread: int) -> Act:
    def steps(state: State) -> list[Record]:
        rng = random.Random(state[0] // 3)
        return [
            ((rng.randrange(spread),), tuple(rng.randrange(2) for _ in range(labels)))
            for _ in range(rng.choice([0, 1, 2, 7, 20, 300]))
        ]

    return Act(steps, distinct=False)


@pytest.mark.parametrize("labels", [0, 1, 2])
@pytest.mark.parametrize("threads", [1, 2])
def test_equal_records_count_once(labels: int, threads: int) -> None:
    system = Sys([10], [(0,), (5,), (0,)], [wild(labels, 500)], label_words=labels)
    assert_agrees(run(system, threads=threads))


def test_the_order_is_that_of_the_actions() -> None:
    """Whatever is compiled, states get the same indices."""

    def states(compiled: int) -> list[State]:
        actions = [
            counter(0, 4 * i, 5, compiled=bool(compiled >> i & 1), read=(0xFFF,)) for i in range(3)
        ]
        it = run(Sys([12], [(0,)], actions))
        return [it.state(i) for i in range(it.explorer.states)]

    first = states(0)
    assert first == list(expected(counters(3, 5)).depth)
    assert all(states(c) == first for c in range(1, 8))


def test_properties_and_notes() -> None:
    system = counters(
        3,
        7,
        properties=[
            Prop(lambda s: s[0] & 15 < 5),
            Prop(lambda s: s[0] != 0x321, compiled=False),
            Prop(lambda s: True),
            Prop(lambda s: s[0] >> 4 & 15 != 6, traps=lambda s: s[0] & 15 == 2, read=(0xFF,)),
            Prop(lambda s: True, compiled=False, read=(15,), notes=lambda s: [1] * (s[0] & 1)),
        ],
        notes=[False, False],
    )
    noted = Act(lambda s: [], compiled=False, notes=lambda s: [0, 0] if s[0] & 15 == 7 else [])
    system.actions = [*system.actions, noted]
    for threads in (1, 2):
        it = run(system, threads=threads)
        assert_agrees(it)
        assert it.explorer.deadlocks == (0, None)


def test_only_affected_properties_are_evaluated() -> None:
    seen: list[State] = []

    def watched(state: State) -> bool:
        seen.append(state)
        return state[0] & 15 < 3

    actions = [counter(0, 0, 4, affected=[0]), counter(0, 4, 9, affected=[])]
    it = run(Sys([8], [(0,)], actions, [Prop(watched)]))
    assert_agrees_after(it, seen)


def assert_agrees_after(it: Run, seen: list[State]) -> None:
    evaluated = list(seen)
    assert_agrees(it)
    assert len(evaluated) < it.explorer.states
    # from a state where it fails, it is evaluated again whatever was done
    assert {s for s in expected(it.system).depth if s[0] & 15 >= 3} <= set(evaluated)


def test_paths_lead_to_every_state() -> None:
    it = run(counters(2, 9), threads=2)
    depth = expected(it.system).depth
    seen = {it.state(i): len(it.explorer.path(i)) for i in known(it)}
    assert seen == {s: d + 1 for s, d in depth.items()}


def known(it: Run) -> list[int]:
    found = []
    for i in range(4096):
        try:
            it.explorer.state(i)
        except IndexError:
            continue
        found.append(i)
    return found


def test_edges() -> None:
    for threads in (1, 2):
        it = Run(counters(2, 9))
        it.explorer.keep_edges = True
        it.explorer.threads = threads
        assert it.run() == "complete"
        edges = {(it.state(s), a, it.state(t)) for s, a, t in it.explorer.edges()}
        want = {
            (s, a, t)
            for s in expected(it.system).depth
            for a, act in enumerate(it.system.actions)
            for t, _ in act.steps(s)
        }
        assert edges == want
        assert len(it.explorer.edges()) == len(want)


def test_distinct_values() -> None:
    it = run(counters(4, 5, 2), threads=2)
    masks = [[0xF0, 0], [0xF0, 0x0F], [0xFF, 0x0F], [0, 0], [0x0F, 0]]
    one, two, many, none, other = it.explorer.distinct_values(masks, 100)
    assert sorted(one) == [[v << 4, 0] for v in range(6)]
    assert sorted(two) == [[v << 4, w] for v in range(6) for w in range(6)]
    assert many is None
    assert none == [[0, 0]]
    assert sorted(other) == [[v, 0] for v in range(6)]


def test_no_initial_state() -> None:
    it = run(Sys([4], [], [counter(0, 0, 3)]))
    assert it.explorer.states == 0


@pytest.mark.parametrize("bits", [12, 31, 32, 40, 63, 64])
@pytest.mark.parametrize("threads", [1, 2])
def test_states_of_one_word_of_any_size(bits: int, threads: int) -> None:
    """Which of them are in the table themselves is not to be seen."""
    top = bits - 12

    def steps(state: State) -> list[Record]:
        s = state[0] >> top
        return [(((s * 75 + k) % 4093 << top,), ()) for k in range(1, 3)] if s < 4000 else []

    assert_agrees(run(Sys([bits], [(1 << top,)], [Act(steps, distinct=False)]), threads=threads))


def test_more_than_a_page_of_states_with_wide_words() -> None:
    """Bits at the upper end of words, and words of odd sizes."""

    def steps(state: State) -> list[Record]:
        a, b, c = state
        x = (a * 7 + 1) % 61
        both: list[Record] = [
            ((x, b ^ (1 << 63 >> x % 3), c), ()),
            ((x, b, (c + 1) % 2**21), ()),
        ]
        return both[: 1 + (c < 40)]

    assert_agrees(run(Sys([6, 64, 21], [(0, 0, 0)], [Act(steps)])))
