"""Equality of terms, and the possible values of a term."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations, product
from typing import Final

from secateur.maths.solve.arithmetic import as_sum, compare, plus
from secateur.maths.solve.choice import AllDifferent, DifferentIfPresent, equals
from secateur.maths.solve.context import Context
from secateur.maths.solve.linear import Relation
from secateur.maths.solve.logic import Truth, negation
from secateur.maths.solve.network import Bool, Scalar
from secateur.maths.solve.terms import (
    Atom,
    Bits,
    Cells,
    Couple,
    Items,
    Known,
    Later,
    Row,
    Sequence,
    Sum,
    Term,
    excluded,
)
from secateur.maths.values import (
    IllDefined,
    RecordValue,
    SetValue,
    SymbolicSet,
    Undecided,
    Value,
    explicit,
    ordered,
)

MANY: Final = 20_000
"""The most elements, instances or combinations that are unfolded into truths."""
FEW: Final = 400
SEVERAL: Final = 4
"""From so many terms on, that all are different is one question rather than one per pair."""


def equal(c: Context, a: Term, b: Term) -> Truth:
    """Return whether `a` and `b` are equal."""
    if isinstance(a, Known) and isinstance(b, Known):
        try:
            return bool(a.value == b.value)
        except (Undecided, IllDefined):
            return c.unknown()
    if isinstance(a, Sum) or isinstance(b, Sum):
        return compare(c, plus(as_sum(c, a), as_sum(c, b), -1), Relation.EQUAL)
    if isinstance(a, Later) or isinstance(b, Later):
        return c.unknown()
    if isinstance(a, Known):
        a, b = b, a
    match a:
        case Bool():
            return c.same(a, _truth(b))
        case Atom():
            return _equal_atom(c, a, b)
        case Couple() | Row():
            return _equal_parts(c, a, b)
        case _:
            return _equal_sets(c, a, b)


def _truth(term: Term) -> Truth:
    if isinstance(term, Known):
        return bool(term.value)
    assert isinstance(term, Bool)
    return term


def _equal_atom(c: Context, a: Atom, b: Term) -> Truth:
    if isinstance(b, Known):
        return equals_value(c, a, b.value)
    if isinstance(b, Atom) and a.table is b.table:
        return compare(c, plus(Sum(((1, a.scalar),)), Sum(((1, b.scalar),)), -1), Relation.EQUAL)
    choices = alternatives(c, a, FEW)
    if choices is None:
        return c.unknown()
    return c.any_of(*(c.all_of(truth, equal(c, b, Known(value))) for value, truth in choices))


def equals_value(c: Context, a: Atom, value: Value) -> Truth:
    """Return whether the atom is this value."""
    if a.table is None:
        return equals(c.net, a.scalar, value)
    if value not in a.table:
        return False
    return equals(c.net, a.scalar, a.table.index(value))


def components(term: Term) -> tuple[Term, ...] | None:
    """Return the parts of a pair or record; None if it has not been taken apart."""
    match term:
        case Couple(left, right):
            return (left, right)
        case Row(_, fields):
            return fields
        case Known(value) if isinstance(value, tuple):
            return tuple(map(Known, value))
        case _:
            return None


def _equal_parts(c: Context, a: Term, b: Term) -> Truth:
    if isinstance(b, Atom):
        return _equal_atom(c, b, a)
    left, right = components(a), components(b)
    if left is None or right is None:
        return c.unknown()
    return c.all_of(*(equal(c, x, y) for x, y in zip(left, right, strict=True)))


def _equal_sets(c: Context, a: Term, b: Term) -> Truth:
    if isinstance(a, Atom) or isinstance(b, Atom):
        atom, other = (a, b) if isinstance(a, Atom) else (b, a)
        assert isinstance(atom, Atom)
        return _equal_atom(c, atom, other)
    if isinstance(a, Cells) and (cells := cells_of(b)) is not None:
        return _equal_cells(c, a, cells)
    left, right = bits(c, a), bits(c, b)
    if left is None or right is None:
        return c.unknown()
    keys = dict.fromkeys((*left.members, *right.members))
    return c.all_of(
        *(c.same(left.members.get(x, False), right.members.get(x, False)) for x in keys)
    )


def cells_of(term: Term) -> Cells | None:
    """Return a function as cells: cells themselves, a known function, pairs with known keys."""
    match term:
        case Cells():
            return term
        case Known(value) if isinstance(value, frozenset) and len(value) <= MANY:
            table = dict(value) if all(isinstance(x, tuple) for x in value) else {}
            if len(table) < len(value):
                return None
            return Cells({k: (True, Known(table[k])) for k in ordered(table)})
        case Items(items) if all(isinstance(t, Couple) for _, t in items):
            return _cells_of_items(items)
        case _:
            return None


def _cells_of_items(items: tuple[tuple[Truth, Term], ...]) -> Cells | None:
    found: dict[Value, tuple[Truth, Term]] = {}
    for p, t in items:
        assert isinstance(t, Couple)
        if not isinstance(t.left, Known) or t.left.value in found:
            return None
        found[t.left.value] = (p, t.right)
    return Cells({k: found[k] for k in ordered(found)})


def _equal_cells(c: Context, a: Cells, b: Cells) -> Truth:
    if not b.cells and isinstance(a, Sequence):
        first = a.cells.get(1)
        return True if first is None else negation(first[0])
    nothing: tuple[Truth, Term] = (False, Known(None))
    parts: list[Truth] = []
    for key in dict.fromkeys((*a.cells, *b.cells)):
        (p, x), (q, y) = a.cells.get(key, nothing), b.cells.get(key, nothing)
        parts.append(c.same(p, q))
        if not excluded(p) and not excluded(q):
            parts.append(c.any_of(negation(p), equal(c, x, y)))
    return c.all_of(*parts)


def known_elements(value: SetValue, limit: int = MANY) -> frozenset[Value] | None:
    """Return the elements of a set that is not too large; else None."""
    if isinstance(value, frozenset):
        return value if len(value) <= limit else None
    assert isinstance(value, SymbolicSet)
    try:
        size = value.size()
        return explicit(value) if size is not None and size <= limit else None
    except (Undecided, IllDefined):
        return None


def bits(c: Context, term: Term) -> Bits | None:
    """Return a set with a truth for each possible element; None if that is impossible or too much."""
    match term:
        case Bits():
            return term
        case Known(value):
            elements = known_elements(value)
            return None if elements is None else Bits(dict.fromkeys(ordered(elements), True))
        case Items(items):
            return gather(c, ((p, t) for p, t in items))
        case Cells(cells):
            return gather(c, ((p, Couple(Known(k), t)) for k, (p, t) in cells.items()))
        case _:
            return None


def gather(c: Context, parts: Iterable[tuple[Truth, Term]]) -> Bits | None:
    """Return the set of those values whose truths hold."""
    found: dict[Value, list[Truth]] = {}
    for p, term in parts:
        if excluded(p):
            continue
        choices = alternatives(c, term, MANY)
        if choices is None or len(found) > MANY:
            return None
        for value, truth in choices:
            found.setdefault(value, []).append(c.all_of(p, truth))
    members = {x: c.any_of(*truths) for x, truths in found.items()}
    return Bits({x: members[x] for x in ordered(members) if not excluded(members[x])})


def alternatives(c: Context, term: Term, limit: int) -> list[tuple[Value, Truth]] | None:
    """Return the possible values, each with the truth that it is this one; None if too many."""
    match term:
        case Known(value):
            return [(value, True)]
        case Bool():
            return [(False, negation(term)), (True, term)]
        case Atom(scalar, table):
            values = list(scalar.listed())
            return [(x if table is None else table[x], equals(c.net, scalar, x)) for x in values]
        case Sum(((k, scalar),), constant) if scalar.size() <= limit:
            return [(k * x + constant, equals(c.net, scalar, x)) for x in scalar.listed()]
        case Couple() | Row():
            return _combined(c, term, limit)
        case Bits(members) if 1 << sum(isinstance(p, Bool) for p in members.values()) <= limit:
            return _subsets(c, term)
        case _:
            return None


def _combined(c: Context, term: Couple | Row, limit: int) -> list[tuple[Value, Truth]] | None:
    parts = components(term)
    assert parts is not None
    lists = []
    size = 1
    for part in parts:
        choices = alternatives(c, part, limit)
        if choices is None:
            return None
        size *= len(choices)
        if size > limit:
            return None
        lists.append(choices)
    found = []
    for combination in product(*lists):
        values = tuple(value for value, _ in combination)
        whole = RecordValue(term.names, values) if isinstance(term, Row) else values
        found.append((whole, c.all_of(*(truth for _, truth in combination))))
    return found


def _subsets(c: Context, term: Bits) -> list[tuple[Value, Truth]]:
    found: list[tuple[Value, Truth]] = []
    open_ones = [(x, p) for x, p in term.members.items() if isinstance(p, Bool)]
    certain = [x for x, p in term.members.items() if p is True]
    for choice in product((False, True), repeat=len(open_ones)):
        inside = [x for (x, _), chosen in zip(open_ones, choice, strict=True) if chosen]
        truths = [
            p if chosen else negation(p) for (_, p), chosen in zip(open_ones, choice, strict=True)
        ]
        found.append((frozenset(certain + inside), c.all_of(*truths)))
    return found


def distinct(c: Context, parts: list[tuple[Truth, Term]]) -> Truth:
    """Return whether the terms whose truths hold are pairwise different."""
    scalars = _scalars([t for p, t in parts if p is True])
    if scalars is not None and len(scalars) == len(parts) > 2:
        truth = Bool()
        c.add(AllDifferent(scalars, truth), truth, *scalars)
        return truth
    conditional = _conditional_scalars(parts)
    if conditional is not None:
        truth = Bool()
        watched = [each for part in conditional for each in part]
        c.add(DifferentIfPresent(conditional, truth), truth, *watched)
        return truth
    if len(parts) > FEW:
        return c.unknown()
    return c.all_of(
        *(negation(c.all_of(p, q, equal(c, s, t))) for (p, s), (q, t) in combinations(parts, 2))
    )


def _conditional_scalars(parts: list[tuple[Truth, Term]]) -> list[tuple[Bool, Scalar]] | None:
    """Return the scalars that many terms are, each with its truth, if they can be compared."""
    scalars = _scalars([t for _, t in parts])
    if scalars is None or len(parts) < SEVERAL:
        return None
    certain = Bool()
    certain.value = True
    truths = [p if isinstance(p, Bool) else certain for p, _ in parts]
    return list(zip(truths, scalars, strict=True))


def _scalars(terms: list[Term]) -> list[Scalar] | None:
    """Return the scalars that the terms are, if equal scalars mean equal terms."""
    found = []
    tables = set()
    for term in terms:
        match term:
            case Sum(((1, scalar),), 0):
                tables.add(0)
            case Atom(scalar, table):
                tables.add(id(table))
            case _:
                return None
        found.append(scalar)
    return found if len(tables) <= 1 else None
