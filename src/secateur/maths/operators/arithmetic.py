"""Arithmetic on integers and reals, and the other meanings of its signs."""

from __future__ import annotations

from typing import Final

from secateur.maths.operators import integers, reals, sets
from secateur.maths.operators.build import overloaded
from secateur.maths.operators.protocol import Operator

PLUS: Final = overloaded("plus", integers.ADD, reals.ADD)
MINUS: Final = overloaded("minus", integers.SUBTRACT, reals.SUBTRACT, sets.DIFFERENCE)
TIMES: Final = overloaded("times", integers.MULTIPLY, reals.MULTIPLY, sets.PRODUCT)
DIVIDED: Final = overloaded("divided by", integers.DIVIDE, reals.DIVIDE)
TO_THE_POWER: Final = overloaded("to the power", integers.POWER, reals.POWER)
NEGATIVE: Final = overloaded("negative", integers.NEGATE, reals.NEGATE)
MAXIMUM: Final = overloaded("maximum", integers.MAX, reals.MAX)
MINIMUM: Final = overloaded("minimum", integers.MIN, reals.MIN)

OPERATORS: Final[tuple[Operator, ...]] = (
    PLUS,
    MINUS,
    TIMES,
    DIVIDED,
    TO_THE_POWER,
    NEGATIVE,
    MAXIMUM,
    MINIMUM,
    integers.MODULO,
    integers.SUCCESSOR,
    integers.PREDECESSOR,
)
