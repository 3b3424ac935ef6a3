"""Conditions that say of each identifier only which set it is in: `x : S & y : T`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Final

from secateur.maths.ast import (
    Apply,
    Binder,
    Comprehension,
    Expr,
    Name,
    conjunction,
    conjuncts,
    free_names,
)
from secateur.maths.evaluate.bounds import interval_of
from secateur.maths.evaluate.context import is_partial
from secateur.maths.evaluate.environment import Code, Scope
from secateur.maths.evaluate.universal import is_universal
from secateur.maths.operators import comparison
from secateur.maths.symbolic import Cartesian, cartesian, intersection, power_set


def box_of(scope: Scope, binders: Sequence[Binder], condition: Expr) -> Code | None:
    """Return the code of the set of all values of `binders`, `S * T`; None if it is no product.

    `scope` is the one around the binders.
    """
    known = sides_of(scope, binders, condition)
    if known is None or len(known) == 1:
        return known[0] if known else None
    return lambda env: reduce(cartesian, [side(env) for side in known])


def arguments_of(scope: Scope, binders: Sequence[Binder], condition: Expr) -> Code | None:
    """Return the code of the domain of `{x, r | x : S & r = E}`; None if it is not of that form.

    The last identifier is computed from the others, and nothing else is said of it.
    """
    *arguments, result = binders
    others = [c for c in conjuncts(condition) if not _types(scope, c, result)]
    values = [c for c in others if _value_of(c, result) is not None]
    rest = tuple(c for c in others if c not in values)
    if len(values) != 1 or not rest or is_partial(values[0]):
        return None
    if any(result.name in scope.free(c) for c in rest):
        return None
    return box_of(scope, arguments, conjunction(rest))


def _types(scope: Scope, part: Expr, binder: Binder) -> bool:
    """Whether `part` says of an identifier only which type it has."""
    match part:
        case Apply(operator, (Name(text), set_)) if operator is comparison.MEMBER:
            return text == binder.name and is_universal(set_, scope)
        case _:
            return False


def _value_of(part: Expr, binder: Binder) -> Expr | None:
    """Return what an equation says that an identifier is."""
    match part:
        case Apply(operator, (Name(text), value)) if operator is comparison.EQUAL:
            pass
        case Apply(operator, (value, Name(text))) if operator is comparison.EQUAL:
            pass
        case _:
            return None
    return value if text == binder.name and binder.name not in free_names(value) else None


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
    if len(parts) > 1:
        condition = conjunction(tuple(parts))
        interval = interval_of(scope, Comprehension((binder,), condition, None, condition.span))
        if interval is not None or is_partial(condition):
            return interval
    telling = [part for part in parts if not _says_nothing(scope, part)] or parts
    if any(part != telling[0] for part in telling):
        return None
    return _set_around(scope, (binder.name,), telling[0])


def _says_nothing(scope: Scope, part: Expr) -> bool:
    """Whether `part` gives an identifier no more than its type, as Event-B does."""
    match part:
        case Apply(operator, (Name(), whole)) if operator in _INSIDE:
            return is_universal(whole, scope)
        case _:
            return False


_INSIDE: Final = frozenset({comparison.MEMBER, comparison.SUBSET})


def enclosure_of(
    scope: Scope, binders: Sequence[Binder], condition: Expr, count: int
) -> Code | None:
    """Return the code of a product with all values of some binders, and perhaps more; or None.

    They are the first `count` of `binders`, which are all that `condition` is about.
    """
    names = tuple(b.name for b in binders)
    sides = []
    for binder in binders[:count]:
        parts = [c for c in conjuncts(condition) if scope.free(c) & set(names) == {binder.name}]
        sets = [_set_around(scope, names, part) for part in parts if not is_partial(part)]
        known = [set_ for set_ in sets if set_ is not None]
        if not known:
            return None
        sides.append(_common(known))
    return lambda env: reduce(Cartesian, [side(env) for side in sides])


def _set_around(scope: Scope, names: Sequence[str], part: Expr) -> Code | None:
    """Return the code of S where `part` is `x : S` or `x <: T`, and S the subsets of T."""
    match part:
        case Apply(operator, (Name(name), whole)) if name in names:
            if scope.free(whole) & set(names):
                return None
            code = scope.code(whole)
            if operator is comparison.SUBSET:
                return lambda env: power_set(code(env))
            return code if operator is comparison.MEMBER else None
        case _:
            return None


def _common(sets: Sequence[Code]) -> Code:
    if len(sets) == 1:
        return sets[0]
    return lambda env: reduce(intersection, [set_(env) for set_ in sets])
