"""One of several values, by a condition that is known when the code runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from secateur.kernel import build as k
from secateur.kernel.builder import Builder, one_of, one_way
from secateur.kernel.language import Expr, Truth
from secateur.lang.compile.values import (
    BitsView,
    Duo,
    Elem,
    NotCompiled,
    Num,
    Opq,
    Rec,
    SetV,
    Tru,
    V,
    joined,
)
from secateur.lang.slots.spaces import Space


def chosen(b: Builder, conditions: Sequence[Expr], values: Sequence[V]) -> V:
    """Return the value that belongs to the first condition that holds; one does."""
    value = values[-1]
    for condition, other in zip(reversed(conditions[:-1]), reversed(values[:-1]), strict=True):
        value = choice(b, condition, other, value)
    return value


def choice(b: Builder, condition: Expr, then: V, otherwise: V) -> V:
    """Return one of two values of one type."""
    match then, otherwise:
        case (Num(x), Num(y)):
            return Num(k.choose(condition, x, y))
        case (Tru(x), Tru(y)):
            return Tru(k.choose(condition, x, y))
        case (Elem(x, carrier), Elem(y)):
            return Elem(k.choose(condition, x, y), carrier)
        case (Opq(x, type_), Opq(y)):
            return Opq(k.choose(condition, x, y), type_)
        case (Duo(), Duo()):
            condition = b.let(condition, "c")
            return Duo(
                choice(b, condition, then.left, otherwise.left),
                choice(b, condition, then.right, otherwise.right),
            )
        case (Rec(names, first), Rec(_, second)):
            condition = b.let(condition, "c")
            parts = [choice(b, condition, x_, y_) for x_, y_ in zip(first, second, strict=True)]
            return Rec(names, tuple(parts))
        case (SetV(), SetV()):
            space = _space(then, otherwise)
            bits = k.choose(condition, then.bits(b, space), otherwise.bits(b, space))
            return BitsView(bits, space)
    raise NotCompiled("a choice between values that are stored in different ways")


def _space(then: SetV, otherwise: SetV) -> Space:
    space = joined(then.space, otherwise.space) or then.space or otherwise.space
    if space is None:
        raise NotCompiled("a choice between sets without a known bound")
    return space


def lazily(b: Builder, condition: Expr, then: Callable[[], V], otherwise: Callable[[], V]) -> V:
    """Return one of two values; only the code of that one runs."""
    if isinstance(condition, Truth):
        return then() if condition.value else otherwise()
    with b.nested() as needed:
        first = then()
    with b.nested() as needed_otherwise:
        second = otherwise()
    match first, second:
        case (SetV(), SetV()):  # their bits are asked for now that their space is known
            space = _space(first, second)
            bits = one_of(
                b, condition, lambda: _bits(b, then, space), lambda: _bits(b, otherwise, space)
            )
            return BitsView(b.let(bits, "either"), space)
        case (Num() | Tru() | Elem() | Opq(), Num() | Tru() | Elem() | Opq()):
            ways = (tuple(needed), first.expr), (tuple(needed_otherwise), second.expr)
            return replace(first, expr=b.brief(one_way(b, condition, *ways), "either"))
        case (Num() | Tru() | Elem() | Opq(), _):
            raise NotCompiled("a choice between values that are stored in different ways")
    return choice(b, b.let(condition, "c"), then(), otherwise())


def _bits(b: Builder, make: Callable[[], V], space: Space) -> Expr:
    found = make()
    assert isinstance(found, SetV)
    return found.bits(b, space)
