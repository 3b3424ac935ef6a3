"""Arithmetic on reals, held as double-precision numbers, and conversion from and to integers."""

from __future__ import annotations

import math
import operator
from typing import Final

from secateur.maths.operators import integers
from secateur.maths.operators.build import call, infix, partial, right_associative, signature
from secateur.maths.operators.protocol import Fixity, Operator
from secateur.maths.types import INTEGER, PREDICATE, REAL, Power
from secateur.maths.values import IllDefined

_BINARY: Final = signature(REAL, REAL, REAL)
_OF_SET: Final = signature(Power(REAL), REAL)
_COMPARE: Final = signature(REAL, REAL, PREDICATE)


def divide(a: float, b: float) -> float:
    """Return `a / b`."""
    if b == 0.0:
        raise IllDefined(f"division by zero: {a} / {b}")
    return a / b


def power(a: float, b: int) -> float:
    """Return `a ** b`."""
    try:
        return float(a**b)
    except (ZeroDivisionError, OverflowError) as error:
        raise IllDefined(f"{a} ** {b}: {error}") from None


ADD: Final = infix("real sum", "+", 180, _BINARY, operator.add)
SUBTRACT: Final = infix("real difference", "- −", 180, _BINARY, operator.sub)
MULTIPLY: Final = infix("real product", "* × ∗", 190, _BINARY, operator.mul)
DIVIDE: Final = partial(infix("real quotient", "/ ÷", 190, _BINARY, divide))
POWER: Final = partial(
    right_associative(infix("real power", "**", 200, signature(REAL, INTEGER, REAL), power))
)
NEGATE: Final = Operator(
    "real opposite", ("-", "−"), Fixity.PREFIX, signature(REAL, REAL), operator.neg, 210
)
MAX: Final = partial(call("greatest real", "max", _OF_SET, integers.maximum))
MIN: Final = partial(call("least real", "min", _OF_SET, integers.minimum))
LESS: Final = infix("real less", "<", 100, _COMPARE, operator.lt)
LESS_EQUAL: Final = infix("real at most", "<= ≤", 100, _COMPARE, operator.le)
GREATER: Final = infix("real greater", ">", 100, _COMPARE, operator.gt)
GREATER_EQUAL: Final = infix("real at least", ">= ≥", 100, _COMPARE, operator.ge)

OPERATORS: Final[tuple[Operator, ...]] = (
    call("integer as real", "real", signature(INTEGER, REAL), float),
    call("floor", "floor", signature(REAL, INTEGER), math.floor),
    call("ceiling", "ceiling", signature(REAL, INTEGER), math.ceil),
)
