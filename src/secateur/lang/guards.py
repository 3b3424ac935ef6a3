"""What an operation's body demands of its parameters before it does anything."""

from __future__ import annotations

from collections.abc import Sequence

from secateur.lang.model import Operation
from secateur.maths import substitution as sub
from secateur.maths.ast import Binder, Exists, Expr, Or, conjunction, conjuncts, free_names
from secateur.maths.substitution import Substitution
from secateur.source.records import dataclass


def split_guard(body: Substitution) -> tuple[list[Expr], Substitution]:
    """Return the conditions at the top of `body` and what is left under them.

    A PRE at the top of an operation acts as a guard; so does SELECT with one branch.  A PRE
    further down is a demand that the operation itself must meet.
    """
    conditions: list[Expr] = []
    while True:
        match body:
            case sub.Precondition(condition, inner) if not conditions:
                conditions.append(condition)
                body = inner
            case sub.Select((sub.Branch(condition, inner),), None):
                conditions.append(condition)
                body = inner
            case _:
                return conditions, body


def without_results(guard: Sequence[Expr], op: Operation) -> list[Expr]:
    """Return the guard less what it says of results: their typing, no condition on the state."""
    results = {b.name for b in op.results} - {b.name for b in op.parameters}
    return [c for each in guard for c in conjuncts(each) if not (free_names(c) & results)]


def hints(body: Substitution) -> list[Expr]:
    """Return conditions without which `body` cannot be executed; it tests them again itself.

    They only serve to find the values of parameters.  A PRE is none of them: it can be
    executed where it is violated, and that is a mistake to report.
    """
    match body:
        case sub.Select((sub.Branch(condition, inner),), None):
            return [condition, *hints(inner)]
        case sub.Select(branches, None):
            return [Or(tuple(b.condition for b in branches), body.span)]
        case sub.AnyWhere(binders, condition, inner) | sub.LetBe(binders, condition, inner):
            parts = conjuncts(conjunction((condition, *hints(inner))))
            local = {b.name for b in binders}
            apart = [c for c in parts if not (free_names(c) & local)]
            return [*apart, Exists(binders, conjunction(parts), body.span)]
        case sub.Parallel(parts):
            return [hint for part in parts for hint in hints(part)]
        case sub.Sequential(parts):
            return hints(parts[0])
        case _:
            return []


def useful(conditions: Sequence[Expr], parameters: frozenset[str]) -> list[Expr]:
    """Return the conditions that speak of parameters."""
    return [c for each in conditions for c in conjuncts(each) if free_names(c) & parameters]


@dataclass(frozen=True, slots=True)
class Demands:
    """What an operation asks for, one condition after the other, and of which identifiers."""

    binders: tuple[Binder, ...]
    conditions: tuple[Expr, ...]


def demands_of(operation: Operation) -> Demands:
    """Return the guard of an operation, with what the choices inside of it ask for."""
    guard, body = split_guard(operation.body)
    binders = list(operation.parameters)
    conditions = [c for each in guard for c in conjuncts(each)]
    taken = {b.name for b in (*operation.parameters, *operation.results)}
    while True:
        inside = _opened(body, taken)
        if inside is None:
            break
        more, condition, body = inside
        binders += more
        taken |= {b.name for b in more}
        conditions += conjuncts(condition)
    conditions += [c for each in hints(body) for c in conjuncts(each)]
    results = {b.name for b in operation.results} - {b.name for b in operation.parameters}
    kept = tuple(c for c in conditions if not free_names(c) & results)
    return Demands(tuple(binders), kept)


def _opened(
    body: Substitution, taken: set[str]
) -> tuple[tuple[Binder, ...], Expr, Substitution] | None:
    """Return what a choice binds, asks for and does; None if it is none, or hides other names."""
    match body:
        case sub.AnyWhere(binders, condition, inner) | sub.LetBe(binders, condition, inner):
            return None if {b.name for b in binders} & taken else (binders, condition, inner)
        case sub.Select((sub.Branch(condition, inner),), None):
            return (), condition, inner
        case _:
            return None
