"""External functions on reals (LibraryReals.def)."""

from __future__ import annotations

import math
import operator
import sys
from collections.abc import Callable
from typing import Any, Final

from secateur.maths.operators.build import constant, external, partial, signature
from secateur.maths.operators.external.mathematics import rounded
from secateur.maths.operators.protocol import Operator
from secateur.maths.operators.reals import divide
from secateur.maths.types import INTEGER, PREDICATE, REAL
from secateur.maths.values import IllDefined

_ONE: Final = signature(REAL, REAL)
_TWO: Final = signature(REAL, REAL, REAL)
_COMPARE: Final = signature(REAL, REAL, PREDICATE)


def _guarded(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return `function`, ill-defined where Python has no result for it."""

    def apply(*arguments: float) -> Any:
        try:
            return float(function(*arguments))
        except (ValueError, ZeroDivisionError, OverflowError, TypeError):
            shown = ", ".join(map(str, arguments))
            raise IllDefined(f"{name}({shown}) is not a real number") from None

    return apply


def _one(name: str, function: Callable[..., Any]) -> Operator:
    return partial(external(name, _ONE, _guarded(name, function)))


def _two(name: str, function: Callable[..., Any]) -> Operator:
    return partial(external(name, _TWO, _guarded(name, function)))


def _logarithm(base: float, x: float) -> float:
    return math.log(x) / math.log(base)


def _sign(x: float) -> float:
    return float((x > 0) - (x < 0))


OPERATORS: Final[tuple[Operator, ...]] = (
    constant("RPI", "RPI", REAL, lambda _: math.pi),
    constant("REULER", "REULER", REAL, lambda _: math.e),
    constant("RZERO", "RZERO", REAL, lambda _: 0.0),
    constant("RONE", "RONE", REAL, lambda _: 1.0),
    constant("REPSILON", "REPSILON", REAL, lambda _: sys.float_info.epsilon),
    constant("RMAXFLOAT", "RMAXFLOAT", REAL, lambda _: sys.float_info.max),
    external("RADD", _TWO, operator.add),
    external("RSUB", _TWO, operator.sub),
    external("RMUL", _TWO, operator.mul),
    partial(external("RDIV", _TWO, divide)),
    partial(external("RINV", _ONE, lambda x: divide(1.0, x))),
    external("RABS", _ONE, abs),
    external("RSIGN", _ONE, _sign),
    external("RMAX", _TWO, max),
    external("RMIN", _TWO, min),
    external("RLT", _COMPARE, operator.lt),
    external("RLEQ", _COMPARE, operator.le),
    external("REQ", _COMPARE, operator.eq),
    external("RNEQ", _COMPARE, operator.ne),
    external("RGT", _COMPARE, operator.gt),
    external("RGEQ", _COMPARE, operator.ge),
    external("ROUND", signature(REAL, INTEGER), rounded),
    _one("RSIN", math.sin),
    _one("RCOS", math.cos),
    _one("RTAN", math.tan),
    _one("RASIN", math.asin),
    _one("RACOS", math.acos),
    _one("RATAN", math.atan),
    _one("RSINH", math.sinh),
    _one("RCOSH", math.cosh),
    _one("RTANH", math.tanh),
    _one("RSQRT", math.sqrt),
    _one("REXP", math.exp),
    _one("RLOGe", math.log),
    _two("RLOG", _logarithm),
    _two("RPOW", operator.pow),
    _two("RATAN2", math.atan2),
)
