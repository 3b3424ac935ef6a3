"""The operators without operands: basic sets, truth values, bounds of the machine integers."""

from __future__ import annotations

from typing import Final

from secateur.maths.operators.build import constant
from secateur.maths.operators.protocol import Operator, Settings
from secateur.maths.symbolic import ALL_REALS, ALL_STRINGS, INTEGERS, NATURALS, POSITIVES, interval
from secateur.maths.types import BOOL, INTEGER, PREDICATE, REAL, STRING, Power
from secateur.maths.values import SetValue

_INTEGERS: Final = Power(INTEGER)
_BOTH: Final = frozenset({False, True})


def _int(settings: Settings) -> SetValue:
    return interval(settings.minint, settings.maxint)


def _nat(settings: Settings) -> SetValue:
    return interval(0, settings.maxint)


def _nat1(settings: Settings) -> SetValue:
    return interval(1, settings.maxint)


TRUE: Final = constant("true", "TRUE", BOOL, lambda _: True)
FALSE: Final = constant("false", "FALSE", BOOL, lambda _: False)
BOOLEANS: Final = constant("booleans", "BOOL", Power(BOOL), lambda _: _BOTH)

OPERATORS: Final[tuple[Operator, ...]] = (
    TRUE,
    FALSE,
    constant("true predicate", "btrue ⊤", PREDICATE, lambda _: True),
    constant("false predicate", "bfalse ⊥", PREDICATE, lambda _: False),
    BOOLEANS,
    constant("integers", "INTEGER ℤ", _INTEGERS, lambda _: INTEGERS),
    constant("naturals", "NATURAL ℕ", _INTEGERS, lambda _: NATURALS),
    constant("positive naturals", "NATURAL1 ℕ1 ℕ₁", _INTEGERS, lambda _: POSITIVES),
    constant("machine integers", "INT", _INTEGERS, _int),
    constant("machine naturals", "NAT", _INTEGERS, _nat),
    constant("positive machine naturals", "NAT1", _INTEGERS, _nat1),
    constant("greatest machine integer", "MAXINT", INTEGER, lambda s: s.maxint),
    constant("least machine integer", "MININT", INTEGER, lambda s: s.minint),
    constant("strings", "STRING", Power(STRING), lambda _: ALL_STRINGS),
    constant("reals", "REAL ℝ", Power(REAL), lambda _: ALL_REALS),
    constant("floats", "FLOAT", Power(REAL), lambda _: ALL_REALS),
)
