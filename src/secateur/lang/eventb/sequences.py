"""Sets of sequences that are written out: `{n, f . n : NATURAL & f : 1..n --> S | f}` is `seq(S)`.

Event-B has no operator for it; for `seq(S)` it is known how to search among its elements.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from secateur.maths.ast import (
    Apply,
    Comprehension,
    Expr,
    Name,
    Number,
    conjuncts,
    free_names,
    rebuild,
)
from secateur.maths.infer_carrier import carrier
from secateur.maths.operators.comparison import MEMBER
from secateur.maths.operators.function_spaces import TOTAL_FUNCTIONS
from secateur.maths.operators.registry import OPERATORS
from secateur.maths.operators.sequences import SEQUENCES
from secateur.maths.operators.sets import INTERVAL, POWER_SET, PRODUCT
from secateur.maths.types import BOOL, INTEGER
from secateur.source import NOWHERE

_INTEGERS: Final = carrier(INTEGER, NOWHERE)
_TYPES: Final = (_INTEGERS, carrier(BOOL, NOWHERE))
_NATURALS: Final = Apply(next(o for o in OPERATORS if "NATURAL" in o.spellings))


def sequences_in(e: Expr, sets: Collection[str]) -> Expr:
    """Return `e` with `seq(S)` for what means the same; `sets` are carrier sets."""
    inner = rebuild(e, lambda part: sequences_in(part, sets))
    match inner:
        case Comprehension((one, other), condition, Name(f)) if f in (one.name, other.name):
            n = other.name if f == one.name else one.name
            found = _elements(condition, Name(n), Name(f), sets)
            return inner if found is None else Apply(SEQUENCES, (found,), inner.span)
        case _:
            return inner


def _elements(condition: Expr, n: Name, f: Name, sets: Collection[str]) -> Expr | None:
    """Return S if `condition` says that n is a natural number and f is in `1..n --> S`."""
    found: Expr | None = None
    counted = False
    for part in conjuncts(condition):
        match part:
            case Apply(member, (element, Apply(space, (domain, set_)))) if (
                (member, space, element) == (MEMBER, TOTAL_FUNCTIONS, f)
                and domain == Apply(INTERVAL, (Number(1), n))
                and found is None
            ):
                found = set_
            case Apply(member, (element, set_)) if (member, element) == (MEMBER, n):
                counted = counted or set_ == _NATURALS
                if set_ not in (_NATURALS, _INTEGERS):
                    return None
            case Apply(member, (element, set_)) if (member, element) == (MEMBER, f):
                if not _is_type(set_, sets):
                    return None
            case _:
                return None
    bound = {n.text, f.text}
    return None if found is None or not counted or free_names(found) & bound else found


def _is_type(e: Expr, sets: Collection[str]) -> bool:
    """Whether `e` has all values of its type, so that being in it means nothing."""
    match e:
        case Name(text):
            return text in sets
        case Apply(operator, args) if operator in (PRODUCT, POWER_SET):
            return all(_is_type(a, sets) for a in args)
        case _:
            return e in _TYPES
