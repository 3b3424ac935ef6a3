"""The substitutions (statements) of B; Event-B's actions are a part of them.

`BEGIN S END` leaves no node.  Targets of an assignment are expressions: a `Name`,
a `Call` for `f(x) := e` (nested calls for `f(x)(y) := e`) or a `Field` for `r'a := e`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from secateur.maths.ast import Binder, Expr, Name
from secateur.source import NOWHERE, Span


def _span() -> Span:
    return field(default=NOWHERE, compare=False, repr=False)  # type: ignore[no-any-return]


@dataclass(frozen=True, slots=True)
class Skip:
    """Changes nothing."""

    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Assign:
    """`x, f(y) := e1, e2`, all at once."""

    targets: tuple[Expr, ...]
    values: tuple[Expr, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class BecomesElement:
    """`x, y :: S`; with several targets S is a set of (nested) pairs."""

    targets: tuple[Expr, ...]
    set: Expr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class BecomesSuch:
    """`x, y :(P)`; `Before("x")` is the old value, `Name("x")` the new one."""

    targets: tuple[Name, ...]
    condition: Expr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Precondition:
    """`PRE P THEN S END`."""

    condition: Expr
    body: Substitution
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Assertion:
    """`ASSERT P THEN S END`."""

    condition: Expr
    body: Substitution
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Branch:
    """A condition and what happens under it."""

    condition: Expr
    body: Substitution
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Select:
    """`SELECT P THEN S WHEN Q THEN T ELSE U END`."""

    branches: tuple[Branch, ...]
    otherwise: Substitution | None = None
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class IfThen:
    """`IF P THEN S ELSIF Q THEN T ELSE U END`; no ELSE is ELSE skip."""

    branches: tuple[Branch, ...]
    otherwise: Substitution | None = None
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class CaseBranch:
    """`EITHER a, b THEN S` or `OR c THEN S`."""

    values: tuple[Expr, ...]
    body: Substitution
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Case:
    """`CASE e OF EITHER ... OR ... ELSE ... END END`; no ELSE is ELSE skip."""

    subject: Expr
    branches: tuple[CaseBranch, ...]
    otherwise: Substitution | None = None
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Choice:
    """`CHOICE S OR T END`."""

    bodies: tuple[Substitution, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class AnyWhere:
    """`ANY x, y WHERE P THEN S END`."""

    binders: tuple[Binder, ...]
    condition: Expr
    body: Substitution
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class LetBe:
    """`LET x, y BE x = a & y = b IN S END`."""

    binders: tuple[Binder, ...]
    condition: Expr
    body: Substitution
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class VarIn:
    """`VAR x, y IN S END`."""

    binders: tuple[Binder, ...]
    body: Substitution
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Parallel:
    """`S || T || U`."""

    parts: tuple[Substitution, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Sequential:
    """`S ; T ; U`."""

    parts: tuple[Substitution, ...]
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class While:
    """`WHILE P DO S INVARIANT I VARIANT V END`."""

    condition: Expr
    body: Substitution
    invariant: Expr
    variant: Expr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class OperationCall:
    """`r1, r2 <-- op(a, b)`; until definitions are expanded also the use of one."""

    targets: tuple[Expr, ...]
    operation: str
    args: tuple[Expr, ...]
    span: Span = _span()


Substitution = (
    Skip
    | Assign
    | BecomesElement
    | BecomesSuch
    | Precondition
    | Assertion
    | Select
    | IfThen
    | Case
    | Choice
    | AnyWhere
    | LetBe
    | VarIn
    | Parallel
    | Sequential
    | While
    | OperationCall
)
