"""What a file consists of."""

from __future__ import annotations

from secateur.lang.promela.ast.declaration import Declaration
from secateur.lang.promela.ast.expression import Expr
from secateur.lang.promela.ast.place import place
from secateur.lang.promela.ast.statement import Sequence
from secateur.source import Span
from secateur.source.records import dataclass


@dataclass(frozen=True, slots=True)
class MtypeDeclaration:
    """`mtype = {a, b}`, `mtype:colour = {red, green}`: names as they stand."""

    subtype: str
    names: tuple[str, ...]
    span: Span = place()


@dataclass(frozen=True, slots=True)
class Typedef:
    """`typedef T { declarations }`."""

    name: str
    fields: tuple[Declaration, ...]
    span: Span = place()


@dataclass(frozen=True, slots=True)
class ProctypeDeclaration:
    """`active [n] proctype P(parameters) priority e provided (e) { body }`; also `init`.

    `active` is None if it is not active, and `Number(1)` where no number is given.
    """

    name: str
    parameters: tuple[Declaration, ...]
    body: Sequence
    active: Expr | None = None
    priority: Expr | None = None
    provided: Expr | None = None
    deterministic: bool = False
    """`D_proctype`."""
    span: Span = place()


@dataclass(frozen=True, slots=True)
class NeverClaim:
    """`never name { body }`."""

    name: str
    body: Sequence
    span: Span = place()


@dataclass(frozen=True, slots=True)
class TraceAssertion:
    """`trace { body }`, or `notrace { body }` (`negated`)."""

    body: Sequence
    negated: bool
    span: Span = place()
    """Of the word alone."""

    @property
    def name(self) -> str:
        """The word."""
        return "notrace" if self.negated else "trace"


@dataclass(frozen=True, slots=True)
class LtlBlock:
    """`ltl name { formula }`; blocks without a name are called `ltl_0`, `ltl_1`..."""

    name: str
    formula: Expr
    span: Span = place()


Claim = NeverClaim | TraceAssertion
"""What is no process, but has the body of one."""
Unit = MtypeDeclaration | Typedef | Declaration | ProctypeDeclaration | Claim | LtlBlock


@dataclass(frozen=True, slots=True)
class File:
    """All units of a model, those of included files in their places."""

    units: tuple[Unit, ...]
