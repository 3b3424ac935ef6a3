"""Axioms that range over a named interval, with the interval put in.

`n = 0 .. max` and `x : n` say that `x : 0 .. max`: bounds that a search for values needs
and does not see through the name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from secateur.lang.b.facts import all_conjuncts
from secateur.lang.eventb.ast import Predicate
from secateur.lang.model import Property
from secateur.maths.ast import Apply, Expr, Name, free_names
from secateur.maths.operators.comparison import EQUAL, MEMBER
from secateur.maths.operators.sets import INTERVAL
from secateur.maths.replace import Replacement


def bounded(axioms: Sequence[tuple[str, Predicate]]) -> Iterator[Property]:
    """Yield what the axioms (with the names of their contexts) say of named intervals."""
    named = _named_intervals([a.predicate for _, a in axioms])
    if not named:
        return
    put = Replacement(named)
    for where, axiom in axioms:
        for part in all_conjuncts([axiom.predicate]):
            match part:
                case Apply(operator, (element, set_)) if operator is MEMBER:
                    if free_names(set_) & named.keys():
                        predicate = Apply(MEMBER, (element, put.in_expression(set_)), part.span)
                        yield Property(f"{where}.{axiom.label}", predicate)
                case _:
                    pass


def _named_intervals(axioms: Sequence[Expr]) -> dict[str, Expr]:
    found: dict[str, Expr] = {}
    for part in all_conjuncts(axioms):
        match part:
            case Apply(op, (Name(name), Apply(interval, _) as value)) if (
                op is EQUAL and interval is INTERVAL and name not in free_names(value)
            ):
                found[name] = value
    return found
