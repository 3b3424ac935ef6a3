"""Membership in sets that need not be listed: intervals, products, powers, function spaces."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from secateur.maths.ast import Apply, Comprehension, Expr, Lambda, RecordSet, SetDisplay
from secateur.maths.operators import comparison, function_spaces, relations, sequences, sets
from secateur.maths.operators.protocol import Operator
from secateur.maths.solve.arithmetic import as_scalar, as_sum, compare, number, plus
from secateur.maths.solve.choice import Among
from secateur.maths.solve.context import Context, TruthRule
from secateur.maths.solve.equality import (
    FEW,
    bits,
    components,
    distinct,
    equal,
    known_elements,
)
from secateur.maths.solve.linear import Relation
from secateur.maths.solve.logic import Truth, negation
from secateur.maths.solve.network import Bool, Scalar
from secateur.maths.solve.select import cells_of
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
    excluded,
)
from secateur.maths.symbolic.numbers import Integers
from secateur.maths.values import IllDefined, SetValue, Undecided, Value, cardinality, ordered

Rule = Callable[[Context, Term, tuple[Expr, ...], Env], Truth]


def member(c: Context, x: Term, s: Expr, env: Env) -> Truth:
    """Return whether `x` is an element of `s`."""
    if isinstance(x, Later):
        return c.unknown()
    match s:
        case Apply(operator, args) if operator in _RULES:
            if not isinstance(x, Known) or c.known(s, env) is None:
                return _RULES[operator](c, x, args, env)
        case SetDisplay(items) if len(items) <= FEW:
            return c.any_of(*(equal(c, x, c.term(e, env)) for e in items))
        case RecordSet(fields):
            return _in_records(c, x, fields, env)
        case Comprehension(binders, condition, None):
            inner = bound(x, [b.name for b in binders], env)
            return c.unknown() if inner is None else c.truth(condition, inner)
        case Lambda(binders, condition, value):
            return _in_lambda(c, x, s, env)
        case _:
            pass
    value = c.known(s, env)
    return in_term(c, x, c.term(s, env)) if value is None else in_known(c, x, value)


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
        case Atom(scalar, table):
            return _atom_in(c, x, s)
        case Bool():
            parts = [p for value, p in ((True, x), (False, negation(x))) if value in s]
            return c.any_of(*parts)
        case _:
            elements = known_elements(s, FEW)
            if elements is None:
                return c.unknown()
            return c.any_of(*(equal(c, x, Known(value)) for value in ordered(elements)))


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
    truth = Bool()
    c.add(Among(truth, scalar, inside), truth, scalar)
    return truth


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


def _space(*demands: str) -> Rule:
    def rule(c: Context, x: Term, args: tuple[Expr, ...], env: Env) -> Truth:
        return in_space(c, x, args, env, demands)

    return rule


def in_space(
    c: Context, x: Term, args: tuple[Expr, ...], env: Env, demands: tuple[str, ...]
) -> Truth:
    """Return whether `x` is a relation between two sets that meets the demands."""
    if "function" in demands:
        cells = cells_of(x)
        if cells is not None:
            return _cells_in_space(c, cells, args, env, demands)
        if not isinstance(x, Bits):
            return c.unknown()
    found = bits(c, x)
    return c.unknown() if found is None else _bits_in_space(c, found, args, env, demands)


def _cells_in_space(
    c: Context, f: Cells, args: tuple[Expr, ...], env: Env, demands: tuple[str, ...]
) -> Truth:
    source, target = args
    parts: list[Truth] = []
    for key, (p, image) in f.cells.items():
        for inside in (member(c, Known(key), source, env), member(c, image, target, env)):
            parts.append(c.any_of(negation(p), inside))
    if "total" in demands:
        parts.append(_covers(c, {k: p for k, (p, _) in f.cells.items()}, source, env))
    if "injective" in demands:
        parts.append(distinct(c, [(p, t) for p, t in f.cells.values() if not excluded(p)]))
    if "surjective" in demands:
        range_ = bits(c, Items(tuple(f.cells.values())))
        parts.append(c.unknown() if range_ is None else _covers(c, range_.members, target, env))
    return c.all_of(*parts)


def _covers(c: Context, members: Mapping[Value, Truth], s: Expr, env: Env) -> Truth:
    """Return whether every element of `s` is among `members`."""
    whole = c.term(s, env)
    needed = bits(c, whole)
    if needed is None:
        too_many = isinstance(whole, Known) and _has_more(whole.value, len(members))
        return False if too_many else c.unknown()
    return c.all_of(
        *(c.any_of(negation(p), members.get(x, False)) for x, p in needed.members.items())
    )


def _has_more(s: SetValue, count: int) -> bool:
    try:
        size = cardinality(s)
    except (Undecided, IllDefined):
        return False
    return size is None or size > count


def _bits_in_space(
    c: Context, r: Bits, args: tuple[Expr, ...], env: Env, demands: tuple[str, ...]
) -> Truth:
    source, target = args
    by_left: dict[Value, list[Truth]] = {}
    by_right: dict[Value, list[Truth]] = {}
    for (x, y), p in r.members.items():
        by_left.setdefault(x, []).append(p)
        by_right.setdefault(y, []).append(p)
    parts: list[Truth] = []
    lefts = {x: c.any_of(*truths) for x, truths in by_left.items()}
    rights = {y: c.any_of(*truths) for y, truths in by_right.items()}
    for side, s in ((lefts, source), (rights, target)):
        for x, p in side.items():
            inside = member(c, Known(x), s, env)
            parts.append(c.any_of(negation(p), inside))
    if "total" in demands:
        parts.append(_covers(c, lefts, source, env))
    if "surjective" in demands:
        parts.append(_covers(c, rights, target, env))
    if "function" in demands:
        parts.extend(_at_most_one(c, truths) for truths in by_left.values())
    if "injective" in demands:
        parts.extend(_at_most_one(c, truths) for truths in by_right.values())
    return c.all_of(*parts)


def _at_most_one(c: Context, truths: list[Truth]) -> Truth:
    return c.all_of(
        *(negation(c.all_of(p, q)) for i, p in enumerate(truths) for q in truths[i + 1 :])
    )


def _sequences(*demands: str) -> Rule:
    def rule(c: Context, x: Term, args: tuple[Expr, ...], env: Env) -> Truth:
        cells = cells_of(x)
        if cells is None:
            return c.unknown()
        present = {k: p for k, (p, _) in cells.cells.items()}
        parts: list[Truth] = [
            # an element at k needs one at k - 1
            c.any_of(negation(p), k == 1 or present.get(k - 1, False))
            for k, p in present.items()
        ]
        for p, image in cells.cells.values():
            inside = member(c, image, args[0], env)
            parts.append(c.any_of(negation(p), inside))
        if "nonempty" in demands:
            parts.append(c.any_of(*present.values()))
        if "injective" in demands:
            parts.append(distinct(c, [(p, t) for p, t in cells.cells.values() if not excluded(p)]))
        if "surjective" in demands:
            range_ = bits(c, Items(tuple(cells.cells.values())))
            parts.append(
                c.unknown() if range_ is None else _covers(c, range_.members, args[0], env)
            )
        return c.all_of(*parts)

    return rule


SPACES: Final[Mapping[Operator, tuple[str, ...]]] = {
    function_spaces.RELATIONS: (),
    function_spaces.TOTAL_RELATIONS: ("total",),
    function_spaces.SURJECTIVE_RELATIONS: ("surjective",),
    function_spaces.TOTAL_SURJECTIVE_RELATIONS: ("total", "surjective"),
    function_spaces.PARTIAL_FUNCTIONS: ("function",),
    function_spaces.TOTAL_FUNCTIONS: ("function", "total"),
    function_spaces.PARTIAL_INJECTIONS: ("function", "injective"),
    function_spaces.TOTAL_INJECTIONS: ("function", "injective", "total"),
    function_spaces.PARTIAL_SURJECTIONS: ("function", "surjective"),
    function_spaces.TOTAL_SURJECTIONS: ("function", "surjective", "total"),
    function_spaces.PARTIAL_BIJECTIONS: ("function", "injective", "surjective"),
    function_spaces.TOTAL_BIJECTIONS: ("function", "injective", "surjective", "total"),
}
"""What the relations in each space must be."""

_RULES: Final[Mapping[Operator, Rule]] = {
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
    sequences.SEQUENCES: _sequences(),
    sequences.SEQUENCES1: _sequences("nonempty"),
    sequences.INJECTIVE_SEQUENCES: _sequences("injective"),
    sequences.INJECTIVE_SEQUENCES1: _sequences("injective", "nonempty"),
    sequences.PERMUTATIONS: _sequences("injective", "surjective"),
    **{operator: _space(*demands) for operator, demands in SPACES.items()},
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
