"""What code reads and writes."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from secateur.kernel.build import ONE, ZERO, add, equal, less
from secateur.kernel.builder import Builder
from secateur.kernel.effects import Effects, effects
from secateur.kernel.evaluate import Trapped, holds, successors
from secateur.kernel.language import (
    Action,
    Field,
    Load,
    LoadBits,
    Number,
    Predicate,
    Program,
    Region,
    SetOf,
)
from secateur.kernel.places import join_words, split_words
from tests.unit.kernel.programs import programs

X = Field(0, 0, 8, size=256)
Y = Field(0, 8, 8, size=256)
DIGITS = Field(0, 16, 4, 4, size=16)
SET = Region(1, 0, 10)


def of(b: Builder) -> Effects:
    return effects(Action("a", b.block), 2)


def test_what_is_copied_is_not_read() -> None:
    b = Builder()
    with b.if_(less(Load(X), Number(9))):
        b.copy(1)
        b.store(Y, ONE)
        b.emit(1)
    assert of(b) == Effects(0xFF, 0xFF00, 0xFF00, 0xFF00, 0x0100)


def test_what_was_written_before_is_not_read() -> None:
    b = Builder()
    b.copy(1)
    b.store(X, ONE)
    b.store(Y, add(Load(X, buffer=1), Load(Y, buffer=1)))
    b.emit(1)
    assert of(b) == Effects(0xFF00, 0xFFFF, 0xFFFF, 0xFF, 0x01)


def test_what_need_not_be_written_belongs_to_the_key() -> None:
    b = Builder()
    b.copy(1)
    with b.if_(equal(Load(X), ZERO)):
        b.store(Y, ONE)
    b.emit(1)
    found = of(b)
    assert found == Effects(0xFF, 0xFF00, 0)
    assert found.key == 0xFFFF


def test_what_two_ways_write_is_fixed_as_far_as_they_agree() -> None:
    b = Builder()
    b.copy(1)
    b.store_bits(SET, SetOf(10, 0b101))
    with b.if_(equal(Load(X), ZERO)):
        b.store(Y, Number(5))
    with b.else_():
        b.store(Y, Number(6))
    b.store(X, ONE)
    with b.if_(equal(Load(Y), ZERO)):
        b.store(X, Load(Y))
    b.emit(1)
    found = of(b)
    assert found.fixed == (0x3FF << 64) | 0xFC00
    assert found.fixed_to == (0b101 << 64) | 0x0400


def test_loops_write_what_their_index_may_be() -> None:
    b = Builder()
    b.copy(1)
    with b.for_(ONE, Number(2)) as i:
        b.store(DIGITS, ZERO, i)
    b.emit(1)
    assert of(b) == Effects(0, 0x0FF00000, 0)


def test_who_takes_over_may_go_on_in_spite_of_a_trap() -> None:
    b = Builder()
    b.copy(1)
    b.trap("a promise that is never kept", sees=0xF)
    b.store(Y, ONE)
    b.emit(1)
    assert of(b) == Effects(0xF, 0xFF00, 0xFF00, 0xFF00, 0x0100)


def test_a_predicate_reads_with_its_result() -> None:
    predicate = Predicate("p", (), equal(LoadBits(SET), SetOf(10, 0)))
    assert effects(predicate, 2) == Effects(0x3FF << 64)


@given(rng=st.randoms(use_true_random=False))
def test_nothing_depends_on_what_is_not_read(rng: Random) -> None:
    program, layout = programs(rng)
    here, there = join_words(layout.state(rng)), join_words(layout.state(rng))
    for action in program.actions:
        found = effects(action, program.words)
        mixed = (here & found.key) | (there & ~found.key)
        ours, theirs = steps(program, action, here), steps(program, action, mixed)
        if ours is None or theirs is None:
            assert ours is theirs
            continue
        writes = found.may_write
        assert [s & writes for s in ours] == [s & writes for s in theirs]
        assert all(s & ~writes == here & ~writes for s in ours)
        assert all(s & ~writes == mixed & ~writes for s in theirs)
        assert all(s & found.fixed == found.fixed_to for s in ours + theirs)
    for predicate in program.predicates:
        read = effects(predicate, program.words).reads
        mixed = (here & read) | (there & ~read)
        assert judge(program, predicate, here) == judge(program, predicate, mixed)


def steps(program: Program, action: Action, state: int) -> list[int] | None:
    try:
        found = successors(program, action, split_words(state, program.words))
    except Trapped:
        return None
    return [join_words(words) for words, _ in found]


def judge(program: Program, predicate: Predicate, state: int) -> bool | None:
    try:
        return holds(program, predicate, split_words(state, program.words))
    except Trapped:
        return None
