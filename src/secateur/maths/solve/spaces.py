"""Membership in the spaces of relations, functions and sequences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from secateur.maths.ast import Apply, Expr
from secateur.maths.operators import function_spaces, relations, sequences
from secateur.maths.operators.protocol import Operator
from secateur.maths.solve.context import Context, MemberRule
from secateur.maths.solve.equality import bits, cells_of, distinct
from secateur.maths.solve.logic import Truth, negation
from secateur.maths.solve.membership import member
from secateur.maths.solve.terms import Bits, Cells, Env, Items, Known, Term, excluded
from secateur.maths.values import IllDefined, SetValue, Undecided, Value, cardinality


def _space(*demands: str) -> MemberRule:
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
        inside = c.all_of(member(c, Known(key), source, env), member(c, image, target, env))
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


def _sequences(*demands: str) -> MemberRule:
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
        if not _is_own_range(c, x, args[0], env):
            for p, image in cells.cells.values():
                inside = member(c, image, args[0], env)
                parts.append(c.any_of(negation(p), inside))
        if "nonempty" in demands:
            parts.append(present.get(1, False))
        if "injective" in demands:
            parts.append(distinct(c, [(p, t) for p, t in cells.cells.values() if not excluded(p)]))
        if "surjective" in demands:
            range_ = bits(c, Items(tuple(cells.cells.values())))
            parts.append(
                c.unknown() if range_ is None else _covers(c, range_.members, args[0], env)
            )
        return c.all_of(*parts)

    return rule


def _is_own_range(c: Context, x: Term, s: Expr, env: Env) -> bool:
    """Whether `s` is the range of `x`: `x : seq(ran(x))` only says that x is a sequence."""
    match s:
        case Apply(operator, (r,)) if operator is relations.RANGE:
            return c.term(r, env) is x
        case _:
            return False


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

RULES: Final[Mapping[Operator, MemberRule]] = {
    sequences.SEQUENCES: _sequences(),
    sequences.SEQUENCES1: _sequences("nonempty"),
    sequences.INJECTIVE_SEQUENCES: _sequences("injective"),
    sequences.INJECTIVE_SEQUENCES1: _sequences("injective", "nonempty"),
    sequences.PERMUTATIONS: _sequences("injective", "surjective"),
    **{operator: _space(*demands) for operator, demands in SPACES.items()},
}
