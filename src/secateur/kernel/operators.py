"""The operators of the kernel language."""

from __future__ import annotations

from enum import Enum
from typing import Final


class Op(Enum):
    """What `Binary` and `Unary` compute.

    Arithmetic traps on overflow.  Division is towards zero and traps for a divisor of
    0; MOD traps unless its operands are at least 0 and greater than 0; POWER traps for
    a negative exponent.  AND and OR do not look at the right operand unless they must.
    EQUAL takes two numbers, two truth values or two sets of one width.

    From REMAINDER on they are what C has for its numbers, and of these only REMAINDER
    can trap: for a divisor of 0.
    """

    __hash__ = object.__hash__  # that of Enum is not in C, and asked for often

    ADD = "+"
    SUBTRACT = "-"
    MULTIPLY = "*"
    DIVIDE = "/"
    MOD = "mod"
    POWER = "**"
    EQUAL = "="
    LESS = "<"
    LESS_EQUAL = "<="
    AND = "&"
    OR = "or"
    MEET = "/\\"
    JOIN = "\\/"
    MINUS = "without"
    REMAINDER = "rem"
    """What is left of a division towards zero; its sign is that of the dividend."""
    BIT_AND = "bit-and"
    BIT_OR = "bit-or"
    BIT_XOR = "bit-xor"
    SHIFT_LEFT = "shift-left"
    """Of a number of 32 bits, by the right operand modulo 32; so is the result."""
    SHIFT_RIGHT = "shift-right"
    """The same to the right, where the sign moves in."""
    WRAP_SIGNED = "wrap-signed"
    """The low bits, as many as the right operand says, as a number with a sign."""
    WRAP_UNSIGNED = "wrap-unsigned"
    """The low bits, as many as the right operand says, as a number without."""
    # one operand
    NOT = "not"
    NEGATE = "neg"
    COMPLEMENT = "complement"
    COUNT = "card"
    LEAST = "least"
    """The least element of a set; traps for the empty set."""
    GREATEST = "greatest"
    """The greatest element of a set; traps for the empty set."""
    TO_INT = "to int"
    """0 or 1 for a truth value."""


INTEGER: Final = 32
"""How many bits the numbers have that shifts are about, as an `int` of C does."""
WIDEST_WRAP: Final = 63
"""The most bits that the right operand of a wrap, which is always a literal, says."""
BITWISE: Final = frozenset({Op.BIT_AND, Op.BIT_OR, Op.BIT_XOR})
WRAPS: Final = frozenset({Op.WRAP_SIGNED, Op.WRAP_UNSIGNED})
OF_MACHINES: Final = BITWISE | WRAPS | {Op.REMAINDER, Op.SHIFT_LEFT, Op.SHIFT_RIGHT}
"""The operators on the numbers of C."""


def wrapped(value: int, width: int) -> int:
    """Return the low bits of a number, as a number with a sign."""
    low = value & ((1 << width) - 1)
    return low - (1 << width) if low >> (width - 1) else low


def of_machine(op: Op, x: int, y: int) -> int:
    """Return the result of one of `OF_MACHINES`; the divisor of a remainder is not 0."""
    match op:
        case Op.REMAINDER:
            rest = abs(x) % abs(y)
            return -rest if x < 0 else rest
        case Op.BIT_AND:
            return x & y
        case Op.BIT_OR:
            return x | y
        case Op.BIT_XOR:
            return x ^ y
        case Op.SHIFT_LEFT:
            return wrapped(x << y % INTEGER, INTEGER)
        case Op.SHIFT_RIGHT:
            return wrapped(x, INTEGER) >> y % INTEGER
        case Op.WRAP_SIGNED:
            return wrapped(x, y)
        case Op.WRAP_UNSIGNED:
            return x & ((1 << y) - 1)
    raise AssertionError(op)
