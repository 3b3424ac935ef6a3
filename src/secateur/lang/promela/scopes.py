"""Names and what they stand for: variables, with or without structure, in scopes.

A structure is a tree of symbols whose leaves are variables without structure: the field `x` of
an array `s` of three structures is a variable `s.x` of dimension 3.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from itertools import product
from math import prod
from typing import Final

from secateur.lang.promela.ast import Basic, Channel, ChannelField, Expr, Variable
from secateur.lang.promela.codes import BAD_SIZE
from secateur.source import Span, fail
from secateur.source.records import dataclass

LARGEST: Final = 1_000_000
"""How many numbers an array or a message may have."""


@dataclass(frozen=True, eq=False)
class Symbol:
    """What a name stands for: a variable, or a structure of symbols; an array if it has a length."""

    length: int | None
    variable: Variable | None = None
    parts: dict[str, Symbol] = field(default_factory=dict)
    typedef: str = ""
    """The name of the type, if it is a structure."""

    def leaves(self, place: Span) -> Iterator[tuple[Variable, tuple[int, ...]]]:
        """Yield each number of one element: its variable, and its indices below the element."""
        for count, found in enumerate(self._leaves(())):
            if count == LARGEST:
                raise fail(BAD_SIZE, f"more than {LARGEST} numbers in one structure", place)
            yield found

    def _leaves(self, indices: tuple[int, ...]) -> Iterator[tuple[Variable, tuple[int, ...]]]:
        if self.variable is not None:
            yield self.variable, indices
        for part in self.parts.values():
            if part.length is None:
                yield from part._leaves(indices)
            else:
                for index in range(part.length):
                    yield from part._leaves((*indices, index))

    @property
    def variables(self) -> Iterator[Variable]:
        """The variables without structure of which it is made."""
        if self.variable is not None:
            yield self.variable
        for part in self.parts.values():
            yield from part.variables


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a structure, or a variable about to be made: its type with all sizes known."""

    name: str
    type: Basic | None
    structure: tuple[Field, ...] = ()
    length: int | None = None
    width: int = 0
    subtype: str = ""
    """Of `mtype`; the name of the type, if it is a structure."""
    initial: tuple[Expr, ...] = ()
    channel: Channel | None = None

    def numbers(self) -> Iterator[ChannelField]:
        """Yield the numbers of which it is made, one after the other, as fields of a message."""
        own = (
            (ChannelField(self.type, self.width, self.subtype),)
            if self.type is not None
            else tuple(number for part in self.structure for number in part.numbers())
        )
        for _ in range(1 if self.length is None else self.length):
            yield from own

    @property
    def size(self) -> int:
        """How many numbers there are in it."""
        one = 1 if self.type is not None else sum(part.size for part in self.structure)
        return one * (1 if self.length is None else self.length)


@dataclass(frozen=True, slots=True)
class Owner:
    """To whom variables belong, and what marks they bear."""

    proctype: str | None
    hidden: bool = False
    parameter: bool = False


def make_symbol(
    made: Field, owner: Owner, place: Span, name: str, outer: tuple[int, ...] = ()
) -> Symbol:
    """Return the symbol of a new variable called `name`, below arrays of the lengths `outer`."""
    dimensions = outer if made.length is None else (*outer, made.length)
    if prod(dimensions) > LARGEST:
        raise fail(BAD_SIZE, f"{name} has more than {LARGEST} elements", place)
    if made.type is None:
        parts = {
            part.name: make_symbol(part, owner, place, f"{name}.{part.name}", dimensions)
            for part in made.structure
        }
        return Symbol(made.length, None, parts, made.subtype)
    variable = Variable(
        name=name,
        type=made.type,
        width=made.width,
        dimensions=dimensions,
        subtype=made.subtype,
        initial=_initial(made, outer),
        channel=made.channel,
        owner=owner.proctype,
        hidden=owner.hidden,
        parameter=owner.parameter,
        span=place,
    )
    return Symbol(made.length, variable)


def _initial(made: Field, outer: tuple[int, ...]) -> tuple[Expr, ...]:
    """Return the initial values of all elements: a list of them is repeated per structure."""
    if len(made.initial) <= 1:
        return made.initial
    return tuple(value for _ in product(*map(range, outer)) for value in made.initial)


class Scope:
    """The names known in a block, and in the blocks around it."""

    def __init__(self, outer: Scope | None = None) -> None:
        self.outer = outer
        self.names: dict[str, Symbol] = {}

    def find(self, name: str) -> Symbol | None:
        """Return what a name stands for here."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.outer
        return None

    def copy(self) -> Scope:
        """Return a scope with the names that are known now: later ones are not seen in it."""
        copied = Scope(self.outer)
        copied.names = dict(self.names)
        return copied
