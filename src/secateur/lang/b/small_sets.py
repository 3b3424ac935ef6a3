"""The elements of small sets that are written down without unknowns."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations, product
from math import prod
from typing import Final

from secateur.maths.ast import Apply, Expr, Name, Number, SetDisplay
from secateur.maths.operators.constants import BOOLEANS, FALSE, TRUE
from secateur.maths.operators.integers import NEGATE
from secateur.maths.operators.relations import PAIR
from secateur.maths.operators.sets import INTERVAL, POWER_SET, PRODUCT

_MOST: Final = 1024


def elements_of(set_: Expr, number: Callable[[Expr], int | None]) -> tuple[Expr, ...]:
    """Return the elements of `BOOL`, `m..n`, their products and power sets; none if not so.

    `number` says which number an expression is, if it is known to be one.
    """
    match set_:
        case Apply(operator, ()) if operator is BOOLEANS:
            return (Apply(FALSE), Apply(TRUE))
        case Apply(operator, (low, high)) if operator is INTERVAL:
            first, last = number(low), number(high)
            if first is None or last is None or last - first >= _MOST:
                return ()
            return tuple(literal(value) for value in range(first, last + 1))
        case Apply(operator, (left, right)) if operator is PRODUCT:
            lefts, rights = elements_of(left, number), elements_of(right, number)
            if len(lefts) * len(rights) > _MOST:
                return ()
            return tuple(Apply(PAIR, pair) for pair in product(lefts, rights))
        case Apply(operator, (base,)) if operator is POWER_SET:
            items = elements_of(base, number)
            if not items or 2 ** len(items) > _MOST:
                return ()
            sizes = range(len(items) + 1)
            return tuple(SetDisplay(chosen) for n in sizes for chosen in combinations(items, n))
        case _:
            return ()


def size_of(
    set_: Expr, number: Callable[[Expr], int | None], carrier: Callable[[str], int | None]
) -> int | None:
    """Return how many elements such a set has, carrier sets being allowed in it, too."""
    match set_:
        case Name(name):
            return carrier(name)
        case Apply(operator, (left, right)) if operator is PRODUCT:
            sizes = [size_of(side, number, carrier) for side in (left, right)]
            return None if None in sizes else prod(n for n in sizes if n is not None)
        case Apply(operator, (base,)) if operator is POWER_SET:
            size = size_of(base, number, carrier)
            return None if size is None or size > _MOST.bit_length() else 2**size
        case _:
            return len(elements_of(set_, number)) or None


def literal(value: int) -> Expr:
    """Return the expression for a number."""
    return Number(value) if value >= 0 else Apply(NEGATE, (Number(-value),))
