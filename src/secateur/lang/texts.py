"""The strings that a model speaks of."""

from __future__ import annotations

from secateur.lang.model import Model
from secateur.maths.ast import Expr, Text, walk
from secateur.maths.substitution import Substitution, rebuild


def texts_in(model: Model) -> tuple[str, ...]:
    """Return the string literals of a model, each once, in order of their first use."""
    found: dict[str, None] = {}

    def expression(e: Expr) -> Expr:
        found.update((part.value, None) for part in walk(e) if isinstance(part, Text))
        return e

    def substitution(s: Substitution) -> Substitution:
        return rebuild(s, expression, substitution)

    for each in (*model.properties, *model.invariants, *model.assertions):
        expression(each.predicate)
    substitution(model.initialisation)
    for operation in model.operations:
        substitution(operation.body)
    return tuple(found)
