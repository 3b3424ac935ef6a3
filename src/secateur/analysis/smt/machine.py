"""The operators that C has for its numbers, as formulas; `kernel/operators.py` is the meaning."""

from __future__ import annotations

import z3

from secateur.analysis.smt.values import Num, Term, Truth, equal, number, ranged, width_of
from secateur.kernel.machine_ranges import is_within, of_machine, signed
from secateur.kernel.operators import BITWISE, INTEGER, Op


def computed(op: Op, x: Num, y: Num) -> tuple[Num, Truth]:
    """Return a result, and where there is none."""
    low, high = of_machine(op, (x.low, x.high), (y.low, y.high))
    if op is Op.REMAINDER:
        return _remainder(x, y, low, high)
    if op in BITWISE:
        return ranged(_bitwise(op, x, y), low, high), False
    if op in (Op.SHIFT_LEFT, Op.SHIFT_RIGHT):
        return ranged(_shifted(op, x, y), low, high), False
    return _wrapped(op, x, y.low, low, high), False


def _remainder(x: Num, y: Num, low: int, high: int) -> tuple[Num, Truth]:
    zero = equal(y, number(0))
    if zero is True:
        return number(0), True
    width = _width(x, y)
    return ranged(z3.SRem(x.bits(width), y.bits(width)), low, high), zero


def _bitwise(op: Op, x: Num, y: Num) -> Term:
    width = _width(x, y)
    a, b = x.bits(width), y.bits(width)
    match op:
        case Op.BIT_AND:
            return a & b
        case Op.BIT_OR:
            return a | b
        case _:
            return a ^ b


def _shifted(op: Op, x: Num, y: Num) -> Term:
    a = x.bits(INTEGER)
    by = y.bits(INTEGER) & z3.BitVecVal(INTEGER - 1, INTEGER)
    return a << by if op is Op.SHIFT_LEFT else a >> by


def _wrapped(op: Op, x: Num, width: int, low: int, high: int) -> Num:
    kept = signed(width) if op is Op.WRAP_SIGNED else (0, (1 << width) - 1)
    if is_within((x.low, x.high), kept):
        return x
    bits = x.bits(width)
    return ranged(bits if op is Op.WRAP_SIGNED else z3.ZeroExt(1, bits), low, high)


def _width(x: Num, y: Num) -> int:
    return max(width_of(x.low, x.high), width_of(y.low, y.high))
