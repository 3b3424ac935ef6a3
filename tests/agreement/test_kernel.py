"""Machine code does what `kernel/evaluate.py` says, record by record."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from secateur.kernel.build import FALSE, ONE, TRUE, count, has, less
from secateur.kernel.builder import Builder
from secateur.kernel.evaluate import Labels, Trapped, Words, execute, holds
from secateur.kernel.jit import Compiled, Group, Later, compile_program
from secateur.kernel.language import (
    BOOL,
    Action,
    Assign,
    Between,
    Binary,
    Bits,
    Expr,
    Field,
    If,
    Load,
    LoadBits,
    Local,
    Number,
    Place,
    Program,
    Region,
    SetOf,
    Slice,
    Trap,
    With,
)
from secateur.kernel.operators import Op
from secateur.kernel.places import split_words, words_needed
from secateur.kernel.to_llvm import FULL
from tests.unit.kernel.programs import programs

_PLACE = ctypes.c_void_p
GROUP = ctypes.CFUNCTYPE(ctypes.c_int64, _PLACE, _PLACE, ctypes.c_int64, _PLACE, _PLACE)
CHECK = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
CANARY = 0xDEADBEEF
LARGEST = 400


class _Full(Exception):
    pass


@dataclass
class Made:
    """What a group makes of a state: who wrote which record, and who trapped."""

    records: list[tuple[int, tuple[int, ...]]] = field(default_factory=list)
    trapped: list[int] = field(default_factory=list)


def expected(program: Program, members: Sequence[int], words: Words, capacity: int) -> Made | None:
    """Return what native/ABI.md asks for; None where there is no room."""
    made = Made()
    for place, j in enumerate(members):
        try:
            found = emitted(program, program.actions[j], words, capacity - len(made.records))
            made.records += ((place, record) for record in found)
        except Trapped:
            made.trapped.append(place)
        except _Full:
            return None
    return made


def emitted(program: Program, action: Action, words: Words, room: int) -> list[tuple[int, ...]]:
    found: list[tuple[int, ...]] = []

    def emit(state: Words, labels: Labels) -> None:
        if len(found) == room:
            raise _Full
        found.append(state + encoded(action, labels))

    execute(program, action, words, emit)
    return found


def encoded(action: Action, labels: Labels) -> tuple[int, ...]:
    result: tuple[int, ...] = ()
    for type_, label in zip(action.label_types, labels, strict=bool(labels)):
        count = words_needed(type_.width) if isinstance(type_, Bits) else 1
        result += split_words(label & ((1 << (64 * count)) - 1), count)
    return result


def run(program: Program, group: Group, words: Words, capacity: int) -> Made | None:
    stride = program.words + program.label_words
    room = capacity * stride
    state = (ctypes.c_uint64 * program.words)(*words)
    records = (ctypes.c_uint64 * (room + 4))(*([CANARY] * (room + 4)))
    by = (ctypes.c_uint32 * (capacity + 1))(*([CANARY] * (capacity + 1)))
    trapped = (ctypes.c_uint32 * (len(group.members) + 1))()
    places = [ctypes.addressof(each) for each in (state, records, by, trapped)]
    count = GROUP(group.address)(*places[:2], capacity, *places[2:])
    assert list(records[room:]) == [CANARY] * 4
    assert by[capacity] == CANARY
    assert tuple(state) == words
    if count == FULL:
        return None
    made = [(by[i], tuple(records[i * stride : (i + 1) * stride])) for i in range(count)]
    return Made(made, list(trapped[1 : trapped[0] + 1]))


def check(program: Program, group: Group, words: Words) -> list[int]:
    state = (ctypes.c_uint64 * program.words)(*words)
    result = (ctypes.c_uint8 * len(group.members))()
    CHECK(group.address)(ctypes.addressof(state), ctypes.addressof(result))
    return list(result)


def judged(program: Program, j: int, words: Words) -> int:
    try:
        return int(holds(program, program.predicates[j], words))
    except Trapped:
        return 2


def agree(compiled: Compiled, words: Words, capacity: int) -> None:
    program = compiled.program
    for group in compiled.actions:
        wanted = expected(program, group.members, words, capacity)
        found = run(program, group, words, capacity)
        if wanted is None or found is None:
            assert wanted is found
            continue
        assert found.trapped == wanted.trapped
        for (maker, record), (by, written) in zip(wanted.records, found.records, strict=True):
            assert maker == by
            assert written[: len(record)] == record
    for group in compiled.predicates:
        wanted_truth = [judged(program, j, words) for j in group.members]
        assert check(program, group, words) == wanted_truth


@pytest.mark.parametrize("optimise", [False, True])
@given(rng=st.randoms(use_true_random=False))
def test_machine_code_agrees(optimise: bool, rng: Random) -> None:
    program, layout = programs(rng)
    compiled = compile_program(program, optimise=optimise)
    for capacity in (LARGEST, 3, 1, 0):
        agree(compiled, layout.state(rng), capacity)


def guarded(program: Program, counter: Field, rng: Random) -> Program:
    """Return a program whose actions test one number first, or after another test."""
    actions = []
    for action in program.actions * 3:
        test: Expr = Binary(Op.EQUAL, Load(counter), Number(rng.randrange(-1, 4)))
        other = Binary(Op.EQUAL, Load(counter), Number(rng.randrange(4)))
        ready = Local("ready", BOOL)
        match rng.randrange(6):
            case 0:
                body = action.body
            case 1:
                body = (If(Binary(Op.AND, Binary(Op.AND, test, TRUE), other), action.body),)
            case 2:
                first = If(test, (Assign(ready, TRUE),), (Assign(ready, FALSE),))
                body = first, If(ready, action.body)
            case 3:
                body = (If(test, action.body, (Trap("elsewhere"),)),)
            case _:
                body = (If(test, action.body),)
        actions.append(replace(action, body=body))
    return replace(program, actions=tuple(actions))


@pytest.mark.parametrize("optimise", [False, True])
@given(rng=st.randoms(use_true_random=False))
def test_jumps_find_what_need_be_looked_at(optimise: bool, rng: Random) -> None:
    program, layout = programs(rng)
    counter = Field(program.words, 3, 2, size=4)
    wider = guarded(replace(program, words=program.words + 1), counter, rng)
    compiled = compile_program(wider, optimise=optimise)
    for capacity in (LARGEST, 3, 0):
        agree(compiled, (*layout.state(rng), rng.randrange(4) << 3), capacity)


@pytest.mark.parametrize("width", [64, 65, 1000, 4096])
def test_sets_of_any_width(width: int) -> None:
    words = words_needed(width)
    region, copy = Region(0, 0, width), Region(words, 0, width)
    chosen = Field(2 * words, 0, 64)
    actions = []
    results: dict[str, Expr] = {
        "with": With(LoadBits(region), Load(chosen)),
        "without": Binary(Op.MINUS, LoadBits(region), With(SetOf(width, 0), Load(chosen))),
        "upwards": Between(width, Load(chosen), Number(width)),
        "moved": Place(Slice(LoadBits(region), Load(chosen), 1), Load(chosen), width),
        "half": Place(Slice(LoadBits(region), ONE, width // 2), Load(chosen), width),
    }
    for name, result in results.items():
        b = Builder()
        with b.if_(less(Load(chosen), Number(width // 2))):
            b.copy(1)
            b.store_bits(copy, result)
            b.store(chosen, count(LoadBits(copy, 1)))
            b.emit(1)
            with b.for_each(LoadBits(region)) as e, b.if_(has(LoadBits(copy, 1), e)):
                b.store(chosen, e)
                b.emit(1)
        actions.append(Action(name, b.block))
    compiled = compile_program(Program(2 * words + 1, actions=tuple(actions)))
    rng = Random(width)
    for element in (0, 1, width // 2 - 1, width // 3):
        # few enough elements for the evaluator to be done soon
        mask = rng.getrandbits(width) & rng.getrandbits(width) & rng.getrandbits(width)
        some = split_words(mask, words)
        agree(compiled, (*some, *([0] * words), element), 5 * width)


def test_optimised_code_comes_later() -> None:
    program, layout = programs(Random(5))
    quick = compile_program(program, optimise=False)
    later = Later(quick)
    better = later.result(wait=True)
    assert better is not None
    assert [g.members for g in better.actions] == [g.members for g in quick.actions]
    agree(better, layout.state(Random(1)), LARGEST)
    later.cancel()


def test_many_actions_are_divided_into_groups() -> None:
    field_ = Field(0, 0, 8, size=200)
    actions = []
    for i in range(120):
        b = Builder()
        b.copy(1)
        b.store(field_, Number(i))
        b.emit(1)
        actions.append(Action(f"set {i}", b.block))
    compiled = compile_program(Program(1, actions=tuple(actions)), optimise=False)
    assert [j for g in compiled.actions for j in g.members] == list(range(120))
    assert len(compiled.actions) == 3
    for capacity in (200, 7):
        agree(compiled, (9,), capacity)


def test_what_a_jump_decides_is_not_divided() -> None:
    places = [Field(0, 8 * i, 8, size=100) for i in range(3)]
    actions = []
    for i, place in enumerate(places):
        for value in range(99):
            b = Builder()
            with b.if_(Binary(Op.EQUAL, Load(place), Number(value))):
                b.copy(1)
                b.store(place, Number(value + 1))
                b.emit(1)
            actions.append(Action(f"step {i} {value}", b.block))
    compiled = compile_program(Program(1, actions=tuple(actions)), optimise=False)
    assert len(compiled.actions) == 1
    for words in ((0,), (98 << 8,), (99 | 99 << 8 | 99 << 16,)):
        agree(compiled, words, 10)
