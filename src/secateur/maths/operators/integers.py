"""Integer arithmetic: exact, of any size."""

from __future__ import annotations

import operator
from typing import Any, Final

from secateur.maths.magnitude import admit, bits_of_power
from secateur.maths.operators.build import call, infix, partial, right_associative, signature
from secateur.maths.operators.protocol import Fixity, Operator
from secateur.maths.show import brief
from secateur.maths.symbolic import ALL_REALS, Integers, is_empty
from secateur.maths.types import INTEGER, PREDICATE, Power
from secateur.maths.values import IllDefined, SetValue, explicit

_BINARY: Final = signature(INTEGER, INTEGER, INTEGER)
_UNARY: Final = signature(INTEGER, INTEGER)
_OF_SET: Final = signature(Power(INTEGER), INTEGER)
_COMPARE: Final = signature(INTEGER, INTEGER, PREDICATE)


def divide(a: int, b: int) -> int:
    """Return `a / b`, rounded towards zero as B has it."""
    if b == 0:
        raise IllDefined(f"division by zero: {a} / 0")
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def modulo(a: int, b: int) -> int:
    """Return `a mod b`, which B defines for `a >= 0` and `b > 0` only."""
    if b <= 0 or a < 0:
        raise IllDefined(f"{a} mod {b}: B has no mod of or by a negative number, nor by zero")
    return a % b


def power(a: int, b: int) -> int:
    """Return `a ** b` for `b >= 0`."""
    if b < 0:
        raise IllDefined(f"negative exponent: {a} ** {b}")
    admit(bits_of_power(a, b), a, "**", b)
    return int(a**b)


def maximum(s: SetValue) -> Any:
    """Return the greatest element of a set of numbers."""
    if isinstance(s, frozenset) and s:
        return max(s)
    if is_empty(s):
        raise IllDefined("max of the empty set")
    if isinstance(s, Integers):
        return s.greatest()
    return max(_finite("max", s))


def minimum(s: SetValue) -> Any:
    """Return the least element of a set of numbers."""
    if isinstance(s, frozenset) and s:
        return min(s)
    if is_empty(s):
        raise IllDefined("min of the empty set")
    if isinstance(s, Integers):
        return s.least()
    return min(_finite("min", s))


def _finite(what: str, s: SetValue) -> frozenset[Any]:
    if s is ALL_REALS:
        raise IllDefined(f"{what} of {brief(s)}, which has no bound")
    return explicit(s)


ADD: Final = infix("integer sum", "+", 180, _BINARY, operator.add)
SUBTRACT: Final = infix("integer difference", "- −", 180, _BINARY, operator.sub)
MULTIPLY: Final = infix("integer product", "* × ∗", 190, _BINARY, operator.mul)
DIVIDE: Final = partial(infix("integer quotient", "/ ÷", 190, _BINARY, divide))
MODULO: Final = partial(infix("remainder", "mod", 190, _BINARY, modulo))
POWER: Final = partial(right_associative(infix("integer power", "**", 200, _BINARY, power)))
NEGATE: Final = Operator("integer opposite", ("-", "−"), Fixity.PREFIX, _UNARY, operator.neg, 210)
SUCCESSOR: Final = call("successor", "succ", _UNARY, lambda a: a + 1)
PREDECESSOR: Final = call("predecessor", "pred", _UNARY, lambda a: a - 1)
MAX: Final = partial(call("greatest integer", "max", _OF_SET, maximum))
MIN: Final = partial(call("least integer", "min", _OF_SET, minimum))
LESS: Final = infix("integer less", "<", 100, _COMPARE, operator.lt)
LESS_EQUAL: Final = infix("integer at most", "<= ≤", 100, _COMPARE, operator.le)
GREATER: Final = infix("integer greater", ">", 100, _COMPARE, operator.gt)
GREATER_EQUAL: Final = infix("integer at least", ">= ≥", 100, _COMPARE, operator.ge)
