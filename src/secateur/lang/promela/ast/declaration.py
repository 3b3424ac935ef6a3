"""Declarations of variables, as written."""

from __future__ import annotations

from secateur.lang.promela.ast.expression import Basic, Expr
from secateur.lang.promela.ast.place import place
from secateur.source import Span
from secateur.source.records import dataclass


@dataclass(frozen=True, slots=True)
class TypeName:
    """A type as written: `byte`, `mtype:colour`, `unsigned` with a width per variable, a typedef."""

    basic: Basic | None
    name: str = ""
    """Of the typedef, if `basic` is None; of the subtype of `mtype`, if it has one."""
    span: Span = place()


@dataclass(frozen=True, slots=True)
class ChannelInit:
    """`[capacity] of {fields}`."""

    capacity: Expr
    fields: tuple[TypeName, ...]
    span: Span = place()


@dataclass(frozen=True, slots=True)
class Declarator:
    """One variable of a declaration: `x`, `a[3] = 1`, `n : 4`, `c = [2] of {byte}`, `a = {1, 2}`."""

    name: str
    length: Expr | None = None
    width: Expr | None = None
    initial: Expr | ChannelInit | ListInit | None = None
    span: Span = place()


@dataclass(frozen=True, slots=True)
class ListInit:
    """`{1, 2, 3}` as the initial value of an array."""

    items: tuple[Expr, ...]
    span: Span = place()


@dataclass(frozen=True, slots=True)
class Declaration:
    """Variables of one type; as a statement where it stands in a body."""

    type: TypeName
    variables: tuple[Declarator, ...]
    hidden: bool = False
    local: bool = False
    show: bool = False
    span: Span = place()
