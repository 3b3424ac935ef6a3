"""Free types: their carriers and constructors as sets and functions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from secateur.maths.symbolic.relation import SymbolicRelation
from secateur.maths.values import (
    FreeValue,
    IllDefined,
    SetValue,
    SymbolicSet,
    Undecided,
    Value,
    cardinality,
)


class FreeTypeSet(SymbolicSet):
    """All values of a free type; infinite where a constructor's argument is."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.constructors: Mapping[str, SetValue | None] = {}
        """Each constructor with the set of its arguments, filled in once those exist."""
        self._counting = False

    def __contains__(self, value: object) -> bool:
        if not isinstance(value, FreeValue) or value.constructor not in self.constructors:
            return False
        arguments = self.constructors[value.constructor]
        return arguments is None or value.argument in arguments

    def size(self) -> int | None:
        """Return the number of values, None if infinite."""
        if self._counting or not self.constructors:
            return None  # a value can have another one of its own type in it
        self._counting = True
        try:
            sizes = [1 if a is None else cardinality(a) for a in self.constructors.values()]
        finally:
            self._counting = False
        return None if None in sizes else sum(n for n in sizes if n is not None)

    def is_empty(self) -> bool:
        """Whether there is no value, found out without going through them."""
        return self.size() == 0

    def __iter__(self) -> Iterator[Value]:
        if self.size() is None:
            raise Undecided(
                f"the values of {self.name} cannot be listed: there are infinitely many"
            )
        for number, (constructor, arguments) in enumerate(self.constructors.items()):
            if arguments is None:
                yield FreeValue(number, constructor)
            else:
                yield from (FreeValue(number, constructor, a) for a in arguments)

    def structure(self) -> tuple[Value, ...]:
        """Return the name: free types are equal by name."""
        return (self.name,)

    def __repr__(self) -> str:
        return self.name


class Constructor(SymbolicRelation):
    """A constructor with an argument, as a function from its arguments to the free type."""

    def __init__(self, number: int, name: str, owner: FreeTypeSet) -> None:
        self.number = number
        self.name = name
        self.owner = owner

    @property
    def arguments(self) -> SetValue:
        """What it can be applied to."""
        arguments = self.owner.constructors[self.name]
        assert arguments is not None
        return arguments

    def apply(self, argument: Value) -> Value:
        """Return the value of the free type made from `argument`."""
        if argument not in self.arguments:
            raise IllDefined(f"{self.name} is applied to what is not in its domain")
        return FreeValue(self.number, self.name, argument)

    def domain(self) -> SetValue:
        """Return the possible arguments."""
        return self.arguments

    def image(self, arguments: SetValue) -> frozenset[Value]:
        """Return the values made from those of `arguments` that fit."""
        return frozenset(self.apply(a) for a in arguments if a in self.arguments)

    def __contains__(self, value: object) -> bool:
        assert isinstance(value, tuple)
        argument, made = value
        return (
            isinstance(made, FreeValue)
            and made.constructor == self.name
            and made.argument == argument
            and argument in self.arguments
        )

    def size(self) -> int | None:
        """Return the number of possible arguments, None if infinite."""
        return cardinality(self.arguments)

    def __iter__(self) -> Iterator[Value]:
        return ((a, self.apply(a)) for a in self.arguments)

    def structure(self) -> tuple[Value, ...]:
        """Return the names of type and constructor."""
        return (self.owner.name, self.name)

    def __repr__(self) -> str:
        return self.name
