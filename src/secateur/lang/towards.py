"""Executing a substitution where its outcome is known: choices that cannot lead there are not made.

To match an outcome of a refinement, all outcomes of the abstraction could be listed and
compared.  There may be very many, or no end of them: `x :: NATURAL`.  If the refinement keeps
x, it is known what x must become; if it does not, its invariant may say what: `x = card(y)`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace

from secateur.maths import substitution as sub
from secateur.maths.ast import Apply, Before, Expr, Name, conjunction, conjuncts, free_names
from secateur.maths.evaluate.context import is_partial
from secateur.maths.operators.comparison import EQUAL, MEMBER
from secateur.maths.operators.relations import PAIR
from secateur.maths.replace import Replacement
from secateur.maths.substitution import Substitution
from secateur.source.records import dataclass


@dataclass(frozen=True)
class Outcome:
    """What is known of the values that variables end with."""

    values: Mapping[str, str]
    """By the name of a variable, the name of the value that it must have."""
    relations: tuple[tuple[str, Expr], ...] = ()
    """A variable, and what else it must satisfy; all other names are those of values."""

    def demands(self, variable: str, value: Expr) -> list[Expr]:
        """Return what must hold for `variable` to end with `value`."""
        if variable in self.values:
            wanted = Name(self.values[variable], value.span)
            return [Apply(EQUAL, (value, wanted), value.span)]
        put = Replacement({variable: value})
        return [put.in_expression(p) for about, p in self.relations if about == variable]

    def without(self, hidden: Collection[str]) -> Outcome:
        """Return what is known of variables other than those `hidden`."""
        return replace(
            self,
            values={x: value for x, value in self.values.items() if x not in hidden},
            relations=tuple((x, p) for x, p in self.relations if x not in hidden),
        )


def outcome(
    values: Mapping[str, str], invariant: Collection[Expr], unknown: frozenset[str]
) -> Outcome:
    """Return what `invariant` says of an outcome in which variables have the values named.

    Nothing is known of those that are `unknown` otherwise.  What can be ill-defined is of use
    only after all that stands before it: that may be the reason why it is not.
    """
    put = Replacement({variable: Name(value) for variable, value in values.items()})
    relations = []
    gapless = True
    for predicate in invariant:
        about = [*(free_names(predicate) & unknown)]
        if len(about) == 1 and (gapless or not is_partial(predicate)):
            relations.append((about[0], put.in_expression(predicate)))
        gapless = gapless and len(about) <= 1
    return Outcome(values, tuple(relations))


def towards(body: Substitution, wanted: Outcome) -> Substitution:
    """Return a substitution that has those outcomes of `body` that are `wanted`.

    It may have others: they are left out only where that is easy.
    """
    match body:
        case sub.BecomesElement(targets, set_) if all(isinstance(t, Name) for t in targets):
            return towards(_as_predicate(targets, set_, body), wanted)
        case sub.BecomesSuch(targets, condition):
            demands = [d for t in targets for d in wanted.demands(t.text, t)]
            return sub.BecomesSuch(targets, _with(condition, demands), body.span)
        case sub.AnyWhere(binders, condition, inner):
            seen = wanted.without({b.name for b in binders})
            demands = [d for x, e in _assigned(inner) for d in seen.demands(x, e)]
            whole = _with(condition, demands)
            return sub.AnyWhere(binders, whole, towards(inner, seen), body.span)
        case sub.LetBe(binders, condition, inner):
            seen = wanted.without({b.name for b in binders})
            return sub.LetBe(binders, condition, towards(inner, seen), body.span)
        case sub.VarIn(binders, inner):
            seen = wanted.without({b.name for b in binders})
            return sub.VarIn(binders, towards(inner, seen), body.span)
        case sub.Sequential(parts):
            # What comes before the last part may still be overwritten.
            return sub.Sequential((*parts[:-1], towards(parts[-1], wanted)), body.span)
        case sub.While():
            return body
        case _:
            return sub.rebuild(body, lambda e: e, lambda part: towards(part, wanted))


def _as_predicate(
    targets: tuple[Expr, ...], set_: Expr, body: sub.BecomesElement
) -> sub.BecomesSuch:
    """Return `x, y :: S` as `x, y :(x |-> y : S)`, where S speaks of the old values."""
    names = tuple(t for t in targets if isinstance(t, Name))
    element: Expr = names[0]
    for name in names[1:]:
        element = Apply(PAIR, (element, name))
    old = Replacement({t.text: Before(t.text) for t in names}).in_expression(set_)
    return sub.BecomesSuch(names, Apply(MEMBER, (element, old), body.span), body.span)


def _assigned(body: Substitution) -> Iterator[tuple[str, Expr]]:
    """Yield the variables that `body` assigns whatever happens, with what they become."""
    match body:
        case sub.Assign(targets, values):
            for target, value in zip(targets, values, strict=True):
                if isinstance(target, Name):
                    yield target.text, value
        case sub.Parallel(parts):
            for part in parts:
                yield from _assigned(part)
        case _:
            pass


def _with(condition: Expr, demands: Collection[Expr]) -> Expr:
    if not demands:
        return condition
    return conjunction((*conjuncts(condition), *demands), condition.span)
