"""A type written as an expression: the set of all its values."""

from __future__ import annotations

from typing import Final, assert_never

from secateur.maths.ast import Apply, Expr, Name, RecordSet
from secateur.maths.operators.datatypes import values_of
from secateur.maths.operators.registry import OPERATORS
from secateur.maths.operators.sets import POWER_SET, PRODUCT
from secateur.maths.types import (
    INTEGER,
    Base,
    DataType,
    Given,
    Power,
    Product,
    Struct,
    Type,
    Variable,
)
from secateur.source import Span

_CONSTANTS: Final = {spelling: o for o in OPERATORS for spelling in o.spellings if o.constant}


def carrier(type_: Type, span: Span) -> Expr:
    """Return the set of all values of `type_`; an unknown part stands for the integers."""
    match type_:
        case Base():
            return Apply(_CONSTANTS[type_.value], (), span)
        case Variable():
            return carrier(INTEGER, span)
        case Given(name):
            return Name(name, span)
        case Power(element):
            return Apply(POWER_SET, (carrier(element, span),), span)
        case Product(left, right):
            return Apply(PRODUCT, (carrier(left, span), carrier(right, span)), span)
        case Struct(fields):
            return RecordSet(tuple((n, carrier(t, span)) for n, t in fields), span)
        case DataType(declaration, arguments):
            sets = tuple(carrier(t, span) for t in arguments)
            return Apply(values_of(declaration), sets, span)
        case _:
            assert_never(type_)
