"""What is fixed before anything is evaluated: given sets, their elements, the settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import assert_never

from secateur.maths.operators.protocol import Settings
from secateur.maths.symbolic import (
    ALL_REALS,
    ALL_STRINGS,
    INTEGERS,
    RecordSpace,
    cartesian,
    power_set,
)
from secateur.maths.symbolic.datatypes import DataTypeSet
from secateur.maths.types import Base, DataType, Given, Power, Product, Struct, Type, Variable
from secateur.maths.values import SetValue, Value
from secateur.source.records import dataclass


@dataclass(frozen=True)
class Universe:
    """The given sets and the names with one meaning throughout a model."""

    sets: Mapping[str, SetValue] = field(default_factory=dict)
    names: Mapping[str, Value] = field(default_factory=dict)
    """Given sets, their elements, the constructors of free types."""
    settings: Settings = field(default_factory=Settings)

    def carrier(self, type_: Type) -> SetValue:
        """Return the set of all values of a type."""
        match type_:
            case Base.INTEGER | Variable():
                return INTEGERS
            case Base.BOOL:
                return _BOOLEANS
            case Base.STRING:
                return ALL_STRINGS
            case Base.REAL:
                return ALL_REALS
            case Base.PREDICATE:
                raise AssertionError("a predicate is not a value")
            case Given(name):
                return self.sets[name]
            case Power(element):
                return power_set(self.carrier(element))
            case Product(left, right):
                return cartesian(self.carrier(left), self.carrier(right))
            case Struct(fields):
                names = tuple(name for name, _ in fields)
                return RecordSpace(names, tuple(self.carrier(t) for _, t in fields))
            case DataType(declaration, arguments):
                return DataTypeSet(declaration, *map(self.carrier, arguments))
            case _:
                assert_never(type_)


_BOOLEANS = frozenset({False, True})
