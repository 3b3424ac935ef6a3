"""What convergent and anticipated events promise about the variant."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from secateur.lang.eventb.actions import after, equal
from secateur.lang.eventb.ast import Convergence
from secateur.lang.eventb.typecheck import TypedEvent, TypedMachine, TypedVariant
from secateur.lang.model import Obligation
from secateur.maths.ast import And, Apply, Expr, Number, Or
from secateur.maths.operators.comparison import STRICT_SUBSET
from secateur.maths.operators.integers import GREATER_EQUAL, LESS
from secateur.system.system import PropertyKind

_SETTLED: Final = frozenset({Convergence.CONVERGENT, Convergence.ORDINARY})


def variant_obligations(
    machine: TypedMachine, event: TypedEvent, changed: frozenset[str]
) -> Iterator[Obligation]:
    """Yield what `event` promises about the variants of its machine.

    Only an event that is new or refines anticipated events has anything left to promise.
    """
    convergence = event.event.convergence
    if convergence is Convergence.ORDINARY or not machine.variants:
        return
    if any(e.event.convergence in _SETTLED for e in event.refines):
        return
    strict = convergence is Convergence.CONVERGENT
    predicate = _smaller(machine.variants, changed, strict=strict)
    promise = "decreases" if strict else "does not increase"
    name = f"{event.machine}.{event.event.name} {promise} the variant"
    yield Obligation(PropertyKind.VARIANT, name, predicate)


def _smaller(variants: Sequence[TypedVariant], changed: frozenset[str], *, strict: bool) -> Expr:
    """Return that the first of `variants` that changes decreases; unless `strict`, none may."""
    first, rest = variants[0], variants[1:]
    span = first.expression.span
    decreased = _decreased(first, changed)
    if not rest and strict:
        return decreased
    same = equal(after(first.expression, changed), first.expression, span)
    if not rest:
        return Or((decreased, same), span)
    return Or((decreased, And((same, _smaller(rest, changed, strict=strict)), span)), span)


def _decreased(variant: TypedVariant, changed: frozenset[str]) -> Expr:
    old = variant.expression
    new = after(old, changed)
    if variant.is_set:
        return Apply(STRICT_SUBSET, (new, old), old.span)
    natural = Apply(GREATER_EQUAL, (old, Number(0)), old.span)
    return And((natural, Apply(LESS, (new, old), old.span)), old.span)
