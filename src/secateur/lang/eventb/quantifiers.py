"""Quantifiers directly within each other, as one.

`!x.(!y.(P => Q))` is `!x, y.(P => Q)`: the solver and the search for values see what P says of x
only in the latter.
"""

from __future__ import annotations

from collections.abc import Sequence

from secateur.maths.ast import Apply, Binder, Exists, Expr, Forall, Implies, conjuncts, rebuild


def merged(e: Expr) -> Expr:
    """Return `e` with quantifiers of one kind that are directly within each other as one."""
    inner = rebuild(e, merged)
    match inner:
        case Forall(binders, body):
            below = body.right if isinstance(body, Implies) and is_true(body.left) else body
            if isinstance(below, Forall) and _are_apart(binders, below.binders):
                return Forall((*binders, *below.binders), below.body, inner.span)
        case Exists(binders, body):
            parts = [part for part in conjuncts(body) if not is_true(part)]
            below = parts[0] if len(parts) == 1 else body
            if isinstance(below, Exists) and _are_apart(binders, below.binders):
                return Exists((*binders, *below.binders), below.body, inner.span)
        case _:
            pass
    return inner


def is_true(e: Expr) -> bool:
    """Whether `e` is nothing but the predicate that always holds."""
    return isinstance(e, Apply) and not e.args and str(e.operator) == "btrue"


def _are_apart(outer: Sequence[Binder], inner: Sequence[Binder]) -> bool:
    return not {b.name for b in outer} & {b.name for b in inner}
