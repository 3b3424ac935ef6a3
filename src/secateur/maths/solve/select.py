"""Choosing between terms: conditional expressions and function application."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from secateur.maths.function_tables import function_table
from secateur.maths.solve.arithmetic import as_scalar, as_sum, bounds, compare, plus, settled
from secateur.maths.solve.choice import Select, equals
from secateur.maths.solve.context import Context
from secateur.maths.solve.equality import FEW, MANY, alternatives, bits, cells_of, components, equal
from secateur.maths.solve.linear import Relation
from secateur.maths.solve.logic import Truth, negation
from secateur.maths.solve.network import Bool, Scalar, among
from secateur.maths.solve.terms import (
    Atom,
    Bits,
    Cells,
    Couple,
    Items,
    Known,
    Row,
    Sum,
    Term,
    excluded,
)
from secateur.maths.values import Element, IllDefined, Value, is_set, ordered

Option = tuple[Truth, Term]


def conditional(c: Context, p: Truth, a: Term, b: Term) -> Term | None:
    """Return `a` if `p`, else `b`; None if the two cannot be merged."""
    if not isinstance(p, Bool):
        return a if p else b
    return choose(c, [(p, a), (negation(p), b)])


def choose(c: Context, options: list[Option]) -> Term | None:
    """Return the term whose truth holds; exactly one does, or the result is ill-defined."""
    options = [(p, t) for p, t in options if not excluded(p)]
    if not options:
        return None
    if len(options) == 1:
        return options[0][1]
    terms = [t for _, t in options]
    if all(isinstance(t, Sum) or _is_number(t) for t in terms):
        return _choose_number(c, options)
    if all(isinstance(t, Bool) or (isinstance(t, Known) and type(t.value) is bool) for t in terms):
        return _choose_truth(c, options)
    if any(isinstance(t, Couple | Row) for t in terms):
        return _choose_parts(c, options)
    if any(isinstance(t, Cells) for t in terms) or all(map(_is_known_function, terms)):
        return _choose_cells(c, options)
    if any(isinstance(t, Bits | Items) for t in terms):
        return _choose_bits(c, options)
    if all(isinstance(t, Known) and is_set(t.value) for t in terms):
        return _choose_bits(c, options)
    return _choose_atom(c, options)


def _is_known_function(t: Term) -> bool:
    return isinstance(t, Known) and isinstance(t.value, frozenset) and cells_of(t) is not None


def _is_number(t: Term) -> bool:
    return isinstance(t, Known) and type(t.value) is int


def _choose_number(c: Context, options: list[Option]) -> Term:
    sums = [as_sum(c, t) for _, t in options]
    ends = [bounds(s) for s in sums]
    result = Scalar(min(lo for lo, _ in ends), max(hi for _, hi in ends))
    for (p, _), s in zip(options, sums, strict=True):
        same = compare(c, plus(Sum(((1, result),)), s, -1), Relation.EQUAL)
        c.define(c.any_of(negation(p), same))
    return Sum(((1, result),))


def _choose_truth(c: Context, options: list[Option]) -> Term:
    parts = [c.all_of(p, t if isinstance(t, Bool) else t.value) for p, t in options]  # type: ignore[union-attr]
    return as_term(c.any_of(*parts))


def as_term(p: Truth) -> Term:
    """Return a truth as a term."""
    return p if isinstance(p, Bool) else Known(p)


def _choose_parts(c: Context, options: list[Option]) -> Term | None:
    rows = []
    for p, t in options:
        parts = components(t)
        if parts is None:
            return None
        rows.append((p, parts))
    merged = []
    for i in range(len(rows[0][1])):
        part = choose(c, [(p, parts[i]) for p, parts in rows])
        if part is None:
            return None
        merged.append(part)
    first = next(t for _, t in options if isinstance(t, Couple | Row))
    return Row(first.names, tuple(merged)) if isinstance(first, Row) else Couple(*merged)


def _choose_cells(c: Context, options: list[Option]) -> Term | None:
    functions = []
    for p, t in options:
        cells = cells_of(t)
        if cells is None:
            return _choose_bits(c, options)
        functions.append((p, cells))
    merged: dict[Value, Option] = {}
    for key in dict.fromkeys(k for _, f in functions for k in f.cells):
        entries = [(p, *f.cells[key]) for p, f in functions if key in f.cells]
        images = [(c.all_of(p, q), t) for p, q, t in entries]
        image = choose(c, images)
        if image is None:
            return None
        merged[key] = (c.any_of(*(p for p, _ in images)), image)
    return Cells(merged)


def _choose_bits(c: Context, options: list[Option]) -> Term | None:
    sets = []
    for p, t in options:
        members = bits(c, t)
        if members is None:
            return None
        sets.append((p, members.members))
    elements = ordered({x for _, members in sets for x in members})
    return Bits(
        {
            x: c.any_of(*(c.all_of(p, members[x]) for p, members in sets if x in members))
            for x in elements
        }
    )


def _choose_atom(c: Context, options: list[Option]) -> Term | None:
    found: dict[Value, list[Truth]] = {}
    for p, t in options:
        choices = alternatives(c, t, FEW)
        if choices is None:
            return None
        for value, truth in choices:
            found.setdefault(value, []).append(c.all_of(p, truth))
    result = atom_among(tuple(ordered(found)))
    for value, truths in found.items():
        # Only where one of the options applies is the result that option's value.
        same = equal(c, result, Known(value))
        c.define(c.any_of(negation(c.any_of(*truths)), same))
    return result


def atom_among(values: tuple[Value, ...]) -> Term:
    """Return something to be found among `values`, which are in order."""
    if len(values) == 1:
        return Known(values[0])
    if all(type(x) is bool for x in values):
        return Bool()
    if all(isinstance(x, Element) for x in values):
        return Atom(among(frozenset(values)))
    if all(type(x) is int for x in values):
        return Sum(((1, among(frozenset(values))),))
    return Atom(Scalar(0, len(values) - 1), values)


def apply(c: Context, function: Term, argument: Term) -> Term | None:
    """Return the image of `argument`; None if only evaluation can tell.

    Whether there is an image is not looked at.
    """
    if isinstance(argument, Known):
        return _apply_to_known(function, argument.value)
    cells = cells_of(function)
    if cells is None or len(cells.cells) > MANY:
        return None
    if isinstance(argument, Atom) and argument.table is not None:
        keys = {i: cells.cells.get(x) for i, x in enumerate(argument.table)}
        return _select(c, argument.scalar, {i: e[1] for i, e in keys.items() if e is not None})
    if isinstance(argument, Atom):
        return _select(c, argument.scalar, {k: t for k, (_, t) in cells.cells.items()})
    if isinstance(argument, Sum):
        index = as_scalar(c, argument)
        return _select(c, index, {k: t for k, (_, t) in cells.cells.items()})
    return _apply_in_part(c, cells, argument) or _apply_by_cases(c, cells, argument)


def _apply_to_known(function: Term, argument: Value) -> Term | None:
    if isinstance(function, Known):
        if not isinstance(function.value, frozenset):
            return None
        try:
            return Known(function_table(function.value)[argument])
        except (KeyError, IllDefined):
            return None
    cells = cells_of(function)
    if cells is None or argument not in cells.cells:
        return None
    present, image = cells.cells[argument]
    return None if excluded(present) else image


def _select(c: Context, index: Scalar, options: Mapping[Any, Term]) -> Term | None:
    options = {k: t for k, t in options.items() if index.possible(k)}
    if not options:
        return None
    kinds = {_kind(t) for t in options.values()}
    if kinds == {"number"}:
        sums = {k: as_sum(c, t) for k, t in options.items()}
        result = Scalar(-float("inf"), float("inf"))
        _add_select(c, result, index, {k: _number_option(c, s) for k, s in sums.items()})
        return Sum(((1, result),))
    if index.size() > MANY or not all(x in options for x in index.listed()):
        return None  # outside the domain the result must stay open
    if kinds == {"element"}:
        values: set[Any] = set()
        for t in options.values():
            values.update(t.scalar.listed() if isinstance(t, Atom) else [t.value])  # type: ignore[union-attr]
        scalar = among(frozenset(values))
        given = {k: t.scalar if isinstance(t, Atom) else t.value for k, t in options.items()}  # type: ignore[union-attr]
        _add_select(c, scalar, index, given)
        return Atom(scalar)
    return choose(c, [(equals(c.net, index, k), t) for k, t in options.items()])


def _number_option(c: Context, s: Sum) -> Scalar | int:
    term = settled(s)
    return term.value if isinstance(term, Known) else as_scalar(c, s)


def _kind(t: Term) -> str:
    if isinstance(t, Sum) or _is_number(t):
        return "number"
    if isinstance(t, Known) and isinstance(t.value, Element):
        return "element"
    if isinstance(t, Atom) and t.table is None:
        return "element"
    return "other"


def _add_select(
    c: Context, result: Scalar, index: Scalar, options: Mapping[Any, Scalar | Any]
) -> None:
    watched = [t for t in options.values() if isinstance(t, Scalar)]
    c.add(Select(result, index, options), result, index, *watched)


def _apply_in_part(c: Context, cells: Cells, argument: Term) -> Term | None:
    """Return `f(k, x)` for a known `k` (or `f(x, k)`) as `g(x)` with the entries for k only."""
    match argument:
        case Couple(Known(value), rest):
            side = 0
        case Couple(rest, Known(value)):
            side = 1
        case _:
            return None
    kept = {k[1 - side]: entry for k, entry in cells.cells.items() if k[side] == value}
    return apply(c, Cells(kept), rest)


def _apply_by_cases(c: Context, cells: Cells, argument: Term) -> Term | None:
    if len(cells.cells) > FEW:
        return None
    options = [(equal(c, argument, Known(k)), image) for k, (_, image) in cells.cells.items()]
    return choose(c, options)
