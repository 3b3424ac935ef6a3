"""Which values a permutation of elements can change, by their types."""

from __future__ import annotations

from secateur.lang.model import Model
from secateur.maths.types import Base, DataType, Given, Power, Product, Struct, Type
from secateur.maths.types import Variable as TypeVariable


class Touched:
    """The types that have elements of some sets in their values."""

    def __init__(self, sets: frozenset[str], model: Model) -> None:
        self._names = set(sets)
        if sets:
            # What the arguments of constructors are is not looked into.
            self._names.update(
                each.name
                for each in model.freetypes
                if any(argument is not None for _, argument in each.constructors)
            )

    def by(self, type_: Type | None) -> bool:
        """Whether a permutation may change a value of this type."""
        match type_:
            case None | Base() | TypeVariable():
                return False
            case Given(name):
                return name in self._names
            case Power(element):
                return self.by(element)
            case Product(left, right):
                return self.by(left) or self.by(right)
            case Struct(fields):
                return any(self.by(t) for _, t in fields)
            case DataType():
                return True
