"""What an operation's body demands of its parameters before it does anything."""

from __future__ import annotations

from collections.abc import Sequence

from secateur.maths import substitution as sub
from secateur.maths.ast import Exists, Expr, Or, conjunction, conjuncts, free_names
from secateur.maths.substitution import Substitution


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
