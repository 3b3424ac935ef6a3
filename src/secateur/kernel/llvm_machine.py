"""The operators that C has for its numbers, in machine code."""

from __future__ import annotations

from secateur.kernel.evaluate_expressions import LEAST_INT
from secateur.kernel.language import WORD, Binary
from secateur.kernel.llvm_frame import Frame
from secateur.kernel.llvm_function import Function, Operand
from secateur.kernel.operators import INTEGER, Op, wrapped
from secateur.kernel.ranges import bounds, operator_can_trap


def computed(f: Frame, e: Binary, x: Operand, y: Operand) -> Operand:
    """Return the result for operands that have been computed."""
    fn = f.fn
    match e.op:
        case Op.REMAINDER:
            return _remainder(f, e, x, y)
        case Op.BIT_AND:
            return fn.and_(x, y)
        case Op.BIT_OR:
            return fn.or_(x, y)
        case Op.BIT_XOR:
            return fn.xor(x, y)
        case Op.SHIFT_LEFT:
            return _signed(fn, fn.shl(x, fn.and_(y, INTEGER - 1)), INTEGER)
        case Op.SHIFT_RIGHT:
            return _moved_down(fn, _signed(fn, x, INTEGER), fn.and_(y, INTEGER - 1))
        case Op.WRAP_SIGNED:
            assert isinstance(y, int)
            return x if _fits(f, e) else _signed(fn, x, y)
        case Op.WRAP_UNSIGNED:
            assert isinstance(y, int)
            return x if _fits(f, e) else fn.low_bits(x, y)
    raise AssertionError(e.op)


def _remainder(f: Frame, e: Binary, x: Operand, y: Operand) -> Operand:
    fn = f.fn
    if operator_can_trap(e, f.known):
        fn.exit_if(fn.compare("eq", y, 0), f.trap)
    low, high = bounds(e.right, f.known)
    if bounds(e.left, f.known)[0] == LEAST_INT and low <= -1 <= high:
        # the machine cannot divide the least number by -1; by 1 there is no remainder either
        y = fn.select(fn.compare("eq", y, -1), 1, y)
    return fn.pure(f"srem i64 {x}, {y}")


def _fits(f: Frame, e: Binary) -> bool:
    """Whether a number has no more bits than are wanted."""
    return bounds(e, f.known) == bounds(e.left, f.known)


def _signed(fn: Function, x: Operand, width: int) -> Operand:
    """Return the low bits, the highest of which is the sign."""
    if isinstance(x, int):
        return wrapped(x, width)
    unused = WORD - width
    return _moved_down(fn, fn.shl(x, unused), unused)


def _moved_down(fn: Function, x: Operand, by: Operand) -> Operand:
    """Return a number moved down by less than 64 bits; the sign moves in."""
    if isinstance(x, int) and isinstance(by, int):
        return x >> by
    return x if by == 0 or x == 0 else fn.pure(f"ashr i64 {x}, {by}")
