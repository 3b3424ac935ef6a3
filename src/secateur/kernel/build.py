"""Writing kernel code: constructors that fold what is known.

Nothing that might trap is folded away: whether a step traps does not depend on who wrote
its code.  `builder.py` collects statements.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from secateur.kernel.evaluate_expressions import Memory, Trapped, value_of, width_of
from secateur.kernel.language import (
    BOOL,
    INT,
    Between,
    Binary,
    Bits,
    Choose,
    Expr,
    Has,
    Lookup,
    Number,
    Place,
    SetOf,
    Slice,
    Truth,
    Type,
    Unary,
    With,
    type_of,
)
from secateur.kernel.operators import Op
from secateur.kernel.ranges import bounds, can_trap

TRUE: Final = Truth(True)
FALSE: Final = Truth(False)
ZERO: Final = Number(0)
ONE: Final = Number(1)


def constant(value: int, type_: Type) -> Expr:
    """Return a known value as an expression."""
    if isinstance(type_, Bits):
        return SetOf(type_.width, value)
    return Number(value) if type_ is INT else Truth(bool(value))


def zero(type_: Type) -> Expr:
    """Return 0, false or the empty set."""
    return constant(0, type_)


def is_constant(*expressions: Expr) -> bool:
    """Whether all of them are known values."""
    return all(isinstance(e, Number | Truth | SetOf) for e in expressions)


def _folded(e: Expr, *operands: Expr) -> Expr:
    """Return the value of `e` if its operands are known and it has one, else `e` itself."""
    if not is_constant(*operands):
        return e
    try:
        return constant(value_of(e, Memory({})), type_of(e))
    except (Trapped, AssertionError):  # code that never runs need not meet any demand
        return e


# -- numbers --------------------------------------------------------------------------------


def add(left: Expr, right: Expr) -> Expr:
    """Return left + right."""
    if left == ZERO:
        return right
    return left if right == ZERO else _folded(Binary(Op.ADD, left, right), left, right)


def subtract(left: Expr, right: Expr) -> Expr:
    """Return left - right."""
    return left if right == ZERO else _folded(Binary(Op.SUBTRACT, left, right), left, right)


def multiply(left: Expr, right: Expr) -> Expr:
    """Return left * right."""
    if left == ONE:
        return right
    if right == ONE:
        return left
    for one, other in ((left, right), (right, left)):
        if one == ZERO and not can_trap(other):
            return ZERO
    return _folded(Binary(Op.MULTIPLY, left, right), left, right)


def divide(left: Expr, right: Expr) -> Expr:
    """Return left / right, towards zero."""
    return left if right == ONE else _folded(Binary(Op.DIVIDE, left, right), left, right)


def mod(left: Expr, right: Expr) -> Expr:
    """Return left mod right."""
    if isinstance(right, Number):
        low, high = bounds(left)
        if 0 <= low <= high < right.value:
            return left
    return _folded(Binary(Op.MOD, left, right), left, right)


def power(left: Expr, right: Expr) -> Expr:
    """Return left ** right."""
    if right == ONE:
        return left
    return _folded(Binary(Op.POWER, left, right), left, right)


def negate(operand: Expr) -> Expr:
    """Return -operand."""
    return _folded(Unary(Op.NEGATE, operand), operand)


def to_int(operand: Expr) -> Expr:
    """Return 0 for false and 1 for true."""
    return _folded(Unary(Op.TO_INT, operand), operand)


# -- numbers of C ---------------------------------------------------------------------------


def remainder(left: Expr, right: Expr) -> Expr:
    """Return what is left of left / right; its sign is that of the left one."""
    return _folded(Binary(Op.REMAINDER, left, right), left, right)


def bit_and(left: Expr, right: Expr) -> Expr:
    """Return the bits that both numbers have."""
    return _folded(Binary(Op.BIT_AND, left, right), left, right)


def bit_or(left: Expr, right: Expr) -> Expr:
    """Return the bits that one of the numbers has."""
    return _folded(Binary(Op.BIT_OR, left, right), left, right)


def bit_xor(left: Expr, right: Expr) -> Expr:
    """Return the bits that only one of the numbers has."""
    return _folded(Binary(Op.BIT_XOR, left, right), left, right)


def shift_left(left: Expr, right: Expr) -> Expr:
    """Return a number of 32 bits moved to the left."""
    return _folded(Binary(Op.SHIFT_LEFT, left, right), left, right)


def shift_right(left: Expr, right: Expr) -> Expr:
    """Return a number of 32 bits moved to the right, with its sign."""
    return _folded(Binary(Op.SHIFT_RIGHT, left, right), left, right)


def wrap_signed(number: Expr, width: Expr) -> Expr:
    """Return the low bits as a number with a sign; the width is a literal."""
    return _wrapped(Op.WRAP_SIGNED, number, width)


def wrap_unsigned(number: Expr, width: Expr) -> Expr:
    """Return the low bits as a number without a sign; the width is a literal."""
    return _wrapped(Op.WRAP_UNSIGNED, number, width)


def _wrapped(op: Op, number: Expr, width: Expr) -> Expr:
    whole = Binary(op, number, width)
    # bounds are those of the operand where it fits, and then nothing is cut off
    return number if bounds(whole) == bounds(number) else _folded(whole, number, width)


# -- truth ----------------------------------------------------------------------------------


def and_(left: Expr, right: Expr) -> Expr:
    """Return left & right; the right one is not looked at if the left one is false."""
    if TRUE in (left, right):
        return right if left == TRUE else left
    if left == FALSE or (right == FALSE and not can_trap(left)):
        return FALSE
    return Binary(Op.AND, left, right)


def or_(left: Expr, right: Expr) -> Expr:
    """Return left or right; the right one is not looked at if the left one is true."""
    if FALSE in (left, right):
        return right if left == FALSE else left
    if left == TRUE or (right == TRUE and not can_trap(left)):
        return TRUE
    return Binary(Op.OR, left, right)


def all_of(conjuncts: Iterable[Expr]) -> Expr:
    """Return the conjunction, which is looked at from the left."""
    return _balanced(and_, list(conjuncts)) or TRUE


def any_of(disjuncts: Iterable[Expr]) -> Expr:
    """Return the disjunction, which is looked at from the left."""
    return _balanced(or_, list(disjuncts)) or FALSE


def _balanced(combine: Callable[[Expr, Expr], Expr], items: list[Expr]) -> Expr | None:
    """Combine what is associative, so that the expression is not deep."""
    while len(items) > 1:
        pairs = [combine(a, b) for a, b in zip(items[::2], items[1::2], strict=False)]
        items = pairs + items[len(pairs) * 2 :]
    return items[0] if items else None


def not_(operand: Expr) -> Expr:
    """Return the negation; a comparison of numbers is turned round."""
    match operand:
        case Unary(Op.NOT, inner):
            return inner
        case Binary(Op.LESS, left, right):
            return less_equal(right, left)
        case Binary(Op.LESS_EQUAL, left, right):
            return less(right, left)
    return _folded(Unary(Op.NOT, operand), operand)


def equal(left: Expr, right: Expr) -> Expr:
    """Return whether two values are the same."""
    if type_of(left) is BOOL:
        for one, other in ((left, right), (right, left)):
            if isinstance(one, Truth):
                return other if one.value else not_(other)
    if left == right and not can_trap(left):
        return TRUE
    for one, other in ((left, right), (right, left)):
        match one, other:
            case Unary(Op.TO_INT, truth), Number(0 | 1 as wanted):
                return truth if wanted else not_(truth)
    if type_of(left) is INT and not can_trap(left) and not can_trap(right):
        x, y = bounds(left), bounds(right)
        if x[1] < y[0] or y[1] < x[0]:
            return FALSE
    return _folded(Binary(Op.EQUAL, left, right), left, right)


def less(left: Expr, right: Expr) -> Expr:
    """Return left < right."""
    return _compared(Op.LESS, left, right, bounds(left)[1] < bounds(right)[0])


def less_equal(left: Expr, right: Expr) -> Expr:
    """Return left <= right."""
    return _compared(Op.LESS_EQUAL, left, right, bounds(left)[1] <= bounds(right)[0])


def _compared(op: Op, left: Expr, right: Expr, always: bool) -> Expr:  # noqa: FBT001
    if not can_trap(left) and not can_trap(right):
        if always:
            return TRUE
        x, y = bounds(left), bounds(right)
        if x[0] > y[1] or (op is Op.LESS and x[0] == y[1]):
            return FALSE
    return Binary(op, left, right)


def within(low: int, value: Expr, high: int) -> Expr:
    """Return whether low <= value <= high."""
    return and_(less_equal(Number(low), value), less_equal(value, Number(high)))


def choose(condition: Expr, then: Expr, otherwise: Expr) -> Expr:
    """Return one of two values."""
    if isinstance(condition, Truth):
        return then if condition.value else otherwise
    if then == otherwise and not can_trap(condition):
        return then
    if (then, otherwise) == (TRUE, FALSE):
        return condition
    if (then, otherwise) == (FALSE, TRUE):
        return not_(condition)
    if (then, otherwise) == (ONE, ZERO):
        return to_int(condition)
    return Choose(condition, then, otherwise)


# -- sets -----------------------------------------------------------------------------------


def empty(width: int) -> Expr:
    """Return the empty set."""
    return SetOf(width, 0)


def full(width: int) -> Expr:
    """Return 0..width-1."""
    return SetOf(width, (1 << width) - 1)


def meet(left: Expr, right: Expr) -> Expr:
    """Return the intersection."""
    width = width_of(left)
    for one, other in ((left, right), (right, left)):
        if one == full(width):
            return other
        if one == empty(width) and not can_trap(other):
            return one
    return _folded(Binary(Op.MEET, left, right), left, right)


def join(left: Expr, right: Expr) -> Expr:
    """Return the union."""
    width = width_of(left)
    for one, other in ((left, right), (right, left)):
        if one == empty(width):
            return other
        if one == full(width) and not can_trap(other):
            return one
    return _folded(Binary(Op.JOIN, left, right), left, right)


def minus(left: Expr, right: Expr) -> Expr:
    """Return the elements of the left set that are not in the right one."""
    if right == empty(width_of(left)):
        return left
    return _folded(Binary(Op.MINUS, left, right), left, right)


def complement(operand: Expr) -> Expr:
    """Return what is missing from 0..width-1."""
    return _folded(Unary(Op.COMPLEMENT, operand), operand)


def subset(left: Expr, right: Expr) -> Expr:
    """Return whether all elements of the left set are in the right one."""
    return equal(minus(left, right), empty(width_of(left)))


def count(operand: Expr) -> Expr:
    """Return the number of elements."""
    return _folded(Unary(Op.COUNT, operand), operand)


def least(operand: Expr) -> Expr:
    """Return the least element; traps if there is none."""
    return _folded(Unary(Op.LEAST, operand), operand)


def greatest(operand: Expr) -> Expr:
    """Return the greatest element; traps if there is none."""
    return _folded(Unary(Op.GREATEST, operand), operand)


def has(set_: Expr, element: Expr) -> Expr:
    """Return whether a number is in a set."""
    if not can_trap(element):
        low, high = bounds(element)
        width = width_of(set_)
        if isinstance(set_, SetOf) and 0 <= low <= high < width:
            part = (set_.mask >> low) & ((1 << (high - low + 1)) - 1)
            if part == 0 or part.bit_count() == high - low + 1:
                return Truth(part != 0)
        if not can_trap(set_) and (high < 0 or low >= width):
            return FALSE
    return _folded(Has(set_, element), set_, element)


def with_(set_: Expr, element: Expr) -> Expr:
    """Return a set with one element more."""
    return _folded(With(set_, element), set_, element)


def slice_(set_: Expr, start: Expr, width: int) -> Expr:
    """Return a part of a set, as a set of its own."""
    if start == ZERO and width == width_of(set_):
        return set_
    return _folded(Slice(set_, start, width), set_, start)


def place(set_: Expr, start: Expr, width: int) -> Expr:
    """Return a set moved up within a larger one."""
    if start == ZERO and width == width_of(set_):
        return set_
    return _folded(Place(set_, start, width), set_, start)


def between(width: int, low: Expr, high: Expr) -> Expr:
    """Return an interval as a set."""
    return _folded(Between(width, low, high), low, high)


def lookup(table: tuple[int, ...], index: Expr, type_: Type = INT) -> Expr:
    """Return an entry of a table."""
    if not can_trap(index) and all(entry == table[0] for entry in table):
        return constant(table[0], type_)
    return _folded(Lookup(table, index, type_), index)
