"""A classical B component as it stands in its file, before anything is looked up."""

from __future__ import annotations

from dataclasses import field
from enum import Enum

from secateur.maths.ast import Expr, Name
from secateur.maths.substitution import Substitution
from secateur.source import Span
from secateur.source.records import dataclass


class Kind(Enum):
    """What kind of component a file holds."""

    MACHINE = "MACHINE"
    MODEL = "MODEL"
    SYSTEM = "SYSTEM"
    REFINEMENT = "REFINEMENT"
    IMPLEMENTATION = "IMPLEMENTATION"


@dataclass(frozen=True, slots=True)
class Reference:
    """A machine mentioned by another: `prefix.name(args)` in INCLUDES, SEES and their kin."""

    name: str
    prefix: str | None
    args: tuple[Expr, ...]
    span: Span
    file: str | None = None
    """Where it is, if a pragma says so: `SEES M /*@file "dir/M.mch" */`."""


@dataclass(frozen=True, slots=True)
class SetDeclaration:
    """`S` (deferred, `elements` is None), `S = {a, b}` or, as ProB allows, `S = expression`."""

    name: str
    elements: tuple[Name, ...] | None
    span: Span
    definition: Expr | None = None


@dataclass(frozen=True, slots=True)
class Constructor:
    """A case of a free type, with the set its argument comes from, if it has one."""

    name: str
    argument: Expr | None
    span: Span


@dataclass(frozen=True, slots=True)
class FreeTypeDeclaration:
    """`T = c1, c2(S)` in the FREETYPES clause."""

    name: str
    constructors: tuple[Constructor, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Definition:
    """`name(params) == body`.

    A body that reads both ways (`f(x)`, `foo`) is kept as an expression; a use in
    substitution position turns it into an operation call.
    """

    name: str
    parameters: tuple[str, ...]
    body: Expr | Substitution
    span: Span


@dataclass(frozen=True, slots=True)
class Operation:
    """`results <-- name(parameters) = body`."""

    name: str
    results: tuple[Name, ...]
    parameters: tuple[Name, ...]
    body: Substitution
    span: Span


@dataclass(frozen=True)
class Component:
    """A whole file.  A clause that is absent is empty or None."""

    kind: Kind
    name: str
    span: Span
    parameters: tuple[Name, ...] = ()
    refines: Reference | None = None
    constraints: Expr | None = None
    sees: tuple[Reference, ...] = ()
    uses: tuple[Reference, ...] = ()
    includes: tuple[Reference, ...] = ()
    extends: tuple[Reference, ...] = ()
    imports: tuple[Reference, ...] = ()
    promotes: tuple[Name, ...] = ()
    sets: tuple[SetDeclaration, ...] = ()
    freetypes: tuple[FreeTypeDeclaration, ...] = ()
    concrete_constants: tuple[Name, ...] = ()
    abstract_constants: tuple[Name, ...] = ()
    properties: Expr | None = None
    values: tuple[tuple[Name, Expr], ...] = ()
    concrete_variables: tuple[Name, ...] = ()
    abstract_variables: tuple[Name, ...] = ()
    invariant: Expr | None = None
    assertions: tuple[Expr, ...] = ()
    definitions: tuple[Definition, ...] = ()
    definition_files: tuple[tuple[str, Span], ...] = ()
    initialisation: Substitution | None = None
    operations: tuple[Operation, ...] = ()
    local_operations: tuple[Operation, ...] = ()
    notes: tuple[str, ...] = field(default=(), compare=False)
    """What the parser met and passed over, such as pragmas, to be shown once."""
