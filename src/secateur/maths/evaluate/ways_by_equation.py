"""Ways to bind identifiers by equations: `x = e`, `s ^ t = e`, recursive definitions."""

from __future__ import annotations

from collections.abc import Iterator

from secateur.maths.ast import (
    And,
    Apply,
    Call,
    Comprehension,
    Exists,
    Expr,
    Forall,
    Implies,
    Labelled,
    Lambda,
    Name,
    Or,
    children,
    conjuncts,
    walk,
)
from secateur.maths.evaluate.context import (
    Candidate,
    Context,
)
from secateur.maths.evaluate.finite import finitely_many
from secateur.maths.evaluate.patterns import pattern
from secateur.maths.evaluate.splits import splits
from secateur.maths.evaluate.stages import (
    bind_once,
    tie,
)
from secateur.maths.operators import comparison, sets
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
    if _defines(c, left.text, right) and not c.is_small(c.type_of(left), 2**16):
        stage = tie(left.text, c.scope.place(left.text), c.scope.code(right))
        yield Candidate(0.9, stage, frozenset({left.text}), (number,))


def _defines(c: Context, name: str, e: Expr) -> bool:
    """Whether `e` has a rule in it, and uses `name` only to apply it or to ask for an element."""
    nodes = list(walk(e))
    applied = sum(isinstance(n, Call) and n.function == Name(name) for n in nodes)
    asked = [n for n in nodes if _asks(name, n)]
    used = sum(n == Name(name) for n in nodes)
    if used != applied + len(asked):
        return False
    if asked and not (_only_positive(name, e) and _has_no_end(c, name, nodes)):
        return False
    return any(isinstance(n, Lambda | Comprehension) for n in nodes)


def _asks(name: str, e: Expr) -> bool:
    """Whether `e` is `x + 1 : name`, about an element that was computed: `x : s` defines nothing."""
    match e:
        case Apply(comparison.MEMBER, (element, Name(text))) if text == name:
            return any(isinstance(n, Apply) and n.operator is not PAIR for n in walk(element))
        case _:
            return False


def _only_positive(name: str, e: Expr) -> bool:
    """Whether more elements of `name` never mean fewer of `e`.

    Then there is a set that is equal to its definition (B. Knaster, A. Tarski), and whatever the
    definition says of an element in finitely many steps is so for each such set.
    """
    if not any(n == Name(name) for n in walk(e)):
        return True
    match e:
        case Apply(comparison.MEMBER, (_, Name())):
            return True
        case Apply(sets.UNION | sets.INTERSECTION):
            return all(_only_positive(name, part) for part in children(e))
        case And() | Or() | Exists() | Labelled() | Comprehension(value=None):
            return all(_only_positive(name, part) for part in children(e))
        case Forall(_, Implies(left, right)) | Implies(left, right):
            return not any(n == Name(name) for n in walk(left)) and _only_positive(name, right)
        case _:
            return False


def _has_no_end(c: Context, name: str, nodes: list[Expr]) -> bool:
    """Whether a rule that asks for elements goes over what is not finite: else it is solved."""
    return any(
        isinstance(n, Comprehension)
        and any(_asks(name, inner) for inner in walk(n))
        and not all(finitely_many(c.scope, b, conjuncts(n.condition)) for b in n.binders)
        for n in nodes
    )
