"""Unfolding quantifiers, comprehensions and lambdas into their instances."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from secateur.maths.ast import (
    Apply,
    Binder,
    Comprehension,
    Exists,
    Expr,
    Forall,
    Implies,
    Labelled,
    Lambda,
    Let,
    Name,
    Quantified,
    Quantifier,
    conjuncts,
)
from secateur.maths.operators import comparison
from secateur.maths.solve.arithmetic import as_sum, plus, product, settled
from secateur.maths.solve.context import Context
from secateur.maths.solve.equality import bits, gather
from secateur.maths.solve.instances import cases, instances
from secateur.maths.solve.logic import Truth, negation
from secateur.maths.solve.sets import union
from secateur.maths.solve.terms import (
    Bits,
    Cells,
    Env,
    Items,
    Known,
    Sum,
    Term,
)
from secateur.maths.values import Value


def _bare(e: Expr) -> Expr:
    return _bare(e.body) if isinstance(e, Labelled) else e


def forall(c: Context, e: Forall, env: Env) -> Truth:
    """Return whether every instance holds."""
    body = _bare(e.body)
    premise, conclusion = (body.left, body.right) if isinstance(body, Implies) else (None, body)
    parts = () if premise is None else conjuncts(premise)
    found = cases(c, e.binders, parts, env)
    if found is None:
        return c.unknown()
    return c.all_of(*(c.any_of(negation(p), c.truth(conclusion, inner)) for p, inner in found))


def exists(c: Context, e: Exists, env: Env) -> Truth:
    """Return whether some instance holds."""
    found = cases(c, e.binders, conjuncts(_bare(e.body)), env)
    return c.unknown() if found is None else c.any_of(*(p for p, _ in found))


def comprehension(c: Context, e: Comprehension, env: Env) -> Term | None:
    """Return the set of the instances, or of their values."""
    found = instances(c, e.binders, conjuncts(e.condition), env)
    if found is None:
        return None
    if e.value is not None:
        value = e.value
        items = tuple((p, c.term(value, inner)) for p, inner in found)
        return _collected(c, items)
    return Bits({_paired(e.binders, inner): p for p, inner in found})


def _collected(c: Context, items: tuple[tuple[Truth, Term], ...]) -> Term:
    if all(isinstance(t, Known) for _, t in items):
        gathered = gather(c, items)
        if gathered is not None:
            return gathered
    return Items(items)


def _paired(binders: Sequence[Binder], env: Env) -> Value:
    first, *others = (env[b.name] for b in binders)
    assert isinstance(first, Known)
    value = first.value
    for each in others:
        assert isinstance(each, Known)
        value = (value, each.value)
    return value


def lambda_(c: Context, e: Lambda, env: Env) -> Term | None:
    """Return the function with a cell for each instance."""
    found = instances(c, e.binders, conjuncts(e.condition), env)
    if found is None:
        return None
    return Cells({_paired(e.binders, inner): (p, c.term(e.value, inner)) for p, inner in found})


def quantified(c: Context, e: Quantified, env: Env) -> Term | None:
    """Return the sum or union over the instances."""
    found = instances(c, e.binders, conjuncts(e.condition), env)
    if found is None:
        return None
    if e.quantifier is Quantifier.SIGMA:
        return _sigma(c, [(p, c.term(e.value, inner)) for p, inner in found])
    if e.quantifier is Quantifier.PI and all(p is True for p, _ in found):
        return _pi(c, [as_sum(c, c.term(e.value, inner)) for _, inner in found])
    if e.quantifier is Quantifier.UNION:
        return _big_union(c, [(p, c.term(e.value, inner)) for p, inner in found])
    return None


def _sigma(c: Context, parts: list[tuple[Truth, Term]]) -> Term | None:
    total: Term = Sum(())
    for p, t in parts:
        assert isinstance(total, Sum)
        if p is True:
            total = plus(total, as_sum(c, t))
        elif isinstance(t, Known):
            total = plus(total, Sum(((1, c.indicator(p)),)), t.value)
        else:
            return None
    return settled(total)


def _pi(c: Context, factors: list[Sum]) -> Term:
    total: Term = Known(1)
    for factor in factors:
        total = product(c, as_sum(c, total), factor)
    return total


def _big_union(c: Context, parts: list[tuple[Truth, Term]]) -> Term | None:
    sets = []
    for p, t in parts:
        found = bits(c, t)
        if found is None:
            return None
        sets.append(Bits({x: c.all_of(p, q) for x, q in found.members.items()}))
    return union(c, sets)


def let(c: Context, e: Let, env: Env) -> Env | None:
    """Return the environment inside a LET; None if a binder has no equation."""
    inner = dict(env)
    names = {b.name for b in e.binders}
    equations = list(_equations(e))
    while equations:
        ready = [
            (n, v) for n, v in equations if not c.names(v) & (names & {m for m, _ in equations})
        ]
        if not ready:
            return None
        for name, value in ready:
            inner[name] = c.term(value, inner)
            equations.remove((name, value))
    return inner if names <= inner.keys() else None


def _equations(e: Let) -> Iterator[tuple[str, Expr]]:
    names = {b.name for b in e.binders}
    for part in conjuncts(e.condition):
        match _bare(part):
            case Apply(operator, (Name(text), value)) if (
                operator is comparison.EQUAL and text in names
            ):
                yield text, value
            case _:
                continue
