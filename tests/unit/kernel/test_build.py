"""Constructors fold, but nothing that matters; blocks nest."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from secateur.kernel import build
from secateur.kernel.build import FALSE, ONE, TRUE, ZERO
from secateur.kernel.builder import Builder, both, either, one_of
from secateur.kernel.evaluate_expressions import Memory, Trapped, value_of
from secateur.kernel.language import (
    BOOL,
    INT,
    Assign,
    Binary,
    Bits,
    Expr,
    Field,
    For,
    Has,
    If,
    Load,
    Local,
    Number,
    SetOf,
    Trap,
    Truth,
    Unary,
)
from secateur.kernel.operators import Op

X = Local("x", INT)
P = Local("p", BOOL)
DIGIT = Load(Field(0, 0, 4, size=10))
UNDEFINED = Binary(Op.DIVIDE, ONE, ZERO)
LARGEST = Number((1 << 63) - 1)

ARITHMETIC: dict[Op, Callable[[Expr, Expr], Expr]] = {
    Op.ADD: build.add,
    Op.SUBTRACT: build.subtract,
    Op.MULTIPLY: build.multiply,
    Op.DIVIDE: build.divide,
    Op.MOD: build.mod,
    Op.POWER: build.power,
    Op.EQUAL: build.equal,
    Op.LESS: build.less,
    Op.LESS_EQUAL: build.less_equal,
}
LOGIC: dict[Op, Callable[[Expr, Expr], Expr]] = {
    Op.AND: build.and_,
    Op.OR: build.or_,
    Op.EQUAL: build.equal,
}
SETS: dict[Op, Callable[[Expr, Expr], Expr]] = {
    Op.MEET: build.meet,
    Op.JOIN: build.join,
    Op.MINUS: build.minus,
    Op.EQUAL: build.equal,
}


def outcome(e: Expr, **values: int) -> int | str:
    try:
        return value_of(e, Memory({}, values))
    except Trapped:
        return "trap"


numbers = st.one_of(
    st.builds(Number, st.sampled_from([0, 1, -1, 2, 7, LARGEST.value, -LARGEST.value - 1])),
    st.just(X),
    st.just(UNDEFINED),
)
truths = st.one_of(
    st.builds(Truth, st.booleans()), st.just(P), st.just(Binary(Op.EQUAL, UNDEFINED, ZERO))
)
sets = st.one_of(
    st.builds(SetOf, st.just(5), st.integers(0, 31)),
    st.just(Local("s", Bits(5))),
)


@given(st.sampled_from(list(ARITHMETIC)), numbers, numbers, st.integers(-3, 3))
def test_folded_arithmetic_means_the_same(op: Op, left: Expr, right: Expr, x: int) -> None:
    plain = Binary(op, left, right)
    assert outcome(ARITHMETIC[op](left, right), x=x) == outcome(plain, x=x)
    negated = build.not_(ARITHMETIC[op](left, right)) if op in (Op.LESS, Op.LESS_EQUAL) else None
    if negated is not None:
        assert outcome(negated, x=x) == outcome(Unary(Op.NOT, plain), x=x)


@given(st.sampled_from(list(LOGIC)), truths, truths, st.booleans())
def test_folded_logic_means_the_same(op: Op, left: Expr, right: Expr, p: bool) -> None:
    assert outcome(LOGIC[op](left, right), p=p) == outcome(Binary(op, left, right), p=p)


@given(st.sampled_from(list(SETS)), sets, sets, st.integers(0, 31))
def test_folded_sets_mean_the_same(op: Op, left: Expr, right: Expr, s: int) -> None:
    assert outcome(SETS[op](left, right), s=s) == outcome(Binary(op, left, right), s=s)


@given(sets, numbers, st.integers(0, 31), st.integers(-3, 6))
def test_folded_membership_means_the_same(set_: Expr, e: Expr, s: int, x: int) -> None:
    assert outcome(build.has(set_, e), s=s, x=x) == outcome(Has(set_, e), s=s, x=x)


@pytest.mark.parametrize(
    ("built", "expected"),
    [
        (build.add(X, ZERO), X),
        (build.multiply(ZERO, DIGIT), ZERO),
        (build.mod(DIGIT, Number(10)), DIGIT),
        (build.less(DIGIT, Number(10)), TRUE),
        (build.equal(DIGIT, Number(10)), FALSE),
        (build.less_equal(Number(10), DIGIT), FALSE),
        (build.not_(build.less(X, ONE)), Binary(Op.LESS_EQUAL, ONE, X)),
        (build.has(SetOf(16, 0x3FF), DIGIT), TRUE),
        (build.has(SetOf(16, 0xFC00), DIGIT), FALSE),
        (build.choose(P, TRUE, FALSE), P),
        (build.all_of([]), TRUE),
        (build.any_of([FALSE, P]), P),
        (build.lookup((4, 4), X), Number(4)),
        (build.subset(SetOf(4, 1), SetOf(4, 3)), TRUE),
    ],
)
def test_what_is_known_is_folded(built: Expr, expected: Expr) -> None:
    assert built == expected


def test_an_overflow_is_not_folded() -> None:
    assert build.add(LARGEST, ONE) == Binary(Op.ADD, LARGEST, ONE)


def test_many_conjuncts_are_not_deep() -> None:
    many = build.all_of([Binary(Op.LESS, X, Number(i)) for i in range(5000)])
    assert outcome(many, x=-1) is True
    assert outcome(many, x=17) is False


def test_blocks_nest() -> None:
    b = Builder()
    with b.if_(P):
        b.assign(X, ONE)
    with b.else_(), b.for_(ZERO, ONE) as i:
        b.assign(X, i)
    assert b.block == (If(P, (Assign(X, ONE),), (For(i, ZERO, ONE, (Assign(X, i),)),)),)


def test_known_conditions_leave_no_trace() -> None:
    b = Builder()
    with b.if_(FALSE):
        b.trap("never")
    with b.else_():
        b.assign(X, ONE)
    b.trap_unless(TRUE, "never")
    assert b.block == (Assign(X, ONE),)


def test_statements_of_the_right_side_run_only_if_needed() -> None:
    def undefined(b: Builder) -> Expr:
        b.trap("undefined")
        return TRUE

    b = Builder()
    result = both(b, P, lambda: undefined(b))
    assert isinstance(result, Local)
    assert b.block == (If(P, (Trap("undefined"), Assign(result, TRUE)), (Assign(result, FALSE),)),)
    b = Builder()
    assert both(b, FALSE, lambda: undefined(b)) == FALSE
    assert either(b, TRUE, lambda: undefined(b)) == TRUE
    assert either(b, P, lambda: FALSE) == P
    assert one_of(b, P, lambda: X, lambda: ONE) == build.choose(P, X, ONE)
    assert b.block == ()
