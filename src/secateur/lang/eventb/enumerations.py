"""Axioms that only say what the elements of carrier sets are called, or that there are finitely many."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from secateur.lang.b.carriers import is_declaration
from secateur.lang.model import CarrierSet
from secateur.maths.ast import Apply, Expr, Name, Not, SetDisplay, conjuncts
from secateur.maths.operators.comparison import EQUAL, NOT_EQUAL
from secateur.maths.operators.eventb import FINITE
from secateur.maths.operators.sets import PARTITION


def only_names(axiom: Expr, named: Mapping[str, str], sets: Mapping[str, CarrierSet]) -> bool:
    """Whether `axiom` is true because of how the sets were settled: it is no property.

    `named` are the constants that became elements, each with its set.
    """
    return all(_is_given(part, named, sets) for part in conjuncts(axiom))


def _is_given(predicate: Expr, named: Mapping[str, str], sets: Mapping[str, CarrierSet]) -> bool:
    match predicate:
        case Apply(operator, (Name(set_),)) if operator is FINITE:
            return set_ in sets
        case Apply(operator, (Name(set_), *parts)) if operator is PARTITION:
            return _lists([_only_item(part) for part in parts], named, sets.get(set_))
        case Apply(operator, (Name(set_), SetDisplay(items))) if operator is EQUAL:
            return _lists(items, named, sets.get(set_))
        case Apply(operator, (SetDisplay(items), Name(set_))) if operator is EQUAL:
            return _lists(items, named, sets.get(set_))
        case Apply(operator, (left, right)) if operator is NOT_EQUAL:
            return _differ(left, right, named, sets)
        case Not(Apply(operator, (left, right))) if operator is EQUAL:
            return _differ(left, right, named, sets)
        case _:
            return is_declaration(predicate, named)


def _lists(items: Sequence[Expr | None], named: Mapping[str, str], set_: CarrierSet | None) -> bool:
    """Whether `items` are all elements of `set_`, each by its name."""
    if set_ is None:
        return False
    names = {e.text for e in items if isinstance(e, Name) and named.get(e.text) == set_.name}
    return len(names) == len(items) == len(set_.elements)


def _differ(
    left: Expr, right: Expr, named: Mapping[str, str], sets: Mapping[str, CarrierSet]
) -> bool:
    """Whether these are two elements of a set that lists its elements."""
    names = {e.text for e in (left, right) if isinstance(e, Name) and e.text in named}
    return len(names) == 2 and all(sets[named[name]].enumerated for name in names)


def _only_item(part: Expr) -> Expr | None:
    return part.items[0] if isinstance(part, SetDisplay) and len(part.items) == 1 else None
