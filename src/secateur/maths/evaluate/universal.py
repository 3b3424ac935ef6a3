"""Expressions that denote all values of their type: `x : INTEGER` says nothing but a type."""

from __future__ import annotations

from typing import Final

from secateur.maths.ast import Apply, Expr, Name, RecordSet
from secateur.maths.evaluate.environment import Scope
from secateur.maths.operators import function_spaces, sets

_CONSTANTS: Final = frozenset({"INTEGER", "BOOL", "STRING", "REAL"})
_CONSTRUCTORS: Final = frozenset({sets.POWER_SET, sets.PRODUCT, function_spaces.RELATIONS})


def is_universal(e: Expr, scope: Scope) -> bool:
    """Whether every value of the right type is an element of `e`."""
    match e:
        case Apply(operator, ()):
            return str(operator) in _CONSTANTS
        case Apply(operator, args):
            return operator in _CONSTRUCTORS and all(is_universal(a, scope) for a in args)
        case Name(text):
            return text in scope.universe.sets and not scope.varies(text)
        case RecordSet(fields):
            return all(is_universal(value, scope) for _, value in fields)
        case _:
            return False
