"""The integers of a machine: what C does with an `int` of 32 bits, on exact integers.

B has no words for these.  They are for languages that compute as C does; their names are not
reserved anywhere.  Operands may be any integers: only their low 32 bits count, except for the
remainder, which is exact.  C's quotient is B's: both are towards zero.  The width of a wrap is in
1..32.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from secateur.maths.operators.build import call, partial, signature
from secateur.maths.operators.integers import DIVIDE
from secateur.maths.operators.protocol import Operator
from secateur.maths.types import INTEGER
from secateur.maths.values import IllDefined

_BINARY: Final = signature(INTEGER, INTEGER, INTEGER)
_UNARY: Final = signature(INTEGER, INTEGER)

WIDTH: Final = 32
"""How many bits an `int` has."""


def wrap_unsigned(value: int, width: int) -> int:
    """Return the value modulo 2 to the power of the width."""
    if not 1 <= width <= WIDTH:
        raise _no_width(width)
    return value % (1 << width)


def wrap_signed(value: int, width: int) -> int:
    """Return the value modulo 2 to the power of the width, as a number with a sign."""
    if not 1 <= width <= WIDTH:
        raise _no_width(width)
    half = 1 << (width - 1)
    return (value + half) % (1 << width) - half


def _no_width(width: int) -> IllDefined:
    return IllDefined(f"{width} is no number of bits from 1 to {WIDTH}")


def bit_and(a: int, b: int) -> int:
    """Return the bits that both have."""
    return wrap_signed(a & b, WIDTH)


def bit_or(a: int, b: int) -> int:
    """Return the bits that one of them has."""
    return wrap_signed(a | b, WIDTH)


def bit_xor(a: int, b: int) -> int:
    """Return the bits that exactly one of them has."""
    return wrap_signed(a ^ b, WIDTH)


def bit_not(a: int) -> int:
    """Return the bits that it has not."""
    return wrap_signed(~a, WIDTH)


def shift_left(a: int, by: int) -> int:
    """Return the bits moved up by a distance modulo 32, as processors take it."""
    return wrap_signed(a << by % WIDTH, WIDTH)


def shift_right(a: int, by: int) -> int:
    """Return the bits moved down by a distance modulo 32; the sign moves in."""
    return wrap_signed(a, WIDTH) >> by % WIDTH


def remainder(a: int, b: int) -> int:
    """Return what a division towards zero leaves; its sign is that of the dividend."""
    if b == 0:
        raise IllDefined(f"division by zero: {a} % 0")
    rest = abs(a) % abs(b)
    return -rest if a < 0 else rest


QUOTIENT: Final = DIVIDE
REMAINDER: Final = partial(call("remainder of C", "c_remainder", _BINARY, remainder))
BIT_AND: Final = call("bitwise and", "bit_and", _BINARY, bit_and)
BIT_OR: Final = call("bitwise or", "bit_or", _BINARY, bit_or)
BIT_XOR: Final = call("bitwise exclusive or", "bit_xor", _BINARY, bit_xor)
BIT_NOT: Final = call("bitwise not", "bit_not", _UNARY, bit_not)
SHIFT_LEFT: Final = call("shift to the left", "shift_left", _BINARY, shift_left)
SHIFT_RIGHT: Final = call("shift to the right", "shift_right", _BINARY, shift_right)
WRAP_SIGNED: Final = call("signed value of low bits", "wrap_signed", _BINARY, wrap_signed)
WRAP_UNSIGNED: Final = call("value of low bits", "wrap_unsigned", _BINARY, wrap_unsigned)

OF_ANY_WIDTH: Final[Mapping[Operator, Operator]] = {
    each: partial(each) for each in (WRAP_SIGNED, WRAP_UNSIGNED)
}
"""What stands for wraps whose width is not known to be one: those themselves never fail."""

OPERATORS: Final[tuple[Operator, ...]] = (
    REMAINDER,
    BIT_AND,
    BIT_OR,
    BIT_XOR,
    BIT_NOT,
    SHIFT_LEFT,
    SHIFT_RIGHT,
    WRAP_SIGNED,
    WRAP_UNSIGNED,
)
