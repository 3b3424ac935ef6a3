"""The instances of bound identifiers.

The conjuncts of the condition that speak of known things only say, by evaluation, which
instances there are; the rest of the condition is translated once per instance.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial, reduce
from typing import Final

from secateur.maths.ast import (
    Apply,
    Binder,
    Call,
    Comprehension,
    Expr,
    Name,
    SequenceDisplay,
    SetDisplay,
    conjunction,
)
from secateur.maths.operators import comparison, integers, relations
from secateur.maths.operators.protocol import Operator
from secateur.maths.solve.context import Context
from secateur.maths.solve.equality import FEW, MANY, bits, components, known_elements
from secateur.maths.solve.logic import Truth
from secateur.maths.solve.terms import Cells, Env, Known, Term, excluded
from secateur.maths.symbolic.numbers import Integers
from secateur.maths.values import IllDefined, Undecided, Value, cardinality, ordered


def instances(
    c: Context, binders: Sequence[Binder], condition: Sequence[Expr], env: Env
) -> list[tuple[Truth, Env]] | None:
    """Return the ways to bind `binders`, each with what remains of the condition; None if too many."""
    outer = {n: t for n, t in env.items() if n not in {b.name for b in binders}}
    local = {**outer, **{b.name: Known(None) for b in binders}}
    ground = [e for e in condition if c.is_ground(e, local)]
    rest = [e for e in condition if not c.is_ground(e, local)]
    bounds, extra = _upper_bounds(c, binders, rest, outer)
    tuples = _tuples(c, binders, [*bounds, *ground], {**outer, **extra})
    if tuples is None:
        applied, domains = _arguments(c, binders, rest, outer)
        if applied:
            within = [*applied, *bounds, *ground]
            tuples = _tuples(c, binders, within, {**outer, **extra, **domains})
    if tuples is None:
        return None
    found: list[tuple[Truth, Env]] = []
    for values in tuples:
        inner = {**outer, **{b.name: Known(x) for b, x in zip(binders, values, strict=True)}}
        remaining = c.all_of(*(c.truth(e, inner) for e in rest))
        if not excluded(remaining):
            found.append((remaining, inner))
    return found


def cases(
    c: Context, binders: Sequence[Binder], condition: Sequence[Expr], env: Env
) -> list[tuple[Truth, Env]] | None:
    """Return the ways to bind `binders` like `instances`; they may stand for unknowns.

    `x : {e}` and `x = e` say what x stands for, be that known or not.
    """
    rest = list(condition)
    left = list(binders)
    inner: Env = {n: t for n, t in env.items() if n not in {b.name for b in binders}}
    progress = True
    while left and progress:
        progress = False
        for e in rest:
            defined = _defined(c, {b.name for b in left}, e, inner)
            if defined:
                inner = {**inner, **defined}
                left = [b for b in left if b.name not in defined]
                rest = [other for other in rest if other is not e]
                progress = True
                break
    if left:
        return instances(c, left, rest, inner)
    truth = c.all_of(*(c.truth(e, inner) for e in rest))
    return [] if excluded(truth) else [(truth, inner)]


def _defined(c: Context, names: set[str], e: Expr, env: Env) -> dict[str, Term] | None:
    """Return the terms that `e` says `names` stand for, if it is such an equation."""
    match e:
        case Apply(operator, (target, SetDisplay((value,)))) if operator is comparison.MEMBER:
            sides = [(target, value)]
        case Apply(operator, (a, b)) if operator is comparison.EQUAL:
            sides = [(a, b), (b, a)]
        case _:
            return None
    for target, value in sides:
        if c.names(value) & names or c.is_ground(value, env):
            continue
        found: dict[str, Term] = {}
        if _take_apart(target, names, c.term(value, env), found):
            return found
    return None


def _take_apart(target: Expr, names: set[str], term: Term, found: dict[str, Term]) -> bool:
    """Find what the identifiers in a pattern stand for: whether it is a pattern of them."""
    match target:
        case Name(text) if text in names and text not in found:
            found[text] = term
            return True
        case Apply(operator, (left, right)) if operator is relations.PAIR:
            parts = components(term)
            return (
                parts is not None
                and _take_apart(left, names, parts[0], found)
                and _take_apart(right, names, parts[1], found)
            )
        case _:
            return False


def _upper_bounds(
    c: Context, binders: Sequence[Binder], rest: Sequence[Expr], env: Env
) -> tuple[list[Expr], dict[str, Term]]:
    """Return memberships in all that a set to be found may contain."""
    found: list[Expr] = []
    extra: dict[str, Term] = {}
    names = {b.name for b in binders}
    for e in rest:
        match e:
            case Apply(operator, (left, right)) if operator in _BOUNDING:
                if c.names(right) & names or not c.names(left) & names:
                    continue
                if not c.is_ground(left, {**env, **{n: Known(None) for n in names}}):
                    continue
                members = bits(c, c.term(right, env))
                if members is None:
                    continue
                name = f"possible${len(extra)}"
                extra[name] = Known(frozenset(members.members))
                meaning = _BOUNDING[operator]
                found.append(c.derived(e, name, partial(_renamed, e, meaning, left, name)))
            case _:
                continue
    return found, extra


def _arguments(
    c: Context, binders: Sequence[Binder], rest: Sequence[Expr], env: Env
) -> tuple[list[Expr], dict[str, Term]]:
    """Return that `binders` are within the domain of a function to be found, which is applied to them.

    Where nothing else bounds `x` in `f(x) = e`, the evaluator goes through `f`, too.  Only where
    it is certain what is in the domain, and where there is one such function: of several the
    evaluator may take another, for which the first one need not be defined.
    """
    names = {b.name for b in binders}
    found = [(e, side) for e in rest for side in _applications(e, names)]
    if len(found) != 1:
        return [], {}
    (e, (function, args)), *_ = found
    term = None if c.names(function) & names else c.term(function, env)
    if not isinstance(term, Cells) or any(there is not True for there, _ in term.cells.values()):
        return [], {}
    name = "domain$"
    within = c.derived(e, name, partial(_within, e, args, name))
    return [within], {name: Known(frozenset(term.cells))}


def _applications(e: Expr, names: set[str]) -> Iterator[tuple[Expr, tuple[Expr, ...]]]:
    """Yield the functions that are one side of the equation `e`, applied to `names` alone."""
    if isinstance(e, Apply) and e.operator is comparison.EQUAL:
        for side in e.args:
            match side:
                case Call(function, args) if all(_parts(a) and _parts(a) <= names for a in args):
                    yield function, args
                case _:
                    continue


def _within(e: Expr, args: Sequence[Expr], name: str) -> Expr:
    argument = reduce(lambda a, b: Apply(relations.PAIR, (a, b), e.span), args)
    return Apply(comparison.MEMBER, (argument, Name(name)), e.span)


_BOUNDING: Final = {
    comparison.MEMBER: comparison.MEMBER,
    comparison.SUBSET: comparison.SUBSET,
    comparison.STRICT_SUBSET: comparison.SUBSET,
}


def _renamed(e: Expr, operator: Operator, left: Expr, name: str) -> Expr:
    return Apply(operator, (left, Name(name)), e.span)


def _is_bounded(c: Context, binder: Binder, condition: Sequence[Expr], env: Env) -> bool:
    """Whether going through the values of a binder ends soon, as far as one can see."""
    assert binder.type is not None
    if known_elements(c.evaluator.all_values(binder.type), FEW) is not None:
        return True
    ends = 0
    for e in condition:
        match e:
            case Apply(operator, (left, right)):
                sides = (left, right) if operator is comparison.EQUAL else (left,)
                generated = operator in _GENERATING and any(
                    binder.name in _parts(side) for side in sides
                )
                if generated and not _is_large(c, operator, right, env):
                    return True
                if operator in _COMPARING and binder.name in _parts(left) | _parts(right):
                    ends += 1
                elif operator is comparison.MEMBER and left == Name(binder.name):
                    ends += _is_half_line(c, right, env)
            case _:
                continue
    return ends >= 2


def _is_half_line(c: Context, s: Expr, env: Env) -> bool:
    """Whether `s` is a known set of integers with one end."""
    if not c.is_ground(s, env) or not c.has_values(s, env):
        return False
    value = c.known(s, env)
    return isinstance(value, Integers) and (value.low is None) is not (value.high is None)


def _is_large(c: Context, operator: Operator, s: Expr, env: Env) -> bool:
    """Whether a known set has too many elements, or subsets, to go through."""
    if operator is comparison.EQUAL or not c.is_ground(s, env) or not c.has_values(s, env):
        return False
    value = c.known(s, env)
    if value is None:
        return True
    try:
        size = cardinality(value)
    except (IllDefined, Undecided):
        return True
    return size is None or (2 ** min(size, 99) if operator is comparison.SUBSET else size) > MANY


_GENERATING: Final = frozenset({comparison.MEMBER, comparison.SUBSET, comparison.EQUAL})
_COMPARING: Final = frozenset(
    {integers.LESS, integers.LESS_EQUAL, integers.GREATER, integers.GREATER_EQUAL}
)


def _parts(e: Expr) -> set[str]:
    """Return the identifiers that `e` is, or is a pair or set of."""
    match e:
        case Name(text):
            return {text}
        case Apply(operator, (left, right)) if operator is relations.PAIR:
            return _parts(left) | _parts(right)
        case SetDisplay(items) | SequenceDisplay(items):
            return set[str]().union(*map(_parts, items))
        case _:
            return set()


def _tuples(
    c: Context, binders: Sequence[Binder], condition: list[Expr], env: Env
) -> list[tuple[Value, ...]] | None:
    if not condition:
        return _all_tuples(c, binders)
    if not all(_is_bounded(c, b, condition, env) for b in binders):
        return None
    key = condition[0]
    whole = c.derived(
        key,
        ("instances", tuple(map(id, condition))),
        lambda: Comprehension(tuple(binders), conjunction(tuple(condition))),
    )
    try:
        value = c.evaluate(whole, env)
    except (IllDefined, Undecided):
        return None
    elements = known_elements(value)
    if elements is None:
        return None
    return [_unpaired(x, len(binders)) for x in ordered(elements)]


def _all_tuples(c: Context, binders: Sequence[Binder]) -> list[tuple[Value, ...]] | None:
    found: list[tuple[Value, ...]] = [()]
    for b in binders:
        assert b.type is not None
        elements = known_elements(c.evaluator.all_values(b.type))
        if elements is None or len(found) * len(elements) > MANY:
            return None
        found = [(*before, x) for before in found for x in ordered(elements)]
    return found


def _unpaired(x: Value, length: int) -> tuple[Value, ...]:
    parts: list[Value] = []
    for _ in range(length - 1):
        x, last = x
        parts.append(last)
    return (x, *reversed(parts))
