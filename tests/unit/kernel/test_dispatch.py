"""Which actions a jump decides between."""

from __future__ import annotations

from functools import reduce

from secateur.kernel.build import FALSE, TRUE
from secateur.kernel.dispatch import Questions
from secateur.kernel.language import (
    BOOL,
    Assign,
    Binary,
    Block,
    Copy,
    Emit,
    Expr,
    Field,
    Has,
    If,
    Load,
    Local,
    Number,
    SetOf,
    Trap,
    Unary,
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


def runs(bodies: list[Block], *, conditions: bool = True) -> list[tuple[range, Expr | None]]:
    """The runs of some bodies, and what each asks."""
    questions = Questions()
    found = questions.runs([questions.guarded(b) for b in bodies], conditions=conditions)
    return [(r.members, None if r.question is None else questions.asked[r.question]) for r in found]


def first_tests(body: Block) -> dict[Load, int]:
    """What numbers must be, as a body finds out first."""
    questions = Questions()
    tests = questions.guarded(body).tests
    asked = {questions.asked[number]: answer for number, answer in tests.items()}
    return {load: value for load, value in asked.items() if isinstance(load, Load)}


def at(body: Block, question: Expr) -> Block:
    """What is left of a body where a question has the answer that it wants."""
    questions = Questions()
    guarded = questions.guarded(body)
    return guarded.at(questions.asked.index(question)).block()


def test_consecutive_actions_that_test_one_number_are_a_run() -> None:
    tests = [equal(PC, 0), both(equal(PC, 1), less(OTHER, 3)), both(equal(OTHER, 2), equal(PC, 1))]
    others = [less(PC, 3), equal(OTHER, 1), less(LATER, 2)]
    found = runs([body(c) for c in (*tests, *others)])
    assert found[0] == (range(3), PC)
    assert found[1:] == [(range(j, j + 1), None) for j in (3, 4, 5)]


def test_the_number_that_tells_most_apart_decides() -> None:
    found = runs([body(both(equal(OTHER, 1), equal(PC, value))) for value in range(4)])
    assert found == [(range(4), PC)]


def test_what_all_test_for_one_value_decides_less() -> None:
    """`_atomic = 0`, say: the processes are told apart by their places nevertheless."""
    first = [body(both(equal(OTHER, 0), equal(PC, value))) for value in range(4)]
    second = [body(both(equal(OTHER, 0), equal(LATER, value))) for value in range(3)]
    assert runs([*first, *second]) == [(range(4), PC), (range(4, 7), LATER)]


def test_what_many_need_is_asked_once() -> None:
    found = runs([body(both(less(OTHER, 5), less(LATER, value))) for value in range(4)])
    assert found == [(range(4), less(OTHER, 5))]


def test_a_condition_and_its_opposite_are_one_question() -> None:
    room = Binary(Op.LESS, OTHER, Number(5))
    full = Binary(Op.LESS_EQUAL, Number(5), OTHER)
    denied = Unary(Op.NOT, room)
    assert runs([body(room), body(full), body(denied)]) == [(range(3), room)]
    assert at((If(both(full, equal(PC, 1)), STEP),), room) == (If(equal(PC, 1), STEP),)


def test_functions_are_divided_by_numbers_alone() -> None:
    bodies = [body(both(less(OTHER, 5), less(LATER, value))) for value in range(4)]
    assert [test for _, test in runs(bodies, conditions=False)] == [None] * 4


def test_an_action_that_does_nothing_is_in_any_run() -> None:
    tests = [body(equal(PC, value)) for value in range(4)]
    assert runs([*tests[:2], (), *tests[2:]]) == [(range(5), PC)]


def test_no_test_is_moved_before_what_may_trap() -> None:
    trap = Binary(Op.LESS, Binary(Op.DIVIDE, Number(1), OTHER), Number(1))
    assert first_tests((If(both(trap, equal(PC, 1)), STEP),)) == {}
    assert first_tests((If(both(equal(PC, 1), trap), STEP),)) == {PC: 1}


def test_no_index_is_looked_up_before_it_is_known_to_be_one() -> None:
    """An index that is tested first, and may lie outside, must not be used before that."""
    cells = Field(1, 0, 4, count=4, size=12)
    inside, cell = less(PC, 4), Binary(Op.EQUAL, Load(cells, PC), Number(2))
    bodies = [body(both(both(inside, cell), less(OTHER, value))) for value in range(4)]
    assert runs(bodies) == [(range(4), inside)]
    first = Field(1, 0, 4, count=12, size=12)
    sure = Binary(Op.EQUAL, Load(first, PC), Number(2))
    bodies = [body(both(less(OTHER, value), sure)) for value in range(4)]
    assert runs(bodies) == [(range(4), sure)]


def test_the_test_is_dropped_where_it_holds() -> None:
    assert at((If(equal(PC, 1), STEP),), PC) == STEP
    rest = both(equal(OTHER, 2), less(OTHER, 3))
    conjunction = both(equal(OTHER, 2), both(equal(PC, 1), less(OTHER, 3)))
    assert at((If(conjunction, STEP),), PC) == (If(rest, STEP),)


def test_what_follows_from_a_number_is_dropped_with_its_test() -> None:
    other = Unary(Op.NOT, equal(PC, 2))
    assert at((If(both(other, both(equal(PC, 1), less(OTHER, 3))), STEP),), PC) == (
        If(less(OTHER, 3), STEP),
    )
    same = Unary(Op.NOT, equal(PC, 1))
    assert at((If(both(equal(PC, 1), same), STEP),), PC) == (If(same, STEP),)


def test_what_a_number_is_not_is_one_question() -> None:
    """Nobody is at one of many places, says a `timeout`."""
    low = Load(Field(0, 12, 3, least=-1, size=5))
    absent = [Unary(Op.NOT, equal(low, value)) for value in (-1, 1, 3, 9)]
    alike = [body(reduce(both, [less(OTHER, value), *absent])) for value in range(2)]
    place = Binary(Op.SUBTRACT, low, Number(-1))
    assert runs(alike) == [(range(2), Has(SetOf(5, 0b10101), place))]
    few = [body(reduce(both, [less(OTHER, value), *absent[:2]])) for value in range(2)]
    assert runs(few) == [(range(2), equal(low, -1))]


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
