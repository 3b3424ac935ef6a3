"""Unlawful code is found before it runs."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from secateur.kernel.build import ONE, TRUE, ZERO
from secateur.kernel.language import (
    BOOL,
    INT,
    Action,
    Assign,
    Binary,
    Block,
    Break,
    Copy,
    Emit,
    Field,
    If,
    Load,
    LoadBits,
    Local,
    Lookup,
    Number,
    Predicate,
    Program,
    Region,
    SetOf,
    Slice,
    Store,
    StoreBits,
    Unary,
    With,
)
from secateur.kernel.operators import Op
from secateur.kernel.show import show_program
from secateur.kernel.verify import Unlawful, verify
from tests.unit.kernel.programs import programs

X = Local("x", INT)


@pytest.mark.parametrize(
    "body",
    [
        (Assign(X, TRUE),),
        (Assign(X, ONE), Assign(Local("x", BOOL), TRUE)),
        (Assign(X, Number(1 << 63)),),
        (Assign(X, Binary(Op.ADD, ONE, TRUE)),),
        (Assign(X, Binary(Op.AND, ONE, ONE)),),
        (Assign(X, Unary(Op.COUNT, ONE)),),
        (Assign(X, Load(Field(1, 0, 4))),),
        (Assign(X, Load(Field(0, 0, 4, 4), Number(4))),),
        (Assign(X, Load(Field(0, 0, 4, size=17))),),
        (Assign(X, Load(Field(0, 1, 8, 9))),),
        (Assign(X, Lookup((1, 2), Number(2))),),
        (Assign(X, Unary(Op.COUNT, LoadBits(Region(0, 1, 64)))),),
        (Assign(X, Unary(Op.COUNT, Slice(SetOf(4, 0), ZERO, 5))),),
        (Assign(X, Unary(Op.COUNT, With(SetOf(4, 0), Number(4)))),),
        (Assign(X, Unary(Op.COUNT, SetOf(4, 16))),),
        (StoreBits(Region(0, 0, 4), SetOf(5, 0)),),
        (Store(Field(0, 0, 4), ONE, ZERO, 0),),
        (Copy(0, 1),),
        (If(ONE, ()),),
        (Break(),),
    ],
)
def test_unlawful(body: Block) -> None:
    with pytest.raises(Unlawful):
        verify(Program(1, actions=(Action("a", body),)))


def test_a_predicate_emits_nothing() -> None:
    with pytest.raises(Unlawful):
        verify(Program(1, predicates=(Predicate("p", (Emit(0),), TRUE),)))


def test_labels_have_their_types() -> None:
    action = Action("a", (Emit(0, (TRUE,)),), distinct=False, label_types=(INT,))
    with pytest.raises(Unlawful):
        verify(Program(1, actions=(action,)))


@given(rng=st.randoms(use_true_random=False))
def test_random_programs_are_lawful_and_can_be_shown(rng: Random) -> None:
    program, _ = programs(rng)
    verify(program)
    assert show_program(program).startswith("action a0")


def test_a_listing() -> None:
    digits = Field(0, 4, 4, 3, size=10)
    body = (
        If(
            Binary(Op.LESS, Load(digits, ONE), Number(9)),
            (Copy(1, 0), Store(digits, ZERO, ONE), Emit(1, (ONE,))),
        ),
    )
    program = Program(1, actions=(Action("reset", body),))
    assert show_program(program) == (
        "action reset\n"
        "  if (state.0:4+4[1] < 9)\n"
        "    new1 := state\n"
        "    new1.0:4+4[1] := 0\n"
        "    emit new1 with 1\n"
    )
