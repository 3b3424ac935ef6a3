"""Values that are partly known: the structure is there, truths and numbers are to be found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import assert_never

from secateur.maths.ast import Expr
from secateur.maths.solve.logic import Truth
from secateur.maths.solve.network import Bool, Scalar, Variable
from secateur.maths.solve.protocol import Evaluator
from secateur.maths.values import RecordValue, Value
from secateur.source.records import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """A value that is known already."""

    value: Value


@dataclass(frozen=True, slots=True, eq=False)
class Sum:
    """An integer: numbers with coefficients, and a constant."""

    terms: tuple[tuple[int, Scalar], ...]
    constant: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Atom:
    """One of finitely many values: the scalar itself, or the entry of `table` with its number."""

    scalar: Scalar
    table: tuple[Value, ...] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Couple:
    """A pair."""

    left: Term
    right: Term


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """A record, its fields ordered by name."""

    names: tuple[str, ...]
    fields: tuple[Term, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Bits:
    """A set: what may be an element, and whether it is one."""

    members: Mapping[Value, Truth]


@dataclass(frozen=True, slots=True, eq=False)
class Cells:
    """A function: what may be in the domain, whether it is, and its image if so."""

    cells: Mapping[Value, tuple[Truth, Term]]


@dataclass(frozen=True, slots=True, eq=False)
class Sequence(Cells):
    """A function that is certainly a sequence: where it has a place, it has those before, too."""


@dataclass(frozen=True, slots=True, eq=False)
class Items:
    """A set of values that are themselves to be found; each counts if its truth holds."""

    items: tuple[tuple[Truth, Term], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Later:
    """Any expression: evaluated when everything that it depends on is known."""

    expr: Expr
    env: Env


Term = Known | Sum | Atom | Bool | Couple | Row | Bits | Cells | Items | Later
Env = Mapping[str, Term]
"""What identifiers stand for: those being solved for, and those bound inside."""


def holds(p: Truth) -> bool:
    """Whether `p` is known to be true."""
    return bool(p.value) if isinstance(p, Bool) else p


def excluded(p: Truth) -> bool:
    """Whether `p` is known to be false."""
    return (p.value if isinstance(p, Bool) else p) is False


Needed = tuple[Variable, tuple[Bool, ...]]
"""A variable, needed only if all of these truths hold."""


def needs(term: Term, guards: tuple[Bool, ...] = ()) -> Iterator[Needed]:
    """Yield what has to be found before `term` is known; the same one perhaps twice."""
    match term:
        case Known():
            return
        case Bool():
            yield term, guards
        case Sum(terms, _):
            yield from ((v, guards) for _, v in terms)
        case Atom(scalar, _):
            yield scalar, guards
        case Couple(left, right):
            yield from needs(left, guards)
            yield from needs(right, guards)
        case Row(_, fields):
            for each in fields:
                yield from needs(each, guards)
        case Bits(members):
            yield from ((p, guards) for p in members.values() if isinstance(p, Bool))
        case Cells(cells):
            yield from _conditional(cells.values(), guards)
        case Items(items):
            yield from _conditional(items, guards)
        case Later(_, env):
            for each in env.values():
                yield from needs(each, guards)
        case _:
            assert_never(term)


def _conditional(parts: Iterable[tuple[Truth, Term]], guards: tuple[Bool, ...]) -> Iterator[Needed]:
    for truth, term in parts:
        if isinstance(truth, Bool):
            yield truth, guards
            yield from needs(term, (*guards, truth))
        elif truth:
            yield from needs(term, guards)


def is_open(needed: Needed) -> bool:
    """Whether something needed is still to be found."""
    variable, guards = needed
    if isinstance(variable, Bool):
        return variable.value is None and not any(g.value is False for g in guards)
    return bool(variable.lo != variable.hi) and not any(g.value is False for g in guards)


Found = dict[int, Value]
"""The values of terms by identity, as long as their variables stay fixed."""


def value_of(term: Term, evaluator: Evaluator, found: Found | None = None) -> Value:
    """Return the value of `term`, whose variables are all fixed.

    What is found for a formula is looked for in `found` first: many ask about the same terms.
    """
    match term:
        case Known(value):
            return value
        case Bool():
            return term.value
        case Sum(terms, constant):
            return sum((c * v.lo for c, v in terms), constant)
        case Atom(scalar, table):
            return scalar.lo if table is None else table[scalar.lo]
        case Couple(left, right):
            return (value_of(left, evaluator), value_of(right, evaluator))
        case Row(names, fields):
            return RecordValue(names, [value_of(each, evaluator) for each in fields])
        case Bits(members):
            return frozenset([x for x, p in members.items() if holds(p)])
        case Cells(cells):
            return frozenset(
                [(k, value_of(t, evaluator)) for k, (p, t) in cells.items() if holds(p)]
            )
        case Items(items):
            return frozenset([value_of(t, evaluator) for p, t in items if holds(p)])
        case Later(expr, env):
            return evaluator.value(expr, {n: _found(t, evaluator, found) for n, t in env.items()})
        case _:
            assert_never(term)


def _found(term: Term, evaluator: Evaluator, found: Found | None) -> Value:
    if found is None or isinstance(term, Known | Bool | Atom | Later):
        return value_of(term, evaluator, found)
    if id(term) not in found:
        found[id(term)] = value_of(term, evaluator)
    return found[id(term)]
