"""Bounds on relations and sequences that other conjuncts than a membership give."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from secateur.maths.ast import Apply, Binder, Expr, Name
from secateur.maths.operators import comparison, integers, relations, sequences, sets
from secateur.maths.solve.equality import MANY
from secateur.maths.solve.shape import Shaper, as_sequence
from secateur.maths.solve.spaces import SPACES
from secateur.maths.solve.terms import Term
from secateur.maths.types import Power, Product, Type
from secateur.maths.values import Value, ordered

_SEQUENCES = frozenset({sequences.SEQUENCES, sequences.SEQUENCES1})
_SIZES = frozenset({sets.CARD, sequences.SIZE, *sequences.SIZE.overloads})


_ONE_SHORTER = frozenset({sequences.FRONT, sequences.TAIL})


def bounded_shape(binder: Binder, constraints: Sequence[Expr], shaper: Shaper) -> Term | None:
    """Return a structure for a relation whose domain, range or length is bounded somewhere."""
    match binder.type:
        case Power(Product(_, right)):
            pass
        case _:
            return None
    domain: frozenset[Value] | None = None
    ranges: list[Expr] = []
    functional = False
    sequence = any(_is_sequence(binder.name, e) for e in constraints)
    for e in constraints:
        space = _space(binder.name, e)
        if space is not None:
            is_function, source, target = space
            functional = functional or is_function
            ranges.append(target)
            domain = _smaller(domain, None if source is None else shaper.elements(source))
        domain = _smaller(domain, _side(binder.name, e, relations.DOMAIN, shaper))
        if sequence:
            domain = _smaller(domain, _length(binder.name, e, shaper))
        target_side = _side_expr(binder.name, e, relations.RANGE)
        if target_side is not None:
            ranges.append(target_side)
    if sequence and _no_common_element(ranges, shaper):
        domain = frozenset()
    if domain is None:
        return None
    if not functional:
        return _related(shaper, domain, ranges)
    made = _made(shaper, domain, ranges, right)
    return as_sequence(made) if sequence else made


def _no_common_element(ranges: Sequence[Expr], shaper: Shaper) -> bool:
    """Whether nothing is in all of these sets."""
    known = [s for s in map(shaper.elements, ranges) if s is not None]
    return bool(known) and not frozenset.intersection(*known)


def _made(
    shaper: Shaper, domain: frozenset[Value], ranges: Sequence[Expr], target_type: Type
) -> Term | None:
    """Return an unknown function on the domain."""
    keys = ordered(domain)
    for target in ranges:
        found = shaper.function(keys, partial(shaper.in_set, target, target_type), total=False)
        if found is not None:
            return found
    return shaper.function(keys, partial(shaper.of_type, target_type), total=False)


def _related(shaper: Shaper, domain: frozenset[Value], ranges: Sequence[Expr]) -> Term | None:
    for target in ranges:
        values = shaper.elements(target)
        if values is not None:
            return shaper.relation(ordered(domain), ordered(values))
    return None


def _smaller(a: frozenset[Value] | None, b: frozenset[Value] | None) -> frozenset[Value] | None:
    if a is None or b is None:
        return b if a is None else a
    return a if len(a) <= len(b) else b


def _space(name: str, e: Expr) -> tuple[bool, Expr | None, Expr] | None:
    """Return whether `e` makes `name` a function, and between which sets."""
    match e:
        case Apply(member, (Name(text), Apply(operator, args))) if (
            member is comparison.MEMBER and text == name
        ):
            if operator in SPACES:
                return "function" in SPACES[operator], args[0], args[1]
            if operator in _SEQUENCES:
                return True, None, args[0]
            return None
        case _:
            return None


def _is_sequence(name: str, e: Expr) -> bool:
    match e:
        case Apply(member, (Name(text), Apply(operator, _))):
            return member is comparison.MEMBER and text == name and operator in _SEQUENCES
        case _:
            return False


def _side_expr(name: str, e: Expr, side: object) -> Expr | None:
    """Return S if `e` is `dom(name) = S` or `dom(name) <: S` (or the same of the range)."""
    match e:
        case Apply(operator, (Apply(inner, (Name(text),)), s)) if (
            inner is side and text == name and operator in (comparison.EQUAL, comparison.SUBSET)
        ):
            return s
        case Apply(operator, (s, Apply(inner, (Name(text),)))) if (
            inner is side and text == name and operator is comparison.EQUAL
        ):
            return s
        case _:
            return None


def _side(name: str, e: Expr, side: object, shaper: Shaper) -> frozenset[Value] | None:
    s = _side_expr(name, e, side)
    return None if s is None else shaper.elements(s)


def _length(name: str, e: Expr, shaper: Shaper) -> frozenset[Value] | None:
    """Return 1..k if `e` says that the length is (at most, or less than) k."""
    greatest = _length_by_size(name, e, shaper)
    if greatest is None:
        greatest = _length_by_rest(name, e, shaper)
    return None if greatest is None or greatest > MANY else frozenset(range(1, greatest + 1))


def _length_by_rest(name: str, e: Expr, shaper: Shaper) -> int | None:
    """Return the length if `e` says what is left of the sequence without an end of it."""
    match e:
        case Apply(operator, (Apply(inner, (Name(text),)), s) | (s, Apply(inner, (Name(text),)))):
            if operator is comparison.EQUAL and inner in _ONE_SHORTER and text == name:
                rest = shaper.ground(s)
                return len(rest) + 1 if isinstance(rest, frozenset) else None
            return None
        case _:
            return None


def _length_by_size(name: str, e: Expr, shaper: Shaper) -> int | None:
    match e:
        case Apply(operator, (Apply(inner, (Name(text),)), k)) if inner in _SIZES and text == name:
            pass
        case Apply(operator, (k, Apply(inner, (Name(text),)))) if (
            inner in _SIZES and text == name and operator is comparison.EQUAL
        ):
            pass
        case _:
            return None
    if operator not in (comparison.EQUAL, integers.LESS, integers.LESS_EQUAL):
        return None
    return shaper.greatest(k)
