"""External predicates and functions that print in ProB (LibraryIO.def); here they are silent.

A check evaluates a predicate as often as it likes, so that what is printed would mean
nothing.  Their values are those of ProB.
"""

from __future__ import annotations

from typing import Final

from secateur.maths.operators.build import A, B, external, partial, signature
from secateur.maths.operators.protocol import Operator
from secateur.maths.types import BOOL, PREDICATE, STRING, Type
from secateur.maths.values import IllDefined, Value


def _silent(name: str, *operands: Type) -> Operator:
    return external(name, signature(*operands, PREDICATE), lambda *_: True)


def assert_true(condition: Value, message: str) -> bool:
    """Return true; raise IllDefined if the condition is false."""
    if not condition:
        raise IllDefined(f"ASSERT_TRUE fails: {message}")
    return True


def assert_expression(condition: Value, message: str, value: Value) -> Value:
    """Return `value`; raise IllDefined if the condition is false."""
    if not condition:
        raise IllDefined(f"ASSERT_EXPR fails: {message}")
    return value


OPERATORS: Final[tuple[Operator, ...]] = (
    _silent("printf", STRING, A),
    _silent("dprintf", STRING, A),
    _silent("tprintf", STRING, A),
    _silent("printf_nonvar", STRING, A),
    _silent("printf1", STRING, A),
    _silent("printf_opt_trace", STRING, A, BOOL),
    _silent("printf_two", STRING, A, STRING, B),
    _silent("fprintf", STRING, STRING, A),
    _silent("observe", A),
    _silent("observe_silent", A),
    _silent("tobserve", A),
    _silent("observe_indicate", A),
    _silent("ENUMERATE", A),
    _silent("DO_NOT_ENUMERATE", A),
    _silent("CHECK_DET", A),
    _silent("TRACE", BOOL),
    external("vprintf", signature(STRING, A, A), lambda _, value: value),
    external("fvprintf", signature(STRING, STRING, A, A), lambda *values: values[-1]),
    partial(external("ASSERT_TRUE", signature(BOOL, STRING, PREDICATE), assert_true)),
    partial(external("ASSERT_EXPR", signature(BOOL, STRING, A, A), assert_expression)),
)
