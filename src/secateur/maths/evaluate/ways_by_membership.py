"""Ways to bind identifiers by sets: `x : S`, `s <: S`, the domain of a function."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from secateur.maths.ast import (
    Apply,
    Binder,
    Expr,
    Name,
)
from secateur.maths.evaluate.context import (
    LAST_RESORT,
    SEQUENCES_OF_A_LENGTH,
    SMALL_SPACE,
    Candidate,
    Context,
    is_partial,
)
from secateur.maths.evaluate.costs import (
    ENUMERATION_ONLY,
    guessed_size,
    is_infinite,
    membership_cost,
)
from secateur.maths.evaluate.environment import Code
from secateur.maths.evaluate.patterns import pattern
from secateur.maths.evaluate.stages import (
    LENGTHS,
    each_element,
    sequences_of,
)
from secateur.maths.operators import comparison
from secateur.maths.types import Base, Power, Product

NO_CONJUNCT: Final = -1
"""Stands for the number of a conjunct where a mere consequence is at hand."""


def membership(c: Context, number: int, left: Expr, right: Expr) -> Iterator[Candidate]:
    """`x |-> y : S`: one element of a known set after the other."""
    length = length_of(c, left)
    if not c.known(right) or (is_infinite(right) and length is None):
        return
    target = pattern(c.scope, left, c.unbound)
    if target is None or not target.names:
        return
    otherwise = c.otherwise(number, left)
    code = c.scope.code(right)
    size = guessed_size(right, c.scope)
    cost = membership_cost(right) + c.out_of_turn(number, left, right)
    if length is not None:
        cost = min(cost, SEQUENCES_OF_A_LENGTH)
        otherwise = sequences_of(code, length, otherwise)
    elif cost >= ENUMERATION_ONLY:
        if size <= SMALL_SPACE:
            cost += 10 + size / SMALL_SPACE - ENUMERATION_ONLY
        elif not c.alone(number, target.names):
            return
    elements = c.elements_of(code, target, otherwise)
    yield Candidate(cost, each_element(target, elements), target.names, (number,), size=size)


def length_of(c: Context, e: Expr) -> Code | None:
    """Return the length that a conjunct gives the unbound sequence `e`, if one does."""
    if not isinstance(e, Name) or not _is_sequence(c.unbound.get(e.text)):
        return None
    for conjunct in c.todo.values():
        match conjunct:
            case Apply(operator, (Apply(inner, (Name(text),)), side)) if text == e.text:
                pass
            case Apply(operator, (side, Apply(inner, (Name(text),)))) if text == e.text:
                pass
            case _:
                continue
        if operator is comparison.EQUAL and inner in LENGTHS and c.known(side):
            return None if is_partial(side) else c.scope.code(side)
    return None


def last_resort(c: Context, hint: Apply) -> Iterator[Candidate]:
    """Yield the way through a function's domain, for integers that have no bound."""
    left, right = hint.args
    target = pattern(c.scope, left, c.unbound)
    if target is None or not target.names or not c.known(right):
        return
    if all(c.unbound[name].type is Base.INTEGER for name in target.names):
        otherwise = c.otherwise(NO_CONJUNCT, left, hint)
        elements = c.elements_of(c.scope.code(right), target, otherwise)
        yield Candidate(LAST_RESORT, each_element(target, elements), target.names, ())


def inclusion(c: Context, number: int, left: Expr, right: Expr) -> Iterator[Candidate]:
    """`s <: S`: one subset of a known set after the other, if nothing else is asked of it."""
    target = pattern(c.scope, left, c.unbound)
    if target is None or not target.names or not c.known(right):
        return
    if not c.alone(number, target.names) or is_infinite(right):
        return
    elements = c.elements_of(c.subsets(right), target)
    yield Candidate(ENUMERATION_ONLY, each_element(target, elements), target.names, (number,))


def _is_sequence(binder: Binder | None) -> bool:
    """Whether the values of `binder` could be sequences, by their type."""
    match None if binder is None else binder.type:
        case Power(Product(Base.INTEGER, _)):
            return True
        case _:
            return False
