"""The substitutions (statements) of B; Event-B's actions are a part of them.

`BEGIN S END` leaves no node.  Targets of an assignment are expressions: a `Name`,
a `Call` for `f(x) := e` (nested calls for `f(x)(y) := e`) or a `Field` for `r'a := e`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import assert_never

from secateur.maths.ast import Binder, Expr, Name
from secateur.source import NOWHERE, Span
from secateur.source.records import dataclass


def _span() -> Span:
    return field(default=NOWHERE, compare=False, repr=False)


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


def rebuild(
    s: Substitution,
    expression: Callable[[Expr], Expr],
    substitution: Callable[[Substitution], Substitution],
) -> Substitution:
    """Return `s` with the functions applied to its direct parts; binders stay.

    The targets of `:(P)` must remain names.
    """
    match s:
        case Skip():
            return s
        case Assign() | BecomesElement() | BecomesSuch() | OperationCall():
            return _rebuild_change(s, expression)
        case Precondition(condition, body) | Assertion(condition, body):
            return type(s)(expression(condition), substitution(body), s.span)
        case Select() | IfThen() | Case():
            return _rebuild_branches(s, expression, substitution)
        case Choice(parts) | Parallel(parts) | Sequential(parts):
            return type(s)(tuple(map(substitution, parts)), s.span)
        case AnyWhere(binders, condition, body) | LetBe(binders, condition, body):
            return type(s)(binders, expression(condition), substitution(body), s.span)
        case VarIn(binders, body):
            return VarIn(binders, substitution(body), s.span)
        case While(condition, body, invariant, variant):
            guard, inside = expression(condition), substitution(body)
            return While(guard, inside, expression(invariant), expression(variant), s.span)
        case _:
            assert_never(s)


def _rebuild_change(
    s: Assign | BecomesElement | BecomesSuch | OperationCall, f: Callable[[Expr], Expr]
) -> Substitution:
    match s:
        case Assign(targets, values):
            return Assign(tuple(map(f, targets)), tuple(map(f, values)), s.span)
        case BecomesElement(targets, set_):
            return BecomesElement(tuple(map(f, targets)), f(set_), s.span)
        case BecomesSuch(names, condition):
            targets = tuple(map(f, names))
            assert all(isinstance(t, Name) for t in targets)
            return BecomesSuch(targets, f(condition), s.span)  # type: ignore[arg-type]
        case OperationCall(targets, operation, args):
            return OperationCall(tuple(map(f, targets)), operation, tuple(map(f, args)), s.span)


def _rebuild_branches(
    s: Select | IfThen | Case,
    expression: Callable[[Expr], Expr],
    substitution: Callable[[Substitution], Substitution],
) -> Substitution:
    otherwise = None if s.otherwise is None else substitution(s.otherwise)
    if isinstance(s, Case):
        cases = tuple(
            CaseBranch(tuple(map(expression, c.values)), substitution(c.body), c.span)
            for c in s.branches
        )
        return Case(expression(s.subject), cases, otherwise, s.span)
    branches = tuple(
        Branch(expression(b.condition), substitution(b.body), b.span) for b in s.branches
    )
    return type(s)(branches, otherwise, s.span)


def expressions(s: Substitution) -> list[Expr]:
    """Return all expressions in `s`, at any depth, in the order written."""
    found: list[Expr] = []

    def note(e: Expr) -> Expr:
        found.append(e)
        return e

    def look(inner: Substitution) -> Substitution:
        return rebuild(inner, note, look)

    look(s)
    return found


def children(s: Substitution) -> tuple[Substitution, ...]:
    """Return the substitutions that are direct parts of `s`."""
    match s:
        case Skip() | Assign() | BecomesElement() | BecomesSuch() | OperationCall():
            return ()
        case Precondition() | Assertion() | AnyWhere() | LetBe() | VarIn() | While():
            return (s.body,)
        case Select(branches, otherwise) | IfThen(branches, otherwise):
            bodies = tuple(b.body for b in branches)
            return bodies if otherwise is None else (*bodies, otherwise)
        case Case(_, cases, otherwise):
            bodies = tuple(c.body for c in cases)
            return bodies if otherwise is None else (*bodies, otherwise)
        case Choice(parts) | Parallel(parts) | Sequential(parts):
            return parts
        case _:
            assert_never(s)
