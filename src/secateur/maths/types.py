"""The types of B and Event-B expressions."""

from __future__ import annotations

from dataclasses import field
from enum import Enum
from typing import Final

from secateur.source.records import dataclass


class Base(Enum):
    """The types that are not built from others.

    A predicate has a type of its own, so that one grammar and one walk serve
    expressions and predicates alike.
    """

    __hash__ = object.__hash__  # that of Enum is not in C, and asked for often

    INTEGER = "INTEGER"
    REAL = "REAL"
    BOOL = "BOOL"
    STRING = "STRING"
    PREDICATE = "predicate"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True)
class Given:
    """A deferred or enumerated set, or a free type, seen as a type."""

    name: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Power:
    """Sets of `element`."""

    element: Type

    def __str__(self) -> str:
        return f"POW({self.element})"


@dataclass(frozen=True, slots=True)
class Product:
    """Pairs."""

    left: Type
    right: Type

    def __str__(self) -> str:
        left = str(self.left)
        right = f"({self.right})" if isinstance(self.right, Product) else str(self.right)
        return f"{left}*{right}"


@dataclass(frozen=True, slots=True)
class Struct:
    """Records; the fields are kept sorted by name."""

    fields: tuple[tuple[str, Type], ...]

    def __str__(self) -> str:
        return "struct(" + ", ".join(f"{name}:{type_}" for name, type_ in self.fields) + ")"


@dataclass(eq=False, slots=True)
class DataTypeDeclaration:
    """A data type of a theory: parameters, and constructors with the types of their arguments.

    The constructors may mention the data type itself, so that they are filled in afterwards.
    """

    name: str
    parameters: tuple[Variable, ...]
    constructors: tuple[tuple[str, tuple[Type, ...]], ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class DataType:
    """A declared data type at these arguments."""

    declaration: DataTypeDeclaration
    arguments: tuple[Type, ...]

    def __str__(self) -> str:
        arguments = ", ".join(map(str, self.arguments))
        return f"{self.declaration.name}({arguments})" if arguments else self.declaration.name


@dataclass(frozen=True, slots=True)
class Variable:
    """A type still to be found: in inference, or a generic operator's parameter."""

    name: str

    def __str__(self) -> str:
        return f"?{self.name}"


Type = Base | Given | Power | Product | Struct | DataType | Variable

INTEGER: Final = Base.INTEGER
REAL: Final = Base.REAL
BOOL: Final = Base.BOOL
STRING: Final = Base.STRING
PREDICATE: Final = Base.PREDICATE


def relation(left: Type, right: Type) -> Power:
    """Return the type of relations from `left` to `right`."""
    return Power(Product(left, right))


def sequence(element: Type) -> Power:
    """Return the type of sequences of `element`."""
    return relation(INTEGER, element)


def has_text(type_: Type | None) -> bool:
    """Whether values of the type contain strings."""
    match type_:
        case Power(element):
            return has_text(element)
        case Product(left, right):
            return has_text(left) or has_text(right)
        case Struct(fields):
            return any(has_text(t) for _, t in fields)
        case _:
            return type_ is STRING
