"""Limits, interruptions and errors end a run, with what was found so far."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

import secateur
from secateur.system.verdict import Incomplete, Violated
from tests.native.systems import Act, Prop, Record, Run, State, Sys, counter, expected


def endless(**more: object) -> Act:
    def steps(state: State) -> list[Record]:
        s = state[0]
        return [((s * 2 + 1,), ()), ((s * 2 + 2,), ())] if s < 2**60 else []

    return Act(steps, **more)  # type: ignore[arg-type]


def squares(stop: tuple[list[int], bool], bad: int) -> Sys:
    actions = [counter(0, 0, 9), counter(0, 4, 9)]
    return Sys([8], [(0,)], actions, [Prop(lambda s: s[0] != bad)], stop_at=stop)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("limit", [1, 2, 3, 50, 99])
def test_the_limit_of_states_is_exact(threads: int, limit: int) -> None:
    it = Run(squares(([], False), 999))
    it.explorer.max_states = limit
    it.explorer.threads = threads
    assert it.run() == "states"
    assert it.explorer.states == limit
    assert it.explorer.waiting > 0


def test_as_many_states_as_allowed_is_complete() -> None:
    it = Run(squares(([], False), 999))
    it.explorer.max_states = 100
    assert it.run() == "complete"


def test_the_limit_counts_transitions_as_far_as_it_got() -> None:
    """As the Python engine: the transition that found one state too many counts."""
    it = Run(squares(([], False), 999))
    it.explorer.max_states = 3
    it.run()
    # 00 -> 01, 10; then 01 -> 02 is one too many
    assert it.explorer.transitions == 3
    assert it.explorer.transitions_by_action == [2, 1]


def test_initial_states_count_against_the_limit() -> None:
    it = Run(Sys([8], [(i,) for i in range(10)], [counter(0, 0, 9)]))
    it.explorer.max_states = 4
    assert it.run() == "states"
    assert it.explorer.states == 4


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize("threads", [1, 2])
def test_seconds(compiled: bool, threads: int) -> None:
    it = Run(Sys([64], [(0,)], [endless(compiled=compiled)]))
    it.explorer.max_seconds = 0.3
    it.explorer.threads = threads
    begun = time.monotonic()
    assert it.run() == "seconds"
    assert 0.2 < time.monotonic() - begun < 5
    assert it.explorer.states > 0


@pytest.mark.parametrize("search", ["bf", "df"])
def test_memory(search: str) -> None:
    it = Run(Sys([64], [(0,)], [endless()]))
    it.explorer.max_memory = 3_000_000
    it.search(search)
    assert it.run() == "memory"
    assert it.explorer.memory < 6_000_000


def test_interrupt_from_another_thread() -> None:
    it = Run(Sys([64], [(0,)], [endless()]))
    ended: list[float] = []

    def explore() -> None:
        assert it.run() == "interrupted"
        ended.append(time.monotonic())

    thread = threading.Thread(target=explore)
    thread.start()
    while it.explorer.states < 1000:
        time.sleep(0.01)
    asked = time.monotonic()
    it.explorer.interrupt()
    thread.join(20)
    assert ended
    assert ended[0] - asked < 2


@pytest.mark.parametrize("threads", [1, 2])
def test_what_a_callback_raises_is_raised(threads: int) -> None:
    def steps(state: State) -> list[Record]:
        if state[0] > 500:
            raise ZeroDivisionError("in the model")
        return [((state[0] * 2 + 1,), ()), ((state[0] * 2 + 2,), ())]

    it = Run(Sys([64], [(0,)], [Act(steps, compiled=False)]))
    it.explorer.threads = threads
    with pytest.raises(ZeroDivisionError, match="in the model"):
        it.run()
    assert it.explorer.states > 250
    assert it.explorer.transitions_by_action[0] == it.explorer.transitions
    assert it.state(0) == (0,)


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_breadth_first_finishes_the_level(threads: int) -> None:
    it = Run(squares(([0], False), 0x23))
    it.explorer.threads = threads
    assert it.run() == "violation"
    depth = expected(it.system).depth
    # 0x23 is at level 5: found while level 4 is expanded, and that is finished
    assert it.explorer.states == sum(d <= 5 for d in depth.values())
    assert it.explorer.waiting == sum(d == 5 for d in depth.values())
    assert it.explorer.depth == 5
    count, first = it.explorer.violations[0]
    assert (count, it.state(first)) == (1, (0x23,))
    assert len(it.explorer.path(first)) == 6


@pytest.mark.parametrize("search", ["df", "mixed", "random"])
def test_other_searches_stop_at_once(search: str) -> None:
    it = Run(squares(([0], False), 0x01))
    it.search(search)
    assert it.run() == "violation"
    assert it.explorer.states < 100
    assert it.explorer.violations[0][0] == 1


def test_an_initial_state_that_violates() -> None:
    for search in ("bf", "df"):
        it = Run(squares(([0], False), 0))
        it.search(search)
        assert it.run() == "violation"
        assert (it.explorer.states, it.explorer.transitions) == (1, 0)


def test_stop_at_a_deadlock() -> None:
    it = Run(squares(([], True), 0))
    assert it.run() == "violation"
    assert it.state(it.explorer.deadlocks[1]) == (0x99,)


@pytest.mark.parametrize("stops", [True, False])
def test_stop_at_a_note(stops: bool) -> None:
    it = Run(Sys([8], [(0,)], [counter(0, 0, 9)], notes=[stops]))
    noted = Act(lambda s: [], compiled=False, notes=lambda s: [0] if s[0] == 3 else [])
    it = Run(Sys([8], [(0,)], [counter(0, 0, 9), noted], notes=[stops]))
    assert it.run() == ("violation" if stops else "complete")
    assert it.explorer.states == (5 if stops else 10)
    assert it.explorer.notes == [(1, 3)]


def test_notes_may_be_added_by_a_callback() -> None:
    it = Run(Sys([8], [(0,)], [counter(0, 0, 9)]))
    noted = Act(lambda s: [], compiled=False)
    it = Run(Sys([8], [(0,)], [counter(0, 0, 9), noted]))

    def step(action: int, state: State) -> tuple[list[State], list[int]]:
        return [], [it.explorer.add_note(stops=state[0] == 6)]

    assert it.explorer.run(step, None) == "violation"
    assert it.explorer.notes == [(1, i) for i in range(7)]


def test_it_runs_once() -> None:
    it = Run(squares(([], False), 0))
    it.run()
    with pytest.raises(RuntimeError):
        it.run()


@pytest.mark.parametrize("wrong", [[0, 0], []])
def test_states_have_the_right_number_of_words(wrong: list[int]) -> None:
    it = Run(squares(([], False), 0))
    with pytest.raises(ValueError, match="words"):
        it.explorer.add_initial(wrong)


@pytest.mark.parametrize(
    ("bits", "wrong"),
    [(8, 8), (8, 40), (28, 31), (31, 31), (31, 32), (32, 32), (40, 41), (40, 63), (63, 63)],
)
def test_bits_that_do_not_exist_are_an_error(bits: int, wrong: int) -> None:
    """Even where the rest is a state that is known."""
    it = Run(Sys([bits], [(3,)], [Act(lambda s: [((3 | 1 << wrong,), ())])]))
    with pytest.raises(RuntimeError, match="bits"):
        it.run()
    assert it.explorer.states == 1


ENDLESS = """
MACHINE Endless
DEFINITIONS SET_PREF_MAXINT == 60
VARIABLES s
INVARIANT s <: NATURAL & !t.(t <: s => (t = s or t <<: s))
INITIALISATION s := {}
OPERATIONS all = BEGIN s := NATURAL END
END
"""


def test_what_was_found_is_told_though_the_evaluator_was_interrupted(tmp_path: Path) -> None:
    path = tmp_path / "Endless.mch"
    path.write_text(ENDLESS)
    result = secateur.load(path).check(native=True, max_seconds=1)
    assert isinstance(result.verdict, Incomplete)
    assert result.statistics.states == 2


FAULTY_CONSTANTS = """
MACHINE FaultyConstants
SETS S = {a, b}
CONSTANTS f PROPERTIES f : S +-> S & ran(f) = {a} & f(a) = a
VARIABLES x INVARIANT x : S INITIALISATION x := a
OPERATIONS set(y) = PRE y : S THEN x := y END
END
"""


def test_an_error_in_the_constants_ends_the_search_before_initialisation(tmp_path: Path) -> None:
    path = tmp_path / "FaultyConstants.mch"
    path.write_text(FAULTY_CONSTANTS)
    native, python = (secateur.load(path).check(native=n) for n in (True, False))
    assert isinstance(native.verdict, Violated)
    assert native.statistics == python.statistics


SETUPS = """MACHINE M CONSTANTS c PROPERTIES c : 0..9
VARIABLES x INVARIANT x : 0..9 INITIALISATION x := c
OPERATIONS up = SELECT x < 9 THEN x := x + 1 END
END
"""


@pytest.mark.parametrize("limit", [1, 5, 9, 12, 19])
def test_setups_and_first_states_count_against_the_limit(tmp_path: Path, limit: int) -> None:
    file = tmp_path / "M.mch"
    file.write_text(SETUPS)
    python, native = (
        secateur.load(file).check(all=True, native=native, max_states=limit)
        for native in (False, True)
    )
    assert isinstance(native.verdict, Incomplete)
    assert native.statistics.states == python.statistics.states == limit
    assert native.statistics.operations == python.statistics.operations
    assert native.reasons == python.reasons
