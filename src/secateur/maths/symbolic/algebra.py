"""Union, intersection and difference where at least one set is not listed."""

from __future__ import annotations

from secateur.maths.symbolic.lazy import Difference, Intersection, RelationUnion, Union
from secateur.maths.symbolic.numbers import Integers
from secateur.maths.symbolic.powers import PowerSet
from secateur.maths.symbolic.products import Cartesian, cartesian
from secateur.maths.symbolic.relation import SymbolicRelation
from secateur.maths.symbolic.space import decided, is_empty, is_small
from secateur.maths.values import SetValue, SymbolicSet, explicit, is_subset


def union(a: SetValue, b: SetValue) -> SetValue:
    """Return the elements of `a` or of `b`."""
    if is_small(a) and is_small(b):
        return explicit(a) | explicit(b)
    by_structure = _united(a, b)
    if by_structure is not None:
        return by_structure
    if isinstance(a, SymbolicRelation) or isinstance(b, SymbolicRelation):
        return RelationUnion(a, b)
    return Union(a, b)


def _united(a: SetValue, b: SetValue) -> SetValue | None:
    if isinstance(a, Integers):
        if isinstance(b, frozenset):
            return a.extended(b)
        return a.joined(b) if isinstance(b, Integers) else None
    if isinstance(a, frozenset) and isinstance(b, Integers):
        return b.extended(a)
    if _plainly_within(a, b):
        return b
    return a if _plainly_within(b, a) else None


def _plainly_within(a: SetValue, b: SetValue) -> bool:
    """Whether `a` is a subset of `b` and that is found out without a search for elements."""
    if isinstance(a, SymbolicSet) and not a.worth_listing():
        return isinstance(b, SymbolicSet) and bool(a.within(b))
    return bool(decided(lambda: is_subset(a, b)))


def intersection(a: SetValue, b: SetValue) -> SetValue:
    """Return the common elements."""
    if isinstance(a, frozenset):
        return frozenset([x for x in a if x in b])
    if isinstance(b, frozenset):
        return frozenset([x for x in b if x in a])
    by_structure = _common(a, b)
    if by_structure is not None:
        return by_structure
    if is_small(a):
        return intersection(a.expand(), b)
    if is_small(b):
        return intersection(b.expand(), a)
    return Intersection(a, b)


def _common(a: SetValue, b: SetValue) -> SetValue | None:
    if isinstance(a, Integers) and isinstance(b, Integers):
        return a.intersection(b)
    if isinstance(a, Cartesian) and isinstance(b, Cartesian):
        return cartesian(intersection(a.left, b.left), intersection(a.right, b.right))
    if isinstance(a, PowerSet) and isinstance(b, PowerSet):
        return PowerSet(
            intersection(a.base, b.base),
            nonempty=a.nonempty or b.nonempty,
            finite=a.finite or b.finite,
        )
    if decided(lambda: is_subset(a, b)):
        return a
    return b if decided(lambda: is_subset(b, a)) else None


def difference(a: SetValue, b: SetValue) -> SetValue:
    """Return the elements of `a` that are not in `b`."""
    if isinstance(a, frozenset):
        return frozenset([x for x in a if x not in b])
    if is_empty(b):
        return a
    if isinstance(a, Integers):
        rest = _rest_of_integers(a, b)
        if rest is not None:
            return rest
    if is_small(a):
        return difference(a.expand(), b)
    return Difference(a, b)


def _rest_of_integers(a: Integers, b: SetValue) -> SetValue | None:
    if isinstance(b, frozenset):
        return a.without(b)
    if isinstance(b, Integers):
        return a.less(b)
    return None
