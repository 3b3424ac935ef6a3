"""What kernel code means, by example."""

from __future__ import annotations

import pytest

from secateur.kernel.build import ONE, ZERO, add, less
from secateur.kernel.builder import Builder
from secateur.kernel.evaluate import Trapped, holds, successors
from secateur.kernel.evaluate_expressions import Memory, value_of
from secateur.kernel.language import (
    INT,
    STATE,
    Action,
    Assign,
    Between,
    Binary,
    Choose,
    Expr,
    Field,
    Has,
    Load,
    LoadBits,
    Local,
    Number,
    Place,
    Predicate,
    Program,
    Region,
    SetOf,
    Slice,
    Truth,
    Unary,
    With,
)
from secateur.kernel.operators import Op

LARGEST = Number((1 << 63) - 1)
SMALLEST = Number(-(1 << 63))
DIGITS = Field(0, 4, 4, 3, least=-2, size=10)


def value(e: Expr) -> int:
    return value_of(e, Memory({}))


@pytest.mark.parametrize(
    ("op", "left", "right", "expected"),
    [
        (Op.DIVIDE, -7, 2, -3),
        (Op.DIVIDE, 7, -2, -3),
        (Op.MOD, 7, 4, 3),
        (Op.POWER, -2, 63, -(1 << 63)),
        (Op.POWER, 0, 0, 1),
        (Op.POWER, -1, (1 << 62) + 1, -1),
        (Op.SUBTRACT, 2, 5, -3),
    ],
)
def test_arithmetic(op: Op, left: int, right: int, expected: int) -> None:
    assert value(Binary(op, Number(left), Number(right))) == expected


@pytest.mark.parametrize(
    "e",
    [
        Binary(Op.ADD, LARGEST, Number(1)),
        Binary(Op.SUBTRACT, SMALLEST, Number(1)),
        Binary(Op.MULTIPLY, LARGEST, Number(2)),
        Binary(Op.DIVIDE, SMALLEST, Number(-1)),
        Binary(Op.DIVIDE, Number(1), Number(0)),
        Binary(Op.MOD, Number(-1), Number(2)),
        Binary(Op.MOD, Number(1), Number(0)),
        Binary(Op.POWER, Number(2), Number(-1)),
        Binary(Op.POWER, Number(2), Number(63)),
        Unary(Op.NEGATE, SMALLEST),
        Unary(Op.LEAST, SetOf(5, 0)),
        Unary(Op.GREATEST, SetOf(5, 0)),
    ],
)
def test_what_has_no_value_traps(e: Expr) -> None:
    with pytest.raises(Trapped):
        value(e)


def test_what_is_not_looked_at_does_not_trap() -> None:
    undefined = Binary(Op.EQUAL, Binary(Op.DIVIDE, Number(1), Number(0)), Number(0))
    assert value(Binary(Op.AND, Truth(False), undefined)) is False
    assert value(Binary(Op.OR, Truth(True), undefined)) is True
    assert value(Choose(Truth(True), Truth(False), undefined)) is False


def test_sets() -> None:
    odd = SetOf(6, 0b101010)
    assert value(Has(odd, Number(3))) is True
    assert value(Has(odd, Number(-1))) is False
    assert value(Has(odd, Number(64))) is False
    assert value(With(odd, Number(0))) == 0b101011
    assert value(Slice(odd, Number(1), 3)) == 0b101
    assert value(Place(SetOf(3, 0b11), Number(5), 7)) == 0b1100000
    assert value(Between(6, Number(-5), Number(2))) == 0b111
    assert value(Between(6, Number(4), Number(99))) == 0b110000
    assert value(Between(6, Number(4), Number(3))) == 0
    assert value(Unary(Op.COMPLEMENT, odd)) == 0b010101
    assert value(Unary(Op.LEAST, odd)) == 1
    assert value(Unary(Op.GREATEST, odd)) == 5
    assert value(Unary(Op.COUNT, odd)) == 3


def test_an_element_outside_is_a_fault_of_the_lowering() -> None:
    with pytest.raises(AssertionError):
        value(With(SetOf(6, 0), Number(6)))


def test_numbers_are_stored_less_the_least() -> None:
    b = Builder()
    b.copy(1)
    with b.for_(ZERO, Number(2)) as i:
        b.store(DIGITS, add(Load(DIGITS, i), ONE), i)
    b.emit(1)
    program = Program(1)
    action = Action("all up", b.block)
    assert successors(program, action, [0x2103]) == [((0x3213,), ())]
    with pytest.raises(Trapped):
        successors(program, action, [0x9003])


def test_loops_break_and_emit_in_order() -> None:
    b = Builder()
    region = Region(0, 0, 8)
    b.copy(1)
    with b.for_each(LoadBits(region)) as e:
        with b.if_(less(Number(4), e)):
            b.break_()
        b.store_bits(region, With(SetOf(8, 0), e))
        b.emit(1, e)
    action = Action("pick", b.block, distinct=False, label_types=(INT,))
    assert successors(Program(1), action, [0b10010110]) == [
        ((0b10,), (1,)),
        ((0b100,), (2,)),
        ((0b10000,), (4,)),
    ]


def test_undefined_words_are_not_read() -> None:
    b = Builder()
    b.store(Field(0, 0, 8, size=256), ONE)
    b.emit(1)
    with pytest.raises(AssertionError):
        successors(Program(1), Action("half a state", b.block), [0])


def test_scratch_words_survive_a_copy_of_the_state() -> None:
    scratch = Field(1, 0, 64)
    b = Builder()
    b.store(scratch, Number(-5))
    b.copy(1, STATE)
    b.store(Field(0, 0, 64), Load(scratch, buffer=1))
    b.emit(1)
    action = Action("keep", b.block)
    assert successors(Program(1, scratch=1), action, [3]) == [(((1 << 64) - 5,), ())]


def test_a_predicate() -> None:
    total = Local("total", INT)
    b = Builder()
    with b.for_(ZERO, Number(2)) as i:
        b.assign(total, add(total, Load(DIGITS, i)))
    predicate = Predicate("positive", b.block, less(ZERO, total))
    assert holds(Program(1), predicate, [0x3220])
    assert not holds(Program(1), predicate, [0x2220])


def test_a_local_is_zero_before_it_is_assigned() -> None:
    x = Local("x", INT)
    b = Builder()
    with b.loop():
        with b.if_(less(Number(1), x)):
            b.break_()
        b.add(Assign(x, add(x, ONE)))
    assert holds(Program(1), Predicate("two", b.block, Binary(Op.EQUAL, x, Number(2))), [0])
