"""Which actions a jump decides between."""

from __future__ import annotations

from secateur.kernel.build import FALSE, TRUE
from secateur.kernel.dispatch import Run, at, first_tests, runs
from secateur.kernel.language import (
    BOOL,
    Assign,
    Binary,
    Block,
    Copy,
    Emit,
    Expr,
    Field,
    If,
    Load,
    Local,
    Number,
    Trap,
)
from secateur.kernel.operators import Op

PC = Load(Field(0, 0, 4, size=12))
OTHER = Load(Field(0, 4, 4, size=12))
LATER = Load(Field(0, 8, 4, size=12))
STEP: Block = (Copy(1, 0), Emit(1))


def equal(load: Load, value: int) -> Expr:
    return Binary(Op.EQUAL, load, Number(value))


def both(left: Expr, right: Expr) -> Expr:
    return Binary(Op.AND, left, right)


def less(load: Load, value: int) -> Expr:
    return Binary(Op.LESS, load, Number(value))


def body(condition: Expr) -> Block:
    return (If(condition, STEP),)


def test_consecutive_actions_that_test_one_number_are_a_run() -> None:
    tests = [equal(PC, 0), both(equal(PC, 1), less(OTHER, 3)), both(equal(OTHER, 2), equal(PC, 1))]
    others = [less(PC, 3), equal(OTHER, 1), equal(OTHER, 2)]
    found = runs([body(c) for c in (*tests, *others)])
    assert found[0] == Run(range(3), PC)
    assert found[1:] == tuple(Run(range(j, j + 1), None) for j in (3, 4, 5))


def test_the_number_that_tells_most_apart_decides() -> None:
    found = runs([body(both(equal(OTHER, 1), equal(PC, value))) for value in range(4)])
    assert found == (Run(range(4), PC),)


def test_what_all_test_for_one_value_decides_nothing() -> None:
    """`_atomic = 0`, say: the processes are told apart by their places nevertheless."""
    first = [body(both(equal(OTHER, 0), equal(PC, value))) for value in range(4)]
    second = [body(both(equal(OTHER, 0), equal(LATER, value))) for value in range(3)]
    assert runs([*first, *second]) == (Run(range(4), PC), Run(range(4, 7), LATER))


def test_an_action_that_does_nothing_is_in_any_run() -> None:
    tests = [body(equal(PC, value)) for value in range(4)]
    assert runs([*tests[:2], (), *tests[2:]]) == (Run(range(5), PC),)


def test_no_test_is_moved_before_what_may_trap() -> None:
    trap = Binary(Op.LESS, Binary(Op.DIVIDE, Number(1), OTHER), Number(1))
    assert first_tests((If(both(trap, equal(PC, 1)), STEP),)) == {}
    assert first_tests((If(both(equal(PC, 1), trap), STEP),)) == {PC: 1}


def test_the_test_is_dropped_where_it_holds() -> None:
    assert at((If(equal(PC, 1), STEP),), PC) == STEP
    rest = both(equal(OTHER, 2), less(OTHER, 3))
    conjunction = both(equal(OTHER, 2), both(equal(PC, 1), less(OTHER, 3)))
    assert at((If(conjunction, STEP),), PC) == (If(rest, STEP),)


def test_a_guard_of_several_statements() -> None:
    ready = Local("ready", BOOL)
    last = If(ready, STEP)
    body: Block = (If(equal(PC, 1), (Assign(ready, TRUE),), (Assign(ready, FALSE),)), last)
    assert first_tests(body) == {PC: 1}
    assert at(body, PC) == (Assign(ready, TRUE), last)


def test_what_does_something_elsewhere_is_in_no_run() -> None:
    assert first_tests((If(equal(PC, 1), STEP, (Trap("elsewhere"),)),)) == {}
    assert first_tests((If(equal(PC, 1), STEP), *STEP)) == {}


def test_a_guard_whose_parts_are_found_one_after_the_other() -> None:
    first, second = Local("first", BOOL), Local("second", BOOL)
    parts = (
        If(equal(PC, 1), (Assign(first, less(OTHER, 3)),), (Assign(first, FALSE),)),
        If(first, (Assign(second, less(LATER, 3)),), (Assign(second, FALSE),)),
        If(second, STEP),
    )
    assert first_tests(parts) == {PC: 1}
    assert first_tests((*parts[:2], If(second, STEP, (Trap("elsewhere"),)))) == {}
