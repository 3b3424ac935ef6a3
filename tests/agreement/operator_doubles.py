"""Symbolic stand-ins for explicit sets, to drive the operators down their symbolic paths."""

from __future__ import annotations

from collections.abc import Iterator

from secateur.maths.symbolic import SymbolicRelation
from secateur.maths.values import IllDefined, SetValue, SymbolicSet, Undecided, Value, ordered


class Finite(SymbolicSet):
    """A set that is symbolic though it could be listed."""

    __slots__ = ("inside",)

    def __init__(self, inside: frozenset[Value]) -> None:
        self.inside = inside

    def __contains__(self, value: object) -> bool:
        return value in self.inside

    def size(self) -> int | None:
        """Return the number of elements."""
        return len(self.inside)

    def __iter__(self) -> Iterator[Value]:
        return iter(ordered(self.inside))

    def __repr__(self) -> str:
        return f"Finite({set(self.inside)})"


class Shy(Finite):
    """A set that answers nothing but whether something is an element."""

    __slots__ = ()

    def size(self) -> int | None:
        """Refuse."""
        raise Undecided("a shy set")

    def is_empty(self) -> bool:
        """Refuse."""
        raise Undecided("a shy set")

    def __iter__(self) -> Iterator[Value]:
        raise Undecided("a shy set")


class Endless(Shy):
    """A set that claims to be infinite."""

    __slots__ = ()

    def size(self) -> int | None:
        """Return None: infinite, so it says."""
        return None


class _Applicable(SymbolicRelation):
    """What a relation answers beyond membership."""

    __slots__ = ()
    inside: frozenset[Value]

    def apply(self, argument: Value) -> Value:
        """Return the image."""
        images = [y for x, y in self.inside if x == argument]
        if len(images) != 1:
            raise IllDefined("a stand-in")
        return images[0]

    def image(self, arguments: SetValue) -> SetValue:
        """Return the images."""
        return frozenset(y for x in arguments for u, y in self.inside if x == u)

    def domain(self) -> SetValue:
        """Return the arguments, as shyly."""
        plain = Shy if isinstance(self, Shy) else Finite
        return plain(frozenset(x for x, _ in self.inside))


class FiniteRelation(Finite, _Applicable):
    """A relation that is symbolic though it could be listed."""

    __slots__ = ()


class ShyRelation(Shy, _Applicable):
    """A relation that can be applied, and nothing else."""

    __slots__ = ()


def stand_in(value: Value, *, shy: bool) -> Value:
    """Return a set as a symbolic one; anything else as it is."""
    if not isinstance(value, frozenset):
        return value
    if value and all(type(x) is tuple and len(x) == 2 for x in value):
        return ShyRelation(value) if shy else FiniteRelation(value)
    return Shy(value) if shy else Finite(value)
