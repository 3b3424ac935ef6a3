"""The operators without operands: basic sets, truth values, bounds of the machine integers."""

from __future__ import annotations

from typing import Final

from secateur.maths.operators.build import constant
from secateur.maths.operators.protocol import Operator, Settings
from secateur.maths.types import BOOL, INTEGER, PREDICATE, REAL, STRING, Power
from secateur.maths.values import SetValue

_INTEGERS: Final = Power(INTEGER)
_BOTH: Final = frozenset({False, True})


def _todo(settings: Settings) -> SetValue:
    raise NotImplementedError


OPERATORS: Final[tuple[Operator, ...]] = (
    constant("true", "TRUE", BOOL, lambda _: True),
    constant("false", "FALSE", BOOL, lambda _: False),
    constant("true predicate", "btrue ⊤", PREDICATE, lambda _: True),
    constant("false predicate", "bfalse ⊥", PREDICATE, lambda _: False),
    constant("booleans", "BOOL", Power(BOOL), lambda _: _BOTH),
    constant("integers", "INTEGER ℤ", _INTEGERS, _todo),
    constant("naturals", "NATURAL ℕ", _INTEGERS, _todo),
    constant("positive naturals", "NATURAL1 ℕ1 ℕ₁", _INTEGERS, _todo),
    constant("machine integers", "INT", _INTEGERS, _todo),
    constant("machine naturals", "NAT", _INTEGERS, _todo),
    constant("positive machine naturals", "NAT1", _INTEGERS, _todo),
    constant("greatest machine integer", "MAXINT", INTEGER, lambda s: s.maxint),
    constant("least machine integer", "MININT", INTEGER, lambda s: s.minint),
    constant("strings", "STRING", Power(STRING), _todo),
    constant("reals", "REAL ℝ", Power(REAL), _todo),
    constant("floats", "FLOAT", Power(REAL), _todo),
)
