"""The values of data types, whose parameters stand for any sets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from secateur.maths.symbolic.numbers import ALL_REALS, ALL_STRINGS, INTEGERS
from secateur.maths.symbolic.powers import power_set
from secateur.maths.symbolic.products import cartesian
from secateur.maths.symbolic.space import Space, elements, is_empty
from secateur.maths.types import (
    Base,
    DataType,
    DataTypeDeclaration,
    Power,
    Product,
    Type,
    Variable,
)
from secateur.maths.values import FreeValue, SetValue, SymbolicSet, Undecided, Value, cardinality


def made(number: int, constructor: str, arguments: tuple[Value, ...]) -> FreeValue:
    """Return the value that a constructor makes of its arguments, which are paired."""
    if not arguments:
        return FreeValue(number, constructor)
    packed = arguments[0]
    for each in arguments[1:]:
        packed = (packed, each)
    return FreeValue(number, constructor, packed)


def arguments_of(value: FreeValue, count: int) -> tuple[Value, ...]:
    """Return the `count` arguments that `value` was made of."""
    if count == 0:
        return ()
    packed, found = value.argument, []
    for _ in range(count - 1):
        packed, last = packed
        found.append(last)
    return (packed, *reversed(found))


class DataTypeSet(Space):
    """The values of a data type whose parameters range over given sets."""

    __slots__ = ("declaration", "sets")

    def __init__(self, declaration: DataTypeDeclaration, *sets: SetValue) -> None:
        self.declaration = declaration
        self.sets = sets

    def __contains__(self, value: object) -> bool:
        if not isinstance(value, FreeValue):
            return False
        for constructor, types in self.declaration.constructors:
            if constructor == value.constructor:
                arguments = arguments_of(value, len(types))
                return all(a in self._values(t) for a, t in zip(arguments, types, strict=True))
        return False

    def _values(self, type_: Type) -> SetValue:
        names = (parameter.name for parameter in self.declaration.parameters)
        return _lifted(type_, dict(zip(names, self.sets, strict=True)))

    def size(self) -> int | None:
        """Return the number of values, None if infinite."""
        total = 0
        for _, types in self.declaration.constructors:
            count = self._count(types)
            if count is None:
                return None
            total += count
        return total

    def _count(self, types: tuple[Type, ...]) -> int | None:
        """Return how many values a constructor makes; one that takes its own type makes all."""
        others = [self._values(t) for t in types if not _mentions(t, self.declaration)]
        if any(map(is_empty, others)):
            return 0
        if len(others) < len(types):
            return None
        result = 1
        for size in map(cardinality, others):
            if size is None:
                return None
            result *= size
        return result

    def __iter__(self) -> Iterator[Value]:
        if self.size() is None:
            raise Undecided(f"the values of {self!r} cannot be listed: there are infinitely many")
        for number, (constructor, types) in enumerate(self.declaration.constructors):
            if self._count(types) != 0:
                ranges = (elements(self._values(t)) for t in types)
                yield from (made(number, constructor, each) for each in product(*ranges))

    def structure(self) -> tuple[Value, ...]:
        """Return the name and the sets: data types of one name are the same."""
        return (self.declaration.name, *self.sets)

    def __repr__(self) -> str:
        inside = ", ".join(map(repr, self.sets))
        return f"{self.declaration.name}({inside})" if inside else self.declaration.name


class OpenType(SymbolicSet):
    """The values of a type parameter: every value at hand is one, and no others are known."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __contains__(self, value: object) -> bool:
        return True

    def size(self) -> int | None:
        """Refuse: the parameter stands for types of any size."""
        raise Undecided(f"the size of the type {self.name} is not known")

    def __iter__(self) -> Iterator[Value]:
        raise Undecided(f"the values of the type {self.name} cannot be listed")

    def worth_listing(self) -> bool:
        """Whether it could be listed."""
        return False

    def structure(self) -> tuple[Value, ...]:
        """Return the parameter's name."""
        return (self.name,)

    def __repr__(self) -> str:
        return self.name


def _mentions(type_: Type, declaration: DataTypeDeclaration) -> bool:
    match type_:
        case DataType(other, arguments):
            return other is declaration or any(_mentions(a, declaration) for a in arguments)
        case Power(element):
            return _mentions(element, declaration)
        case Product(left, right):
            return _mentions(left, declaration) or _mentions(right, declaration)
        case _:
            return False


_BASE: Mapping[Base, SetValue] = {
    Base.INTEGER: INTEGERS,
    Base.BOOL: frozenset({False, True}),
    Base.STRING: ALL_STRINGS,
    Base.REAL: ALL_REALS,
}


def _lifted(type_: Type, sets: Mapping[str, SetValue]) -> SetValue:
    """Return the values of a type over `sets` in place of its variables."""
    match type_:
        case Variable(name):
            return sets[name]
        case Base():
            return _BASE[type_]
        case Power(element):
            return power_set(_lifted(element, sets))
        case Product(left, right):
            return cartesian(_lifted(left, sets), _lifted(right, sets))
        case DataType(declaration, arguments):
            return DataTypeSet(declaration, *(_lifted(a, sets) for a in arguments))
        case _:
            raise AssertionError(f"no type of a theory: {type_}")
