"""External functions on integers (LibraryMath.mch, LibraryBits.def)."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Final

from secateur.maths.magnitude import admit, bits_of_power
from secateur.maths.operators.build import external, partial, signature
from secateur.maths.operators.protocol import Operator
from secateur.maths.types import INTEGER
from secateur.maths.values import IllDefined


def rounded(number: float) -> int:
    """Return the nearest integer; halves are rounded away from zero."""
    return int(math.copysign(math.floor(abs(number) + 0.5), number))


def scaled(function: Callable[[float], float]) -> Callable[[int, int], int]:
    """Return `function` on fixed-point numbers: `m * function(x / m)`, rounded."""

    def apply(m: int, x: int) -> int:
        if m <= 0:
            raise IllDefined(f"a precision multiplier must be positive, not {m}")
        return rounded(m * function(x / m))

    return apply


def hundredths(function: Callable[[float], float]) -> Callable[[int], int]:
    """Return `function` on numbers of hundredths."""
    apply = scaled(function)
    return lambda x: apply(100, x)


def logarithm(m: int, base: int, x: int) -> int:
    """Return the logarithm on fixed-point numbers."""
    if m <= 0 or base <= 0 or x <= 0 or base == m:
        raise IllDefined(f"no logarithm of {x} to the base {base} (multiplier {m})")
    return rounded(m * math.log(x / m) / math.log(base / m))


def most_significant_bit(x: int) -> int:
    """Return the place of the highest 1 among the binary digits."""
    if x <= 0:
        raise IllDefined(f"MSB expects a positive number, not {x}")
    return x.bit_length() - 1


def factorial(n: int) -> int:
    """Return `1 * 2 * ... * n`."""
    if n < 0:
        raise IllDefined(f"factorial of the negative number {n}")
    admit(bits_of_power(n, n), "the factorial of", n)
    return math.factorial(n)


def shift_left(x: int, n: int) -> int:
    """Return `x` times 2 to the power `n`."""
    if n < 0:
        raise IllDefined(f"a shift by the negative number {n}")
    admit(x.bit_length() + n, x, "shifted by", n)
    return x << n


def shift_right(x: int, n: int) -> int:
    """Return `x` divided by 2 to the power `n`, rounded down."""
    if n < 0:
        raise IllDefined(f"a shift by the negative number {n}")
    return x >> n


_ONE: Final = signature(INTEGER, INTEGER)
_TWO: Final = signature(INTEGER, INTEGER, INTEGER)

OPERATORS: Final[tuple[Operator, ...]] = (
    external("ABS", _ONE, abs),
    external("GCD", _TWO, math.gcd),
    partial(external("MSB", _ONE, most_significant_bit)),
    partial(external("FACTORIAL", _ONE, factorial)),
    external("SIN", _ONE, hundredths(math.sin)),
    external("COS", _ONE, hundredths(math.cos)),
    external("TAN", _ONE, hundredths(math.tan)),
    partial(external("SINx", _TWO, scaled(math.sin))),
    partial(external("COSx", _TWO, scaled(math.cos))),
    partial(external("TANx", _TWO, scaled(math.tan))),
    partial(external("LOGx", signature(INTEGER, INTEGER, INTEGER, INTEGER), logarithm)),
    external("BNOT", _ONE, operator.invert),
    external("BAND", _TWO, operator.and_),
    external("BOR", _TWO, operator.or_),
    external("BXOR", _TWO, operator.xor),
    partial(external("BLSHIFT", _TWO, shift_left)),
    partial(external("BRSHIFT", _TWO, shift_right)),
)
