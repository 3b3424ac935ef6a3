"""Equality, order, membership and inclusion: the operators that make a predicate of two values."""

from __future__ import annotations

import operator
from typing import Final

from secateur.maths.operators import integers, reals
from secateur.maths.operators.build import A, infix, overloaded, signature
from secateur.maths.operators.protocol import Operator
from secateur.maths.types import PREDICATE, Power
from secateur.maths.values import SetValue, Value, is_subset

PRIORITY: Final = 100

_SAME: Final = signature(A, A, PREDICATE)
_MEMBER: Final = signature(A, Power(A), PREDICATE)
_SETS: Final = signature(Power(A), Power(A), PREDICATE)


def member(x: Value, s: SetValue) -> bool:
    """Whether `x` is an element of `s`."""
    return x in s


def not_member(x: Value, s: SetValue) -> bool:
    """Whether `x` is no element of `s`."""
    return x not in s


def subset(a: SetValue, b: SetValue) -> bool:
    """Whether every element of `a` is one of `b`."""
    if isinstance(a, frozenset) and isinstance(b, frozenset):
        return a <= b
    return is_subset(a, b)


def strict_subset(a: SetValue, b: SetValue) -> bool:
    """Whether `a` is a subset of `b` and differs from it."""
    return subset(a, b) and a != b


def not_subset(a: SetValue, b: SetValue) -> bool:
    """Whether some element of `a` is none of `b`."""
    return not subset(a, b)


def not_strict_subset(a: SetValue, b: SetValue) -> bool:
    """Whether `a` is no subset of `b` or equals it."""
    return not strict_subset(a, b)


EQUAL: Final = infix("equal", "=", PRIORITY, _SAME, operator.eq)
NOT_EQUAL: Final = infix("not equal", "/= ≠", PRIORITY, _SAME, operator.ne)
MEMBER: Final = infix("member", ": ∈", PRIORITY, _MEMBER, member)
NOT_MEMBER: Final = infix("not member", "/: ∉", PRIORITY, _MEMBER, not_member)
SUBSET: Final = infix("subset", "<: ⊆", PRIORITY, _SETS, subset)
STRICT_SUBSET: Final = infix("strict subset", "<<: ⊂", PRIORITY, _SETS, strict_subset)
NOT_SUBSET: Final = infix("not subset", "/<: ⊈", PRIORITY, _SETS, not_subset)
NOT_STRICT_SUBSET: Final = infix("not strict subset", "/<<: ⊄", PRIORITY, _SETS, not_strict_subset)
LESS: Final = overloaded("less", integers.LESS, reals.LESS)
LESS_EQUAL: Final = overloaded("at most", integers.LESS_EQUAL, reals.LESS_EQUAL)
GREATER: Final = overloaded("greater", integers.GREATER, reals.GREATER)
GREATER_EQUAL: Final = overloaded("at least", integers.GREATER_EQUAL, reals.GREATER_EQUAL)

OPERATORS: Final[tuple[Operator, ...]] = (
    EQUAL,
    NOT_EQUAL,
    MEMBER,
    NOT_MEMBER,
    SUBSET,
    STRICT_SUBSET,
    NOT_SUBSET,
    NOT_STRICT_SUBSET,
    LESS,
    LESS_EQUAL,
    GREATER,
    GREATER_EQUAL,
)
