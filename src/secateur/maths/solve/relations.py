"""Translation of the operators on relations, functions and sequences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from secateur.maths.ast import Expr
from secateur.maths.operators import relations
from secateur.maths.operators.protocol import Operator
from secateur.maths.solve.context import Context, TermRule
from secateur.maths.solve.equality import FEW, MANY, bits, cells_of, components
from secateur.maths.solve.logic import Truth, negation
from secateur.maths.solve.membership import in_known, member
from secateur.maths.solve.select import apply, conditional
from secateur.maths.solve.sets import filtered, in_set
from secateur.maths.solve.terms import Bits, Cells, Couple, Env, Items, Known, Term, excluded
from secateur.maths.values import Value, ordered


def _pair(c: Context, args: tuple[Expr, ...], env: Env) -> Term:
    return Couple(c.term(args[0], env), c.term(args[1], env))


def _domain(c: Context, args: tuple[Expr, ...], env: Env) -> Term | None:
    r = c.term(args[0], env)
    if isinstance(r, Cells):
        return _settled(Bits({k: p for k, (p, _) in r.cells.items() if not excluded(p)}))
    if isinstance(r, Items):
        return _sides(r, 0)
    found = bits(c, r)
    return None if found is None else _project(c, found, 0)


def _settled(found: Bits) -> Term:
    """Return a set of which everything is known as a value."""
    if all(p is True for p in found.members.values()):
        return Known(frozenset(found.members))
    return found


def _sides(r: Items, side: int) -> Term | None:
    parts = []
    for p, t in r.items:
        pair = components(t)
        if pair is None:
            return None
        parts.append((p, pair[side]))
    return Items(tuple(parts))


def _project(c: Context, r: Bits, side: int) -> Bits:
    found: dict[Value, list[Truth]] = {}
    for pair, p in r.members.items():
        found.setdefault(pair[side], []).append(p)
    return Bits({x: c.any_of(*found[x]) for x in ordered(found)})


def _range(c: Context, args: tuple[Expr, ...], env: Env) -> Term | None:
    r = c.term(args[0], env)
    if isinstance(r, Cells):
        return Items(tuple(entry for entry in r.cells.values() if not excluded(entry[0])))
    if isinstance(r, Items):
        return _sides(r, 1)
    found = bits(c, r)
    return None if found is None else _project(c, found, 1)


def _inverse(c: Context, args: tuple[Expr, ...], env: Env) -> Term | None:
    r = c.term(args[0], env)
    if isinstance(r, Cells):
        return Items(tuple((p, Couple(t, Known(k))) for k, (p, t) in r.cells.items()))
    found = bits(c, r)
    if found is None:
        return None
    return Bits({(y, x): p for (x, y), p in found.members.items()})


def _image(c: Context, args: tuple[Expr, ...], env: Env) -> Term | None:
    r = c.term(args[0], env)
    cells = cells_of(r)
    if cells is not None:
        parts = [
            (c.all_of(p, member(c, Known(k), args[1], env)), t) for k, (p, t) in cells.cells.items()
        ]
        return Items(tuple(part for part in parts if not excluded(part[0])))
    found = bits(c, r)
    if found is None:
        return None
    inside = {x: member(c, Known(x), args[1], env) for x in {x for x, _ in found.members}}
    kept = {(x, y): c.all_of(p, inside[x]) for (x, y), p in found.members.items()}
    return _project(c, Bits({pair: p for pair, p in kept.items() if not excluded(p)}), 1)


def _identity(c: Context, args: tuple[Expr, ...], env: Env) -> Term | None:
    found = bits(c, c.term(args[0], env))
    return None if found is None else Cells({x: (p, Known(x)) for x, p in found.members.items()})


def _composition(c: Context, args: tuple[Expr, ...], env: Env) -> Term | None:
    first, second = (c.term(e, env) for e in args)
    f, g = cells_of(first), cells_of(second)
    if f is not None and g is not None:
        composed = _compose_functions(c, f, g)
        if composed is not None:
            return composed
    p, q = bits(c, first), bits(c, second)
    return None if p is None or q is None else compose(c, p, q)


def _compose_functions(c: Context, f: Cells, g: Cells) -> Term | None:
    inside = Bits({k: p for k, (p, _) in g.cells.items()})
    found: dict[Value, tuple[Truth, Term]] = {}
    for k, (p, t) in f.cells.items():
        if isinstance(t, Known):
            there: Truth = in_set(c, t.value, inside)
        elif all(q is True for q in inside.members.values()):
            there = in_known(c, t, frozenset(inside.members))
        else:
            return None
        present = c.all_of(p, there)
        if excluded(present):
            continue
        image = apply(c, g, t)
        if image is None:
            return None
        found[k] = (present, image)
    return Cells(found)


def compose(c: Context, r: Bits, s: Bits) -> Bits | None:
    """Return the relation that goes along `r` and then along `s`."""
    by_left: dict[Value, list[tuple[Value, Truth]]] = {}
    for (y, z), q in s.members.items():
        by_left.setdefault(y, []).append((z, q))
    found: dict[Value, list[Truth]] = {}
    size = 0
    for (x, y), p in r.members.items():
        for z, q in by_left.get(y, ()):
            size += 1
            if size > MANY:
                return None
            both = c.all_of(p, q)
            if not excluded(both):
                found.setdefault((x, z), []).append(both)
    return Bits({pair: c.any_of(*found[pair]) for pair in ordered(found)})


def _closure1(c: Context, args: tuple[Expr, ...], env: Env) -> Term | None:
    r = bits(c, c.term(args[0], env))
    if r is None or len(r.members) > FEW:
        return None
    nodes = {x for pair in r.members for x in pair}
    reach: Bits | None = r
    steps = 1
    while steps < len(nodes):
        assert reach is not None
        longer = compose(c, reach, reach)
        if longer is None:
            return None
        elements = ordered({*reach.members, *longer.members})
        reach = Bits(
            {
                x: c.any_of(reach.members.get(x, False), longer.members.get(x, False))
                for x in elements
            }
        )
        steps *= 2
    return reach


def _restriction(side: int, *, keep: bool) -> TermRule:
    """Translate restriction and subtraction; the set stands on the side it restricts."""

    def rule(c: Context, args: tuple[Expr, ...], env: Env) -> Term | None:
        s, r = (args[0], args[1]) if side == 0 else (args[1], args[0])

        def wanted(pair: Term) -> Truth:
            parts = components(pair)
            if parts is None:
                return c.unknown()
            inside = member(c, parts[side], s, env)
            return inside if keep else negation(inside)

        return filtered(c, c.term(r, env), wanted)

    return rule


def _overwrite(c: Context, args: tuple[Expr, ...], env: Env) -> Term | None:
    f, g = (cells_of(c.term(e, env)) for e in args)
    if f is None or g is None:
        return None
    found: dict[Value, tuple[Truth, Term]] = {}
    for key in ordered({*f.cells, *g.cells}):
        if key not in g.cells:
            found[key] = f.cells[key]
        elif key not in f.cells:
            found[key] = g.cells[key]
        else:
            (p, x), (q, y) = f.cells[key], g.cells[key]
            image = conditional(c, q, y, x)
            if image is None:
                return None
            found[key] = (c.any_of(p, q), image)
    return Cells(found)


TERMS: Final[Mapping[Operator, TermRule]] = {
    relations.PAIR: _pair,
    relations.DOMAIN: _domain,
    relations.RANGE: _range,
    relations.INVERSE: _inverse,
    relations.IMAGE: _image,
    relations.IDENTITY: _identity,
    relations.COMPOSITION: _composition,
    relations.CLOSURE1: _closure1,
    relations.DOMAIN_RESTRICTION: _restriction(0, keep=True),
    relations.DOMAIN_SUBTRACTION: _restriction(0, keep=False),
    relations.RANGE_RESTRICTION: _restriction(1, keep=True),
    relations.RANGE_SUBTRACTION: _restriction(1, keep=False),
    relations.OVERWRITE: _overwrite,
}
