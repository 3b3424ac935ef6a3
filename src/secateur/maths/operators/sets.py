"""Operators on sets."""

from __future__ import annotations

from itertools import combinations
from typing import Final

from secateur.maths.operators.build import A, B, call, constant, infix, partial, signature
from secateur.maths.operators.protocol import Fixity, Operator
from secateur.maths.types import INTEGER, PREDICATE, Power, Product
from secateur.maths.values import IllDefined, SetValue, explicit

_SET: Final = Power(A)
_BINARY: Final = signature(_SET, _SET, _SET)
_POWER: Final = signature(_SET, Power(_SET))
_FAMILY: Final = signature(Power(_SET), _SET)


def union(a: SetValue, b: SetValue) -> SetValue:
    """Return the elements of `a` or of `b`."""
    return explicit(a) | explicit(b)


def intersection(a: SetValue, b: SetValue) -> SetValue:
    """Return the common elements."""
    return explicit(a) & explicit(b)


def difference(a: SetValue, b: SetValue) -> SetValue:
    """Return the elements of `a` that are not in `b`."""
    return explicit(a) - explicit(b)


def product(a: SetValue, b: SetValue) -> SetValue:
    """Return the pairs of an element of `a` and one of `b`."""
    return frozenset([(x, y) for x in a for y in b])


def interval(low: int, high: int) -> SetValue:
    """Return the integers from `low` to `high`."""
    return frozenset(range(low, high + 1))


def power_set(s: SetValue) -> SetValue:
    """Return the subsets of `s`."""
    return frozenset(
        frozenset(c) for n in range(len(explicit(s)) + 1) for c in combinations(explicit(s), n)
    )


def power_set1(s: SetValue) -> SetValue:
    """Return the subsets of `s` that are not empty."""
    return explicit(power_set(s)) - {frozenset()}


def card(s: SetValue) -> int:
    """Return the number of elements."""
    return len(explicit(s))


def general_union(family: SetValue) -> SetValue:
    """Return the elements of the sets in `family`."""
    return frozenset().union(*family)


def general_intersection(family: SetValue) -> SetValue:
    """Return the elements common to all sets in `family`."""
    if not family:
        raise IllDefined("inter of no sets")
    first, *rest = family
    return explicit(first).intersection(*rest)


def partition(whole: SetValue, *parts: SetValue) -> bool:
    """Whether the `parts` are disjoint and their union is `whole`."""
    union_ = frozenset().union(*parts)
    return union_ == whole and sum(map(card, parts)) == len(union_)


DIFFERENCE: Final = infix("set difference", "- −", 180, _BINARY, difference)
PRODUCT: Final = infix(
    "cartesian product", "* × ∗", 190, signature(_SET, Power(B), Power(Product(A, B))), product
)
UNION: Final = infix("set union", "\\/ ∪", 160, _BINARY, union)
INTERSECTION: Final = infix("set intersection", "/\\ ∩", 160, _BINARY, intersection)
SET_MINUS: Final = infix("set minus", "\\ ∖", 180, _BINARY, difference)
INTERVAL: Final = infix(
    "interval", ".. ‥", 170, signature(INTEGER, INTEGER, Power(INTEGER)), interval
)
POWER_SET: Final = call("power set", "POW ℙ", _POWER, power_set)
POWER_SET1: Final = call("non-empty subsets", "POW1 ℙ1", _POWER, power_set1)
FINITE_SUBSETS: Final = call("finite subsets", "FIN", _POWER, power_set)
FINITE_SUBSETS1: Final = call("non-empty finite subsets", "FIN1", _POWER, power_set1)
CARD: Final = partial(call("cardinality", "card", signature(_SET, INTEGER), card))
GENERAL_UNION: Final = call("general union", "union", _FAMILY, general_union)
GENERAL_INTERSECTION: Final = partial(
    call("general intersection", "inter", _FAMILY, general_intersection)
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
    GENERAL_UNION,
    GENERAL_INTERSECTION,
    PARTITION,
    EMPTY_SET,
)
