"""Formulas that Event-B writes in its own way, in the terms of the common language."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from secateur.lang.eventb.codes import NOT_A_PATTERN
from secateur.maths.ast import (
    Apply,
    Before,
    Binder,
    Comprehension,
    Expr,
    Lambda,
    Name,
    SetDisplay,
    children,
)
from secateur.maths.operators.comparison import MEMBER
from secateur.maths.operators.constants import OPERATORS as CONSTANTS
from secateur.maths.operators.eventb import OF_TYPE
from secateur.maths.operators.function_spaces import RELATIONS
from secateur.maths.operators.protocol import Operator
from secateur.maths.operators.relations import OVERWRITE, PAIR
from secateur.maths.operators.sets import POWER_SET, PRODUCT
from secateur.maths.replace import Replacement
from secateur.maths.substitution import BecomesSuch
from secateur.maths.types import BOOL, INTEGER, Given, Power, Product, Type
from secateur.source import Span, fail

_INTEGERS: Final = next(o for o in CONSTANTS if o.name == "integers")
_BASE: Final[dict[str, Type]] = {"INTEGER": INTEGER, "BOOL": BOOL}

PRIME: Final = "'"
"""What marks the value of a variable after an event."""


def comprehension(
    binders: tuple[Binder, ...], condition: Expr, value: Expr, span: Span
) -> Comprehension | Lambda:
    """Return `{x, y . P | E}`; a set of pairs from the bound identifiers is a function."""
    names = [b.name for b in binders]
    if _pattern_names(value) == names:
        return Comprehension(binders, condition, None, span)
    if (
        isinstance(value, Apply)
        and value.operator is PAIR
        and _pattern_names(value.args[0]) == names
    ):
        return Lambda(binders, condition, value.args[1], span)
    return Comprehension(binders, condition, value, span)


def _pattern_names(e: Expr) -> list[str] | None:
    """Return the names in `x |-> y |-> z`, paired from the left; None for anything else."""
    names: list[str] = []
    while isinstance(e, Apply) and e.operator is PAIR:
        e, last = e.args
        if not isinstance(last, Name):
            return None
        names.append(last.text)
    return [*names, e.text][::-1] if isinstance(e, Name) else None


def lambda_(pattern: Expr, condition: Expr, value: Expr, span: Span) -> Comprehension | Lambda:
    """Return `%pattern . P | E`, whose pattern is made of identifiers and pairs."""
    binders = tuple(_bound(pattern))
    pairs = Apply(PAIR, (_untyped(pattern), value), span)
    return comprehension(binders, condition, pairs, span)


def _untyped(pattern: Expr) -> Expr:
    match pattern:
        case Apply(operator, (inner, _)) if operator is OF_TYPE:
            return _untyped(inner)
        case Apply(operator, (left, right)):
            return Apply(operator, (_untyped(left), _untyped(right)), pattern.span)
        case _:
            return pattern


def _bound(pattern: Expr) -> Iterable[Binder]:
    match pattern:
        case Name(text):
            yield Binder(text, None, pattern.span)
        case Apply(operator, (left, right)) if operator is PAIR:
            yield from _bound(left)
            yield from _bound(right)
        case Apply(operator, (Name(text), type_)) if operator is OF_TYPE:
            yield Binder(text, as_type(type_), pattern.span)
        case _:
            message = "only identifiers and pairs of them can stand here"
            raise fail(NOT_A_PATTERN, message, pattern.span, "write %x |-> y . P | E")


def as_type(e: Expr) -> Type | None:
    """Return the type written as an expression; None for the types of a theory."""
    match e:
        case Apply(operator, ()) if operator.spellings[0] in _BASE:
            return _BASE[operator.spellings[0]]
        case Apply(operator, (element,)) if operator is POWER_SET:
            inner = as_type(element)
            return inner and Power(inner)
        case Apply(operator, (left, right)) if operator in (PRODUCT, RELATIONS):
            first, second = as_type(left), as_type(right)
            if first is None or second is None:
                return None
            return Product(first, second) if operator is PRODUCT else Power(Product(first, second))
        case Name(text):
            return Given(text)
        case _:
            return None


def free_in_order(e: Expr) -> list[Name]:
    """Return the free identifiers of `e`, each once, in the order they are met."""
    found: dict[str, Name] = {}

    def visit(node: Expr, bound: frozenset[str]) -> None:
        if isinstance(node, Name) and node.text not in bound:
            found.setdefault(node.text, node)
        inner = bound | {b.name for b in getattr(node, "binders", ())}
        for child in children(node):
            visit(child, inner)

    visit(e, frozenset())
    return list(found.values())


def gathered(value: Expr, condition: Expr, span: Span) -> Comprehension | Lambda:
    """Return `{E | P}`: the free identifiers of E are bound."""
    names = free_in_order(value)
    if not names:
        message = "nothing is bound here: the expression before '|' has no identifiers"
        raise fail(NOT_A_PATTERN, message, value.span, "write {x . P | E}")
    binders = tuple(Binder(n.text, None, n.span) for n in names)
    return comprehension(binders, condition, value, span)


def becomes_such(targets: Sequence[Name], condition: Expr, span: Span) -> BecomesSuch:
    """Return `x :| P`, in whose condition x' is the new value and x the old one."""
    changes: dict[str, Expr] = {}
    for target in targets:
        changes[target.text] = Before(target.text, target.span)
        changes[target.text + PRIME] = Name(target.text, target.span)
    return BecomesSuch(tuple(targets), Replacement(changes).in_expression(condition), span)


def overwritten(function: Name, args: tuple[Expr, ...], value: Expr, span: Span) -> Expr:
    """Return what `f(x) := E` makes of `f`."""
    argument = args[0]
    for each in args[1:]:
        argument = Apply(PAIR, (argument, each), span)
    entry = SetDisplay((Apply(PAIR, (argument, value), span),), span)
    return Apply(OVERWRITE, (function, entry), span)


def on_integers(operator: Operator, span: Span) -> Lambda:
    """Return an operator on one integer as a function: `%x.(x : INTEGER | operator(x))`."""
    x = Name("x", span)
    condition = Apply(MEMBER, (x, Apply(_INTEGERS, (), span)), span)
    return Lambda((Binder("x", None, span),), condition, Apply(operator, (x,), span), span)
