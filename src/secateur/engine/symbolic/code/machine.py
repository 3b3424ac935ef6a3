"""The operators that C has for its numbers, on numbers whose bits are diagrams."""

from __future__ import annotations

from secateur.engine.symbolic.code.numbers import Arithmetic, Number
from secateur.kernel.operators import INTEGER, Op


def computed(numbers: Arithmetic, op: Op, x: Number, y: Number) -> Number:
    """Return the result, as `kernel/operators.py` has it; the divisor of a remainder is not 0."""
    match op:
        case Op.REMAINDER:
            _, rest = numbers.divide(x, y)
            return numbers.choice(x[-1], numbers.negate(rest), rest)
        case Op.BIT_AND | Op.BIT_OR | Op.BIT_XOR:
            return _bitwise(numbers, op, x, y)
        case Op.SHIFT_LEFT | Op.SHIFT_RIGHT:
            return _shifted(numbers, op, x, y)
    width = numbers.known(y)
    assert width is not None, "the width of a wrap is a literal"
    low = numbers.wide(x, width)[:width]
    return numbers.integer(low) if op is Op.WRAP_SIGNED else numbers.natural(low)


def _bitwise(numbers: Arithmetic, op: Op, x: Number, y: Number) -> Number:
    width = max(len(x), len(y))
    pairs = zip(numbers.wide(x, width), numbers.wide(y, width), strict=True)
    match op:
        case Op.BIT_AND:
            return numbers.integer([a & b for a, b in pairs])
        case Op.BIT_OR:
            return numbers.integer([a | b for a, b in pairs])
        case _:
            return numbers.integer([numbers.diagrams.differ(a, b) for a, b in pairs])


def _shifted(numbers: Arithmetic, op: Op, x: Number, y: Number) -> Number:
    """Return a number of 32 bits moved by each bit of the distance in turn."""
    bits = list(numbers.wide(x, INTEGER)[:INTEGER])
    step = 1
    for bit in numbers.wide(y, INTEGER.bit_length())[: INTEGER.bit_length() - 1]:
        if op is Op.SHIFT_LEFT:
            moved = [numbers.false] * step + bits[:-step]
        else:
            moved = bits[step:] + [bits[-1]] * step
        choice = numbers.diagrams.choice
        bits = [a if a == b else choice(bit, a, b) for a, b in zip(moved, bits, strict=True)]
        numbers.watch()
        step *= 2
    return numbers.integer(bits)
