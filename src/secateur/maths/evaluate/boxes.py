"""Conditions that say of each identifier only which set it is in: `x : S & y : T`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from secateur.maths.ast import Apply, Binder, Comprehension, Expr, Name, conjunction, conjuncts
from secateur.maths.evaluate.bounds import interval_of
from secateur.maths.evaluate.context import is_partial
from secateur.maths.evaluate.environment import Code, Scope
from secateur.maths.operators import comparison
from secateur.maths.symbolic import cartesian


def box_of(scope: Scope, binders: Sequence[Binder], condition: Expr) -> Code | None:
    """Return the code of the set of all values of `binders`, `S * T`; None if it is no product.

    `scope` is the one around the binders.
    """
    known = sides_of(scope, binders, condition)
    if known is None or len(known) == 1:
        return known[0] if known else None
    return lambda env: reduce(cartesian, [side(env) for side in known])


def sides_of(scope: Scope, binders: Sequence[Binder], condition: Expr) -> list[Code] | None:
    """Return the code of the set that each of `binders` is in; None if there is more to it."""
    names = {b.name for b in binders}
    if len(binders) > 1 and is_partial(condition):
        return None  # what comes first may protect what comes after it
    parts: dict[str, list[Expr]] = {name: [] for name in names}
    for conjunct in conjuncts(condition):
        subject = scope.free(conjunct) & names
        if len(subject) != 1:
            return None
        parts[next(iter(subject))].append(conjunct)
    sides = [_side(scope, b, parts[b.name]) for b in binders]
    known = [side for side in sides if side is not None]
    return known if len(known) == len(sides) else None


def _side(scope: Scope, binder: Binder, parts: Sequence[Expr]) -> Code | None:
    """Return the code of the set that `parts` put one identifier into."""
    if not parts:
        return None
    match parts:
        case [Apply(operator, (Name(name), whole))] if operator is comparison.MEMBER:
            if name == binder.name and binder.name not in scope.free(whole):
                return scope.code(whole)
            return None
        case _:
            condition = conjunction(tuple(parts))
            return interval_of(scope, Comprehension((binder,), condition, None, condition.span))
