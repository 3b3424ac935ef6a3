"""Existential constraints: their identifiers become unknowns like the others."""

from __future__ import annotations

from functools import partial

from secateur.maths.ast import Binder, Exists, Expr, Labelled, Name, conjuncts
from secateur.maths.replace import Replacement
from secateur.maths.solve.notes import Notes
from secateur.maths.solve.parts import Goal


def without_existence(goal: Goal, notes: Notes) -> Goal | None:
    """Return the goal with the witnesses of its first `#x.(P)` among the unknowns; None if none."""
    for e in goal.constraints:
        if isinstance(e, Exists):
            fresh = notes.derived(e, "witnesses", partial(_renamed, e, notes))
            assert isinstance(fresh, Exists)
            others = [other for other in goal.constraints if other is not e]
            parts = [_bare(part) for part in conjuncts(_bare(fresh.body))]
            return Goal((*goal.unknowns, *fresh.binders), (*others, *parts), goal.known)
    return None


def _bare(e: Expr) -> Expr:
    return _bare(e.body) if isinstance(e, Labelled) else e


def _renamed(e: Exists, notes: Notes) -> Expr:
    """Return `e` with names for its identifiers that no user can have written."""
    new = {b.name: notes.fresh(b.name) for b in e.binders}
    body = Replacement({old: Name(name) for old, name in new.items()}).in_expression(e.body)
    return Exists(tuple(Binder(new[b.name], b.type, b.span) for b in e.binders), body, e.span)
