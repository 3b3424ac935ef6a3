"""Constants that axioms define for every argument there is.

`f : A ** B --> T` and `!x, y.(x : A & y : B => f(x |-> y) = E)` say that f is
`%(x, y).(x : A & y : B | E)`.  Where A or B is infinite no search would find that function.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce

from secateur.lang.b.facts import all_conjuncts
from secateur.lang.eventb.ast import Predicate
from secateur.lang.eventb.quantifiers import is_true
from secateur.maths.ast import (
    Apply,
    Binder,
    Call,
    Expr,
    Forall,
    Implies,
    Lambda,
    Name,
    conjunction,
    conjuncts,
    free_names,
)
from secateur.maths.infer_carrier import carrier
from secateur.maths.operators.comparison import EQUAL, MEMBER
from secateur.maths.operators.function_spaces import (
    TOTAL_BIJECTIONS,
    TOTAL_FUNCTIONS,
    TOTAL_INJECTIONS,
    TOTAL_SURJECTIONS,
)
from secateur.maths.operators.relations import PAIR
from secateur.maths.operators.sets import PRODUCT
from secateur.source import NOWHERE

_TOTAL = (TOTAL_FUNCTIONS, TOTAL_INJECTIONS, TOTAL_SURJECTIONS, TOTAL_BIJECTIONS)


def pointwise(axioms: Sequence[tuple[str, Predicate]]) -> list[tuple[str, Predicate]]:
    """Return the axioms (with their contexts), where they define a function as that equation."""
    parts = all_conjuncts(axiom.predicate for _, axiom in axioms)
    domains = {name: domain for part in parts for name, domain in _function(part)}
    found: list[tuple[str, Predicate]] = []
    for where, axiom in axioms:
        equation = _equation(axiom.predicate, domains)
        found.append((where, axiom if equation is None else replace(axiom, predicate=equation)))
    return found


def _function(part: Expr) -> Iterator[tuple[str, Expr]]:
    match part:
        case Apply(op, (Name(f), Apply(space, (domain, _)))) if op is MEMBER and space in _TOTAL:
            yield f, domain
        case _:
            pass


def _equation(axiom: Expr, domains: Mapping[str, Expr]) -> Expr | None:
    """Return what `axiom` says about one of the functions as a whole, if that is all it says."""
    match axiom:
        case Forall(binders, Implies(condition, Apply(op, (Call(Name(f), (point,)), value)))) if (
            op is EQUAL and f in domains and f not in free_names(value)
        ):
            domain = _domain(condition, point, binders, domains[f])
            if domain is None or not _covers(point, binders):
                return None
            whole = Lambda(binders, domain, value, axiom.span)
            return Apply(EQUAL, (Name(f), whole), axiom.span)
        case _:
            return None


def _domain(condition: Expr, point: Expr, binders: Sequence[Binder], domain: Expr) -> Expr | None:
    """Return that `point` is in the domain, if `condition` says that and no more."""
    if {b.name for b in binders} & free_names(domain):
        return None
    types = [Apply(MEMBER, (Name(b.name), _all(b))) for b in binders]
    sides = _sides(domain, len(binders))
    wanted = [Apply(MEMBER, (Name(b.name), s)) for b, s in zip(binders, sides, strict=False)]
    inside = Apply(MEMBER, (point, domain))
    said = [c for c in conjuncts(condition) if not is_true(c)]
    if inside in said:
        return inside if all(c == inside or c in types for c in said) else None
    no_more = all(c in (*types, *wanted) for c in said)
    no_less = len(wanted) == len(binders) and all(w in (*types, *said) for w in wanted)
    return conjunction(tuple(wanted)) if no_more and no_less else None


def _sides(domain: Expr, number: int) -> list[Expr]:
    """Return the factors of a product of so many sets; none if it is no such product."""
    if number == 1:
        return [domain]
    match domain:
        case Apply(operator, (left, right)) if operator is PRODUCT:
            before = _sides(left, number - 1)
            return [*before, right] if before else []
        case _:
            return []


def _all(binder: Binder) -> Expr:
    assert binder.type is not None
    return carrier(binder.type, NOWHERE)


def _covers(point: Expr, binders: Sequence[Binder]) -> bool:
    """Whether `point` is the tuple of the bound identifiers, in their order."""
    names: Sequence[Expr] = [Name(b.name) for b in binders]
    return len({b.name for b in binders}) == len(binders) and point == reduce(_pair, names)


def _pair(left: Expr, right: Expr) -> Expr:
    return Apply(PAIR, (left, right))
