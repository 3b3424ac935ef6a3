"""Membership in sets that need not be listed: intervals, products, powers, function spaces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from secateur.maths.ast import Apply, Comprehension, Expr, Lambda, RecordSet, SetDisplay
from secateur.maths.operators import comparison, relations, sets
from secateur.maths.operators.protocol import Operator
from secateur.maths.solve.arithmetic import as_scalar, as_sum, compare, number, plus
from secateur.maths.solve.choice import Among, equals
from secateur.maths.solve.context import Context, MemberRule, TruthRule
from secateur.maths.solve.equality import (
    FEW,
    bits,
    components,
    equal,
    known_elements,
)
from secateur.maths.solve.linear import Relation
from secateur.maths.solve.logic import Truth, negation
from secateur.maths.solve.network import Bool, Scalar
from secateur.maths.solve.sides import NOTHING, Sides, sides_of
from secateur.maths.solve.terms import (
    Atom,
    Bits,
    Cells,
    Couple,
    Env,
    Items,
    Known,
    Later,
    Sum,
    Term,
)
from secateur.maths.symbolic.numbers import Integers
from secateur.maths.values import IllDefined, SetValue, Undecided, Value, ordered


def member(c: Context, x: Term, s: Expr, env: Env) -> Truth:
    """Return whether `x` is an element of `s`."""
    if isinstance(x, Later):
        return c.unknown()
    match s:
        case Apply(operator, args) if (rule := c.membership(operator)) is not None:
            if not isinstance(x, Known) or c.known(s, env) is None:
                return rule(c, x, args, env)
        case SetDisplay(items) if len(items) <= FEW:
            if (listed := c.known(s, env)) is not None:
                return in_known(c, x, listed)
            return c.any_of(*(equal(c, x, c.term(e, env)) for e in items))
        case RecordSet(fields):
            return _in_records(c, x, fields, env)
        case Comprehension(binders, condition, None):
            inner = bound(x, [b.name for b in binders], env)
            return c.unknown() if inner is None else c.truth(condition, inner)
        case Lambda():
            return _in_lambda(c, x, s, env)
        case _:
            pass
    known = c.known(s, env)
    return in_term(c, x, c.term(s, env)) if known is None else in_known(c, x, known)


def bound(x: Term, names: list[str], env: Env) -> Env | None:
    """Return `env` with the names of a binder list standing for the parts of `x`."""
    inner = dict(env)
    for name in reversed(names[1:]):
        parts = components(x)
        if parts is None:
            return None
        x, inner[name] = parts
    inner[names[0]] = x
    return inner


def in_known(c: Context, x: Term, s: SetValue) -> Truth:
    """Return whether `x` is in the known set `s`."""
    match x:
        case Known(value):
            try:
                return value in s
            except (Undecided, IllDefined):
                return c.unknown()
        case Sum():
            return _number_in(c, x, s)
        case Atom():
            return _atom_in(c, x, s)
        case Bool():
            parts = [p for value, p in ((True, x), (False, negation(x))) if value in s]
            return c.any_of(*parts)
        case Couple():
            return _pair_in(c, x, s)
        case _:
            elements = known_elements(s, FEW)
            if elements is None:
                return c.unknown()
            return c.any_of(*(equal(c, x, Known(value)) for value in ordered(elements)))


def _pair_in(c: Context, x: Couple, s: SetValue) -> Truth:
    """Return whether the pair is in a relation.

    As soon as one side is known, so is what the other one may be; and a side with nothing left
    on the other is ruled out.
    """
    pairs = known_elements(s)
    if pairs is None:
        return c.unknown()
    left, right = _single(c, x.left), _single(c, x.right)
    try:
        sides = c.shared((Sides, pairs), lambda: sides_of(pairs))
        if isinstance(left, Known):
            return in_known(c, right, sides.images.get(left.value, NOTHING))
        if isinstance(right, Known):
            return in_known(c, left, sides.preimages.get(right.value, NOTHING))
    except (Undecided, IllDefined):
        return c.unknown()
    if len(sides.groups) > FEW:
        return c.unknown()
    truth = Bool()
    c.define(c.any_of(negation(truth), in_known(c, left, frozenset(sides.images))))
    for rights, lefts in sides.groups.items():
        elsewhere = negation(in_known(c, left, lefts))
        if elsewhere is True:
            continue
        there = in_known(c, right, rights)
        c.define(c.any_of(elsewhere, negation(truth), there))
        c.define(c.any_of(elsewhere, truth, negation(there)))
    return truth


def _single(c: Context, side: Term) -> Term:
    """Return a side with one variable for each number: what is said of it in turn is of the same."""
    match side:
        case Sum():
            return Sum(((1, as_scalar(c, side)),))
        case Couple(left, right):
            return Couple(_single(c, left), _single(c, right))
        case _:
            return side


def _number_in(c: Context, x: Sum, s: SetValue) -> Truth:
    if isinstance(s, Integers):
        parts: list[Truth] = []
        if s.low is not None:
            parts.append(compare(c, plus(Sum((), s.low), x, -1), Relation.AT_MOST))
        if s.high is not None:
            parts.append(compare(c, plus(x, Sum((), s.high), -1), Relation.AT_MOST))
        return c.all_of(*parts)
    elements = known_elements(s)
    if elements is None:
        return c.unknown()
    scalar = as_scalar(c, x)
    inside = frozenset(e for e in elements if scalar.possible(e))
    return _among(c, scalar, inside)


def _among(c: Context, scalar: Scalar, inside: frozenset[Value]) -> Truth:
    if not inside:
        return False
    if len(inside) == scalar.size():
        return True
    if len(inside) == 1:
        return equals(c.net, scalar, next(iter(inside)))

    def among() -> Truth:
        truth = Bool()
        c.add(Among(truth, scalar, inside), truth, scalar)
        return truth

    return c.shared((Among, scalar, inside), among)


def _atom_in(c: Context, x: Atom, s: SetValue) -> Truth:
    try:
        if x.table is None:
            inside = frozenset(e for e in x.scalar.listed() if e in s)
        else:
            inside = frozenset(i for i in x.scalar.listed() if x.table[i] in s)
    except (Undecided, IllDefined):
        return c.unknown()
    return _among(c, x.scalar, inside)


def in_term(c: Context, x: Term, s: Term) -> Truth:
    """Return whether `x` is in a set that is itself to be found."""
    if isinstance(s, Items) and len(s.items) <= FEW:
        return c.any_of(*(c.all_of(p, equal(c, x, t)) for p, t in s.items))
    if isinstance(s, Cells):
        return _in_cells(c, x, s)
    found = bits(c, s)
    if found is None:
        return c.unknown()
    if isinstance(x, Known):
        return found.members.get(x.value, False)
    if len(found.members) > FEW:
        return c.unknown()
    return c.any_of(*(c.all_of(p, equal(c, x, Known(v))) for v, p in found.members.items()))


def _in_cells(c: Context, x: Term, s: Cells) -> Truth:
    parts = components(x)
    if parts is None or len(s.cells) > FEW:
        return c.unknown()
    key, image = parts
    if isinstance(key, Known):
        if key.value not in s.cells:
            return False
        present, there = s.cells[key.value]
        return c.all_of(present, equal(c, there, image))
    cases = []
    for k, (present, there) in s.cells.items():
        here = equal(c, key, Known(k))
        if here is not False:
            cases.append(c.all_of(here, present, equal(c, there, image)))
    return c.any_of(*cases)


def _in_records(c: Context, x: Term, fields: tuple[tuple[str, Expr], ...], env: Env) -> Truth:
    parts = components(x)
    if parts is None:
        return c.unknown()
    sorted_fields = sorted(fields, key=lambda field: field[0])
    return c.all_of(
        *(member(c, part, s, env) for part, (_, s) in zip(parts, sorted_fields, strict=True))
    )


def _in_lambda(c: Context, x: Term, s: Lambda, env: Env) -> Truth:
    parts = components(x)
    if parts is None:
        return c.unknown()
    inner = bound(parts[0], [b.name for b in s.binders], env)
    if inner is None:
        return c.unknown()
    return c.all_of(c.truth(s.condition, inner), equal(c, c.term(s.value, inner), parts[1]))


def subset(c: Context, a: Term, s: Expr, env: Env) -> Truth:
    """Return whether every element of `a` is in `s`."""
    match a:
        case Items(items):
            found = [(p, member(c, t, s, env)) for p, t in items]
        case Bits(members):
            found = [(p, member(c, Known(x), s, env)) for x, p in members.items()]
        case Cells(cells):
            found = [(p, member(c, Couple(Known(k), t), s, env)) for k, (p, t) in cells.items()]
        case Known(value):
            elements = known_elements(value)
            if elements is None:
                return c.unknown()
            found = [(True, member(c, Known(x), s, env)) for x in elements]
        case _:
            return c.unknown()
    return c.all_of(*(c.any_of(negation(p), q) for p, q in found))


# -- rules for membership in the sets that operators make -----------------------------------


def _in_interval(c: Context, x: Term, args: tuple[Expr, ...], env: Env) -> Truth:
    low, high = (number(c, e, env) for e in args)
    total = as_sum(c, x)
    return c.all_of(
        compare(c, plus(low, total, -1), Relation.AT_MOST),
        compare(c, plus(total, high, -1), Relation.AT_MOST),
    )


def _in_union(c: Context, x: Term, args: tuple[Expr, ...], env: Env) -> Truth:
    return c.any_of(*(member(c, x, s, env) for s in args))


def _in_intersection(c: Context, x: Term, args: tuple[Expr, ...], env: Env) -> Truth:
    return c.all_of(*(member(c, x, s, env) for s in args))


def _in_difference(c: Context, x: Term, args: tuple[Expr, ...], env: Env) -> Truth:
    return c.all_of(member(c, x, args[0], env), negation(member(c, x, args[1], env)))


def _in_product(c: Context, x: Term, args: tuple[Expr, ...], env: Env) -> Truth:
    parts = components(x)
    if parts is None:
        return c.unknown()
    return c.all_of(*(member(c, part, s, env) for part, s in zip(parts, args, strict=True)))


def _in_powers(c: Context, x: Term, args: tuple[Expr, ...], env: Env) -> Truth:
    return subset(c, x, args[0], env)


def _in_nonempty_powers(c: Context, x: Term, args: tuple[Expr, ...], env: Env) -> Truth:
    return c.all_of(nonempty(c, x), subset(c, x, args[0], env))


def nonempty(c: Context, x: Term) -> Truth:
    """Return whether the set has an element."""
    match x:
        case Bits(members):
            return c.any_of(*members.values())
        case Cells(cells):
            return c.any_of(*(p for p, _ in cells.values()))
        case Items(items):
            return c.any_of(*(p for p, _ in items))
        case Known(value):
            return bool(value)
        case _:
            return c.unknown()


def _in_inverse(c: Context, x: Term, args: tuple[Expr, ...], env: Env) -> Truth:
    parts = components(x)
    if parts is None:
        return c.unknown()
    return member(c, Couple(parts[1], parts[0]), args[0], env)


RULES: Final[Mapping[Operator, MemberRule]] = {
    sets.INTERVAL: _in_interval,
    sets.UNION: _in_union,
    sets.INTERSECTION: _in_intersection,
    sets.DIFFERENCE: _in_difference,
    sets.SET_MINUS: _in_difference,
    sets.PRODUCT: _in_product,
    sets.POWER_SET: _in_powers,
    sets.FINITE_SUBSETS: _in_powers,
    sets.POWER_SET1: _in_nonempty_powers,
    sets.FINITE_SUBSETS1: _in_nonempty_powers,
    relations.INVERSE: _in_inverse,
}


def _member(c: Context, args: tuple[Expr, ...], env: Env) -> Truth:
    return member(c, c.term(args[0], env), args[1], env)


def _subset(c: Context, args: tuple[Expr, ...], env: Env) -> Truth:
    return subset(c, c.term(args[0], env), args[1], env)


def _strict_subset(c: Context, args: tuple[Expr, ...], env: Env) -> Truth:
    return c.all_of(_subset(c, args, env), negation(_equal(c, args, env)))


def _equal(c: Context, args: tuple[Expr, ...], env: Env) -> Truth:
    return equal(c, c.term(args[0], env), c.term(args[1], env))


def _not(rule: TruthRule) -> TruthRule:
    def opposite(c: Context, args: tuple[Expr, ...], env: Env) -> Truth:
        return negation(rule(c, args, env))

    return opposite


TRUTHS: Final[Mapping[Operator, TruthRule]] = {
    comparison.MEMBER: _member,
    comparison.NOT_MEMBER: _not(_member),
    comparison.SUBSET: _subset,
    comparison.NOT_SUBSET: _not(_subset),
    comparison.STRICT_SUBSET: _strict_subset,
    comparison.NOT_STRICT_SUBSET: _not(_strict_subset),
    comparison.EQUAL: _equal,
    comparison.NOT_EQUAL: _not(_equal),
}
