"""Formulas and values as people read them, where a language has names for numbers."""

from __future__ import annotations

from collections.abc import Mapping

from secateur.maths.ast import And, Apply, Call, Expr, Implies, Name, Not, Number, Or
from secateur.maths.print import show
from secateur.maths.values import Element, Value

Names = Mapping[int, Element]
"""Elements by their numbers."""
Wording = Mapping[str, Names]
"""The variables that hold such numbers, or arrays of them, with the names of these."""


def show_worded(e: Expr, wording: Wording) -> str:
    """Return a formula as text; a number that such a variable is compared with is told by name."""
    return show(_worded(e, wording) if wording else e)


def value_worded(e: Expr, value: Value, wording: Wording) -> Value:
    """Return the value of a formula, by name if it is that of such a variable."""
    names = _names(e, wording)
    return named(value, names) if names else value


def named(value: Value, names: Names) -> Value:
    """Return a number, or all numbers of an array, by name."""
    if isinstance(value, frozenset):
        return frozenset((index, names.get(each, each)) for index, each in value)
    return names.get(value, value)


def _names(e: Expr, wording: Wording) -> Names:
    match e:
        case Name(text) | Call(Name(text), _):
            return wording.get(text, {})
        case _:
            return {}


def _worded(e: Expr, wording: Wording) -> Expr:
    match e:
        case Apply(operator, (left, right)):
            names = _names(left, wording) or _names(right, wording)
            return Apply(operator, (_called(left, names), _called(right, names)), e.span)
        case And(parts):
            return And(tuple(_worded(part, wording) for part in parts), e.span)
        case Or(parts):
            return Or(tuple(_worded(part, wording) for part in parts), e.span)
        case Not(body):
            return Not(_worded(body, wording), e.span)
        case Implies(left, right):
            return Implies(_worded(left, wording), _worded(right, wording), e.span)
        case _:
            return e


def _called(e: Expr, names: Names) -> Expr:
    """Return a number by its name, if it has one."""
    found = names.get(e.value) if isinstance(e, Number) else None
    return e if found is None else Name(found.name, e.span)
