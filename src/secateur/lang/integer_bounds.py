"""Whether a model's meaning depends on MAXINT and MININT."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from secateur.lang.model import Model
from secateur.maths.ast import Apply, Expr, walk
from secateur.maths.substitution import Substitution, children, rebuild

_BOUNDED: Final = frozenset({"INT", "NAT", "NAT1", "MAXINT", "MININT"})


def integer_bounds(model: Model) -> tuple[str, ...]:
    """Return the assumption that is made where nobody states the bounds of INT and NAT."""
    if "MAXINT" in model.preferences or not any(map(_uses_bounds, _formulas(model))):
        return ()
    settings = model.settings
    return (f"MAXINT = {settings.maxint} and MININT = {settings.minint} bound INT and NAT",)


def _uses_bounds(e: Expr) -> bool:
    return any(
        isinstance(node, Apply) and not node.args and str(node.operator) in _BOUNDED
        for node in walk(e)
    )


def _formulas(model: Model) -> Iterator[Expr]:
    for named in (*model.properties, *model.invariants, *model.assertions):
        yield named.predicate
    if model.ends is not None:
        yield model.ends
    for body in (model.initialisation, *(o.body for o in model.callable.values())):
        yield from _of_substitution(body)


def _of_substitution(s: Substitution) -> Iterator[Expr]:
    found: list[Expr] = []

    def note(e: Expr) -> Expr:
        found.append(e)
        return e

    rebuild(s, note, lambda inner: inner)
    yield from found
    for inner in children(s):
        yield from _of_substitution(inner)
