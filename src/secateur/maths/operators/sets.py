"""Operators on sets."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations
from typing import Final

from secateur.maths import symbolic
from secateur.maths.operators.build import A, B, call, constant, infix, partial, signature
from secateur.maths.operators.protocol import Fixity, Operator
from secateur.maths.show import brief
from secateur.maths.symbolic import PowerSet, cartesian, elements, interval, is_empty, power_set
from secateur.maths.types import INTEGER, PREDICATE, Power, Product
from secateur.maths.values import IllDefined, SetValue, Value, explicit

_SET: Final = Power(A)
_BINARY: Final = signature(_SET, _SET, _SET)
_POWER: Final = signature(_SET, Power(_SET))
_FAMILY: Final = signature(Power(_SET), _SET)


def union(a: SetValue, b: SetValue) -> SetValue:
    """Return the elements of `a` or of `b`."""
    if isinstance(a, frozenset) and isinstance(b, frozenset):
        return a | b
    return symbolic.union(a, b)


def intersection(a: SetValue, b: SetValue) -> SetValue:
    """Return the common elements."""
    if isinstance(a, frozenset) and isinstance(b, frozenset):
        return a & b
    return symbolic.intersection(a, b)


def difference(a: SetValue, b: SetValue) -> SetValue:
    """Return the elements of `a` that are not in `b`."""
    if isinstance(a, frozenset) and isinstance(b, frozenset):
        return a - b
    return symbolic.difference(a, b)


def nonempty_subsets(s: SetValue) -> SetValue:
    """Return the subsets of `s` that are not empty."""
    return PowerSet(s, nonempty=True)


def finite_subsets(s: SetValue) -> SetValue:
    """Return the finite subsets of `s`."""
    return PowerSet(s, finite=True)


def nonempty_finite_subsets(s: SetValue) -> SetValue:
    """Return the finite subsets of `s` that are not empty."""
    return PowerSet(s, nonempty=True, finite=True)


def card(s: SetValue) -> int:
    """Return the number of elements."""
    if isinstance(s, frozenset):
        return len(s)
    size = s.size()
    if size is None:
        raise IllDefined(f"card of an infinite set: {brief(s)}")
    return size


def generalized_union(family: SetValue) -> SetValue:
    """Return the elements of the sets in `family`."""
    if isinstance(family, PowerSet):
        return family.base
    members = explicit(family)
    if all(isinstance(s, frozenset) for s in members):
        return frozenset().union(*members)
    return _together(elements(members))


def _together(sets: Iterable[SetValue]) -> SetValue:
    listed: list[frozenset[Value]] = []
    result: SetValue = frozenset()
    for s in sets:
        if isinstance(s, frozenset):
            listed.append(s)
        else:
            result = union(result, s)
    return union(frozenset().union(*listed), result)


def generalized_intersection(family: SetValue) -> SetValue:
    """Return the elements common to all sets in `family`."""
    members = list(elements(explicit(family)))
    if not members:
        raise IllDefined("the intersection of no sets at all is not defined")
    result: SetValue = members[0]
    for s in members[1:]:
        result = intersection(result, s)
    return result


def partition(whole: SetValue, *parts: SetValue) -> bool:
    """Whether the `parts` are disjoint and their union is `whole`."""
    if _together(parts) != whole:
        return False
    if all(isinstance(s, frozenset) for s in parts):
        return sum(map(card, parts)) == card(whole)
    return all(is_empty(intersection(a, b)) for a, b in combinations(parts, 2))


DIFFERENCE: Final = infix("set difference", "- −", 180, _BINARY, difference)
PRODUCT: Final = infix(
    "cartesian product", "* × ∗", 190, signature(_SET, Power(B), Power(Product(A, B))), cartesian
)
UNION: Final = infix("set union", "\\/ ∪", 160, _BINARY, union)
INTERSECTION: Final = infix("set intersection", "/\\ ∩", 160, _BINARY, intersection)
SET_MINUS: Final = infix("set minus", "\\ ∖", 180, _BINARY, difference)
INTERVAL: Final = infix(
    "interval", ".. ‥", 170, signature(INTEGER, INTEGER, Power(INTEGER)), interval
)
POWER_SET: Final = call("power set", "POW ℙ", _POWER, power_set)
POWER_SET1: Final = call("non-empty subsets", "POW1 ℙ1", _POWER, nonempty_subsets)
FINITE_SUBSETS: Final = call("finite subsets", "FIN", _POWER, finite_subsets)
FINITE_SUBSETS1: Final = call("non-empty finite subsets", "FIN1", _POWER, nonempty_finite_subsets)
CARD: Final = partial(call("cardinality", "card", signature(_SET, INTEGER), card))
GENERALIZED_UNION: Final = call("generalized union", "union", _FAMILY, generalized_union)
GENERALIZED_INTERSECTION: Final = partial(
    call("generalized intersection", "inter", _FAMILY, generalized_intersection)
)
PARTITION: Final = Operator(
    "partition", ("partition",), Fixity.CALL, signature(_SET, PREDICATE), partition, variadic=True
)
EMPTY_SET: Final = constant("empty set", "∅", _SET, lambda _: frozenset())

OPERATORS: Final[tuple[Operator, ...]] = (
    UNION,
    INTERSECTION,
    SET_MINUS,
    INTERVAL,
    POWER_SET,
    POWER_SET1,
    FINITE_SUBSETS,
    FINITE_SUBSETS1,
    CARD,
    GENERALIZED_UNION,
    GENERALIZED_INTERSECTION,
    PARTITION,
    EMPTY_SET,
)
