"""Properties of states, compiled for the evaluator."""

from __future__ import annotations

from dataclasses import dataclass

from secateur.lang.model import Property
from secateur.maths.ast import Expr, Forall, Labelled
from secateur.maths.evaluate.binding import counterexample
from secateur.maths.evaluate.compiler import Compiler
from secateur.maths.evaluate.environment import Code, late
from secateur.system.system import PropertyKind


@dataclass(frozen=True, slots=True, eq=False)
class CompiledProperty:
    """A property, its code, and the code that finds values for which it fails."""

    kind: PropertyKind
    name: str
    predicate: Expr
    code: Code
    witness: Code
    """Finds values of the quantified identifiers for which the property fails."""


def _witness(scope: Compiler, e: Expr) -> Code:
    while isinstance(e, Labelled):
        e = e.body
    if not isinstance(e, Forall):
        return lambda env: ()
    quantified = e
    return late(scope, lambda: counterexample(scope, quantified))


def compiled_property(scope: Compiler, kind: PropertyKind, p: Property) -> CompiledProperty:
    """Return a property with its code."""
    witness = _witness(scope, p.predicate)
    return CompiledProperty(kind, p.name, p.predicate, scope.code(p.predicate), witness)
