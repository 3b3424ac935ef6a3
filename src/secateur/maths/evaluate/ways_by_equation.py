"""Ways to bind identifiers by equations: `x = e`, `s ^ t = e`, recursive definitions."""

from __future__ import annotations

from collections.abc import Iterator

from secateur.maths.ast import (
    Apply,
    Call,
    Comprehension,
    Expr,
    Lambda,
    Name,
    walk,
)
from secateur.maths.evaluate.context import (
    Candidate,
    Context,
)
from secateur.maths.evaluate.patterns import pattern
from secateur.maths.evaluate.splits import splits
from secateur.maths.evaluate.stages import (
    bind_once,
    tie,
)
from secateur.maths.operators import comparison
from secateur.maths.operators.relations import PAIR


def equation(c: Context, number: int, left: Expr, right: Expr) -> Iterator[Candidate]:
    """`x |-> y = e`: what is on the left is bound to the parts of a known value."""
    if not c.known(right):
        yield from recursion(c, number, left, right)
        return
    target = pattern(c.scope, left, c.unbound)
    if target is None or not target.names:
        yield from concatenation(c, number, left, right)
        return
    cost = c.out_of_turn(number, left, right)
    stage = bind_once(target, c.scope.code(right))
    yield Candidate(cost, stage, target.names, (number,))


def concatenation(c: Context, number: int, left: Expr, right: Expr) -> Iterator[Candidate]:
    """`s ^ t = known`: every way to cut the known sequence in two."""
    found = splits(c.scope, left, c.scope.code(right), c.unbound)
    if found is not None and found[0]:
        cost = 2.0 + c.out_of_turn(number, left, right)
        yield Candidate(cost, found[1], found[0], (number,), size=10)


def recursion(c: Context, number: int, left: Expr, right: Expr) -> Iterator[Candidate]:
    """`f = %x.(P | E)` where E applies f, which is then tied to itself.

    A definition by recursion, not an equation with several solutions: only if f is nowhere
    used but applied (or asked for an element), within a rule, and could not be found by trying.
    """
    if not isinstance(left, Name) or number in c.extra:
        return
    if c.scope.free(right) & c.unbound.keys() != {left.text}:
        return
    if _defines(left.text, right) and not c.is_small(c.type_of(left), 2**16):
        stage = tie(left.text, c.scope.place(left.text), c.scope.code(right))
        yield Candidate(0.9, stage, frozenset({left.text}), (number,))


def _defines(name: str, e: Expr) -> bool:
    """Whether `e` has a rule in it, and uses `name` only to apply it or to ask for an element.

    That `x : s` follows from `x : s` defines nothing: an element is asked for that was computed.
    """
    nodes = list(walk(e))
    applied = sum(isinstance(n, Call) and n.function == Name(name) for n in nodes)
    asked = sum(_asks(name, n) for n in nodes)
    used = sum(n == Name(name) for n in nodes)
    return used == applied + asked and any(isinstance(n, Lambda | Comprehension) for n in nodes)


def _asks(name: str, e: Expr) -> bool:
    match e:
        case Apply(comparison.MEMBER, (element, Name(text))) if text == name:
            return any(isinstance(n, Apply) and n.operator is not PAIR for n in walk(element))
        case _:
            return False
