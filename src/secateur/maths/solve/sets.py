"""Translation of set operators, and of partition."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import combinations
from typing import Final

from secateur.maths.ast import Expr
from secateur.maths.operators import integers, sets
from secateur.maths.operators.protocol import Operator
from secateur.maths.solve.arithmetic import as_scalar, as_sum, compare, plus
from secateur.maths.solve.choice import Extreme, equals
from secateur.maths.solve.context import Context, TermRule, TruthRule
from secateur.maths.solve.equality import FEW, MANY, bits, cells_of, distinct, equal
from secateur.maths.solve.linear import Relation
from secateur.maths.solve.logic import Truth, count, negation
from secateur.maths.solve.membership import in_known, member
from secateur.maths.solve.network import INFINITY, Bool, Scalar
from secateur.maths.solve.terms import (
    Bits,
    Cells,
    Couple,
    Env,
    Items,
    Known,
    Sum,
    Term,
    excluded,
)
from secateur.maths.values import Value, ordered


def union(c: Context, parts: list[Bits]) -> Bits:
    """Return the elements of any of `parts`."""
    elements = ordered({x for part in parts for x in part.members})
    return Bits({x: c.any_of(*(p.members[x] for p in parts if x in p.members)) for x in elements})


def _union(c: Context, args: tuple[Expr, ...], env: Env) -> Term | None:
    left, right = (c.term(e, env) for e in args)
    items = [_as_items(t) for t in (left, right)]
    if isinstance(left, Items) or isinstance(right, Items):
        if items[0] is not None and items[1] is not None:
            return Items(items[0] + items[1])
        return None
    merged = _disjoint_cells(left, right)
    if merged is not None:
        return merged
    first, second = bits(c, left), bits(c, right)
    return None if first is None or second is None else union(c, [first, second])


def _disjoint_cells(left: Term, right: Term) -> Cells | None:
    """Return the union of two functions that share no argument."""
    if not isinstance(left, Cells) and not isinstance(right, Cells):
        return None
    f, g = cells_of(left), cells_of(right)
    if f is None or g is None or not f.cells.keys().isdisjoint(g.cells):
        return None
    both = {**f.cells, **g.cells}
    return Cells({k: both[k] for k in ordered(both)})


def _as_items(term: Term) -> tuple[tuple[Truth, Term], ...] | None:
    match term:
        case Items(items):
            return items
        case Bits(members):
            return tuple((p, Known(x)) for x, p in members.items())
        case Known(value) if isinstance(value, frozenset) and len(value) <= FEW:
            return tuple((True, Known(x)) for x in ordered(value))
        case Cells(cells):
            return tuple((p, Couple(Known(k), t)) for k, (p, t) in cells.items())
        case _:
            return None


def filtered(c: Context, term: Term, keep: Callable[[Term], Truth]) -> Term | None:
    """Return the elements of a set that are to be kept."""
    match term:
        case Items(items):
            return Items(tuple((c.all_of(p, keep(t)), t) for p, t in items))
        case Cells(cells):
            return Cells(
                {k: (c.all_of(p, keep(Couple(Known(k), t))), t) for k, (p, t) in cells.items()}
            )
        case _:
            found = bits(c, term)
            if found is None:
                return None
            members = {x: c.all_of(p, keep(Known(x))) for x, p in found.members.items()}
            return Bits({x: p for x, p in members.items() if not excluded(p)})


def _intersection(c: Context, args: tuple[Expr, ...], env: Env) -> Term | None:
    left, right = args
    if c.known(left, env) is not None:
        left, right = right, left
    return filtered(c, c.term(left, env), lambda x: member(c, x, right, env))


def _difference(c: Context, args: tuple[Expr, ...], env: Env) -> Term | None:
    return filtered(c, c.term(args[0], env), lambda x: negation(member(c, x, args[1], env)))


def _product(c: Context, args: tuple[Expr, ...], env: Env) -> Term | None:
    left, right = (bits(c, c.term(e, env)) for e in args)
    if left is None or right is None or len(left.members) * len(right.members) > MANY:
        return None
    return Bits(
        {(x, y): c.all_of(p, q) for x, p in left.members.items() for y, q in right.members.items()}
    )


def _interval(c: Context, args: tuple[Expr, ...], env: Env) -> Term | None:
    low, high = (c.term(e, env) for e in args)
    least, greatest = _end(low, greatest=False), _end(high, greatest=True)
    if least is None or greatest is None or greatest - least > FEW:
        return None
    members = {x: _between(c, low, x, high) for x in range(least, greatest + 1)}
    return Bits({x: p for x, p in members.items() if not excluded(p)})


def _end(term: Term, *, greatest: bool) -> int | None:
    match term:
        case Known(value):
            return int(value)
        case Sum(((k, v),), constant):
            end = v.hi if (k > 0) == greatest else v.lo
            return k * end + constant if abs(end) < float("inf") else None
        case _:
            return None


def _between(c: Context, low: Term, x: int, high: Term) -> Truth:
    return c.all_of(
        compare(c, plus(as_sum(c, low), Sum((), x), -1), Relation.AT_MOST),
        compare(c, plus(Sum((), x), as_sum(c, high), -1), Relation.AT_MOST),
    )


def cardinality(c: Context, term: Term) -> Term | None:
    """Return the number of elements."""
    if isinstance(term, Cells):
        total = count(c.net, (p for p, _ in term.cells.values()))
    else:
        found = bits(c, term)
        if found is None:
            return None
        total = count(c.net, found.members.values())
        if isinstance(term, Items) and isinstance(total, Scalar):
            _different_if_so_many(c, term, total)
    return Sum(((1, total),)) if isinstance(total, Scalar) else Known(total)


def _different_if_so_many(c: Context, term: Items, total: Scalar) -> None:
    """Add what counting alone does not see: `card({x, y, z}) = 3` keeps x, y and z apart."""
    if all(p is True for p, _ in term.items):
        all_different = distinct(c, list(term.items))
        complete = equals(c.net, total, len(term.items))
        c.define(c.same(all_different, complete))


def _card(c: Context, args: tuple[Expr, ...], env: Env) -> Term | None:
    return cardinality(c, c.term(args[0], env))


def _general_union(c: Context, args: tuple[Expr, ...], env: Env) -> Term | None:
    family = _as_items(c.term(args[0], env))
    if family is None:
        return None
    parts = []
    for p, t in family:
        found = bits(c, t)
        if found is None:
            return None
        parts.append(Bits({x: c.all_of(p, q) for x, q in found.members.items()}))
    return union(c, parts)


def _extreme(sign: int) -> TermRule:
    """Translate max (sign 1) or min (sign -1); of no numbers it stays open."""

    def rule(c: Context, args: tuple[Expr, ...], env: Env) -> Term | None:
        term = c.term(args[0], env)
        if isinstance(term, Items) and all(p is True for p, _ in term.items):
            return _extreme_of(c, sign, [as_scalar(c, as_sum(c, t)) for _, t in term.items])
        found = bits(c, term)
        if found is None or not found.members or len(found.members) > FEW:
            return None
        ordered_ = sorted(found.members, reverse=sign > 0)
        result = Scalar(min(ordered_), max(ordered_))
        none_better: Truth = True
        for x in ordered_:
            p = found.members[x]
            here = c.all_of(p, none_better)
            same = compare(c, plus(Sum(((1, result),)), Sum((), x), -1), Relation.EQUAL)
            implied = c.any_of(negation(here), same)
            if isinstance(implied, Bool):
                c.net.set(implied, True)
            none_better = c.all_of(none_better, negation(p))
        return Sum(((1, result),))

    return rule


def _extreme_of(c: Context, sign: int, numbers: list[Scalar]) -> Term:
    result = Scalar(-INFINITY, INFINITY)
    c.add(Extreme(result, numbers, sign), result, *numbers)
    return Sum(((1, result),))


def _partition(c: Context, args: tuple[Expr, ...], env: Env) -> Truth:
    found = [bits(c, c.term(e, env)) for e in args]
    sets_ = [s for s in found if s is not None]
    if len(sets_) < len(found):
        return c.unknown()
    whole, *parts = sets_
    truths: list[Truth] = [equal(c, whole, union(c, parts))]
    for left, right in combinations(parts, 2):
        truths.extend(
            negation(c.all_of(p, right.members[x]))
            for x, p in left.members.items()
            if x in right.members
        )
    return c.all_of(*truths)


def in_set(c: Context, x: Value, s: Term) -> Truth:
    """Return whether the known value `x` is in the term `s`."""
    if isinstance(s, Known):
        return in_known(c, Known(x), s.value)
    found = bits(c, s)
    return c.unknown() if found is None else found.members.get(x, False)


TERMS: Final[Mapping[Operator, TermRule]] = {
    sets.UNION: _union,
    sets.INTERSECTION: _intersection,
    sets.DIFFERENCE: _difference,
    sets.SET_MINUS: _difference,
    sets.PRODUCT: _product,
    sets.INTERVAL: _interval,
    sets.CARD: _card,
    sets.GENERALIZED_UNION: _general_union,
    integers.MAX: _extreme(1),
    integers.MIN: _extreme(-1),
}

TRUTHS: Final[Mapping[Operator, TruthRule]] = {sets.PARTITION: _partition}
