"""Executing a substitution where its outcome is known: choices that cannot lead there are not made.

To match an outcome of a refinement, all outcomes of the abstraction could be listed and
compared.  There may be very many, or no end of them: `x :: NATURAL`.  What x must become
is known, so `x :: S` need only be asked whether that is an element of S.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from secateur.maths import substitution as sub
from secateur.maths.ast import And, Apply, Expr, Name, conjunction, conjuncts
from secateur.maths.operators.comparison import EQUAL, MEMBER
from secateur.maths.substitution import Substitution

Outcome = Mapping[str, str]
"""By the name of a variable, the name of the value that it must end with."""


def towards(body: Substitution, outcome: Outcome) -> Substitution:
    """Return a substitution that has those outcomes of `body` that agree with `outcome`.

    It may have others: they are left out only where that is easy.
    """
    match body:
        case sub.BecomesElement((Name(text),), set_) if text in outcome:
            wanted = Name(outcome[text], body.span)
            condition = Apply(MEMBER, (wanted, set_), body.span)
            assign = sub.Assign(body.targets, (wanted,), body.span)
            return sub.Select((sub.Branch(condition, assign, body.span),), None, body.span)
        case sub.BecomesSuch(targets, condition):
            demands = [_equal(t, outcome[t.text]) for t in targets if t.text in outcome]
            whole = conjunction((*demands, *conjuncts(condition)), condition.span)
            return sub.BecomesSuch(targets, whole, body.span)
        case sub.AnyWhere(binders, condition, inner):
            seen = _without(outcome, body)
            demands = [_equal(e, seen[x]) for x, e in _assigned(inner) if x in seen]
            whole = And((condition, *demands), condition.span) if demands else condition
            return sub.AnyWhere(binders, whole, towards(inner, seen), body.span)
        case sub.Sequential(parts):
            # What comes before the last part may still be overwritten.
            return sub.Sequential((*parts[:-1], towards(parts[-1], outcome)), body.span)
        case sub.While():
            return body
        case _:
            seen = _without(outcome, body)
            return sub.rebuild(body, lambda e: e, lambda part: towards(part, seen))


def _without(outcome: Outcome, body: Substitution) -> Outcome:
    """Return what is known of variables that `body` does not hide."""
    if not isinstance(body, sub.AnyWhere | sub.LetBe | sub.VarIn):
        return outcome
    hidden = {b.name for b in body.binders}
    return {x: value for x, value in outcome.items() if x not in hidden}


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


def _equal(e: Expr, name: str) -> Expr:
    return Apply(EQUAL, (e, Name(name, e.span)), e.span)
