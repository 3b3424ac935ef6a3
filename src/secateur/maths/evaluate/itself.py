"""Recursive functions: the function within its own definition."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from secateur.maths.operators.application import apply_function
from secateur.maths.symbolic.relation import SymbolicRelation, domain_of, image_of
from secateur.maths.values import SetValue, Undecided, Value, cardinality

DEEPEST: Final = 20_000


class Itself(SymbolicRelation):
    """A function within its own definition: what it is becomes known once that is evaluated."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.meaning: SetValue | None = None
        self._depth = 0
        self._listed = False

    def _known(self) -> SetValue:
        if self.meaning is None:
            raise Undecided(f"{self.name} is used before it is defined")
        return self.meaning

    def apply(self, argument: Value) -> Value:
        """Return the image of `argument`; undecided where the recursion seems not to end."""
        with self._one_deeper():
            return apply_function(self._known(), argument)

    @contextmanager
    def _one_deeper(self) -> Iterator[None]:
        if self._depth > DEEPEST:
            raise Undecided(f"the recursion of {self.name} is more than {DEEPEST} deep")
        self._depth += 1
        try:
            yield
        finally:
            self._depth -= 1

    def image(self, arguments: SetValue) -> SetValue:
        """Return everything related to some of the `arguments`."""
        return image_of(self._known(), arguments)

    def domain(self) -> SetValue:
        """Return the arguments that have an image."""
        return domain_of(self._known())

    def __contains__(self, value: object) -> bool:
        with self._one_deeper():
            return value in self._known()

    def size(self) -> int | None:
        """Return the number of pairs."""
        with self._listing():
            return cardinality(self._known())

    def __iter__(self) -> Iterator[Value]:
        with self._listing():
            return iter(self._known())

    @contextmanager
    def _listing(self) -> Iterator[None]:
        """Keep the elements from being listed in order to list the elements."""
        if self._listed:
            raise Undecided(f"the elements of {self.name} depend on the elements of {self.name}")
        self._listed = True
        try:
            yield
        finally:
            self._listed = False

    def structure(self) -> tuple[Value, ...]:
        """Return the name: within a definition there is but one."""
        return (self.name,)

    def __hash__(self) -> int:
        with self._listing():
            return hash(self._known())

    def __eq__(self, other: object) -> bool:
        return self is other or (self.meaning is not None and self.meaning == other)

    def __repr__(self) -> str:
        return self.name
