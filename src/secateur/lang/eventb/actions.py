"""Actions as predicates that relate the values before and after."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from secateur.lang.eventb.ast import Action, Substitution
from secateur.lang.simulation import PRIME
from secateur.maths.ast import (
    Apply,
    Before,
    Binding,
    Call,
    Expr,
    Name,
    SetDisplay,
    conjunction,
    rebuild,
)
from secateur.maths.infer_substitution import target_name
from secateur.maths.operators.comparison import EQUAL, MEMBER
from secateur.maths.operators.relations import OVERWRITE, PAIR
from secateur.maths.replace import Replacement
from secateur.maths.substitution import Assign, BecomesElement, BecomesSuch, Skip
from secateur.source import NOWHERE, Span


def written(actions: Sequence[Action]) -> dict[str, Action]:
    """Return the variables that `actions` change, each with the action that does it."""
    return {name: action for action in actions for name in targets(action.substitution)}


def targets(s: Substitution) -> list[str]:
    """Return the variables that `s` changes."""
    if isinstance(s, Skip):
        return []
    return [name for t in s.targets if (name := target_name(t)) is not None]


def after(e: Expr, changed: frozenset[str]) -> Expr:
    """Return `e` about the values afterwards, of which those of `changed` may differ."""
    return Replacement({name: Name(f"{name}{PRIME}") for name in changed}).in_expression(e)


def before_after(s: Substitution, changed: frozenset[str]) -> Expr | None:
    """Return the predicate that holds between the values before and after `s`.

    `x'` is the value afterwards of each x in `changed`; the others stay as they are.
    """
    match s:
        case Skip():
            return None
        case Assign(places, values):
            equations = [
                equal(_later(t, changed), _whole_value(t, v), s.span)
                for t, v in zip(places, values, strict=True)
            ]
            return conjunction(tuple(equations), s.span)
        case BecomesElement(places, set_):
            later: Expr = _later(places[0], changed)
            for place in places[1:]:
                later = Apply(PAIR, (later, _later(place, changed)), s.span)
            return Apply(MEMBER, (later, set_), s.span)
        case BecomesSuch(names, condition):
            new = {n.text: _later(n, changed) for n in names}
            return _such_that(condition, new)


def equal(left: Expr, right: Expr, span: Span = NOWHERE) -> Expr:
    """Return `left = right`."""
    return Apply(EQUAL, (left, right), span)


def _later(target: Expr, changed: frozenset[str]) -> Name:
    name = target_name(target)
    assert name is not None, "typing lets nothing else be assigned"
    return Name(f"{name}{PRIME}" if name in changed else name, target.span)


def _whole_value(target: Expr, value: Expr) -> Expr:
    """Return what the variable becomes when `target`, perhaps `f(x)`, becomes `value`."""
    if not isinstance(target, Call):
        return value
    argument = target.args[0]
    for more in target.args[1:]:
        argument = Apply(PAIR, (argument, more), more.span)
    pair = Apply(PAIR, (argument, value), value.span)
    overwritten = Apply(OVERWRITE, (target.function, SetDisplay((pair,))), target.span)
    return _whole_value(target.function, overwritten)


def _such_that(condition: Expr, new: Mapping[str, Name]) -> Expr:
    """Put the new values for the names assigned, and their present values for the old ones."""

    def visit(e: Expr, bound: frozenset[str]) -> Expr:
        match e:
            case Name(text) if text in new and text not in bound:
                return Name(new[text].text, e.span)
            case Before(text):
                return Name(text, e.span)
            case _:
                names = {b.name for b in e.binders} if isinstance(e, Binding) else set()
                return rebuild(e, lambda child: visit(child, bound | names))

    return visit(condition, frozenset())
