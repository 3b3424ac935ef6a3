"""Properties of states, compiled for the evaluator."""

from __future__ import annotations

from collections.abc import Iterator

from secateur.lang.model import Property
from secateur.maths.ast import Expr, Forall, Labelled
from secateur.maths.evaluate.binding import counterexample
from secateur.maths.evaluate.compiler import Compiler
from secateur.maths.evaluate.effort import Pool
from secateur.maths.evaluate.environment import Code, Env, late
from secateur.maths.values import IllDefined, Undecided, Value
from secateur.source.records import dataclass
from secateur.system.system import Breach, Fault, Gap, PropertyKind


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


def breach_of(each: CompiledProperty, env: Env, pool: Pool) -> Iterator[Breach | Fault | Gap]:
    """Yield what is wrong with a property."""
    wanted = each.kind is not PropertyKind.GOAL
    try:
        with pool:
            holds = bool(each.code(env))
    except IllDefined as error:
        yield Fault(each.name, error.message, error.span or each.predicate.span)
    except Undecided as error:
        yield Gap(each.name, error.what)
    else:
        if holds is not wanted:
            witness = _some_witness(each, env) if wanted else ()
            yield Breach(each.kind, each.name, each.predicate.span, witness)


def _some_witness(violated: CompiledProperty, env: Env) -> tuple[tuple[str, Value], ...]:
    """Return the witness; none where the search for it fails, since the violation is certain."""
    try:
        found: tuple[tuple[str, Value], ...] = violated.witness(env)
    except (IllDefined, Undecided):
        return ()
    return found


def holds_for_sure(code: Code, env: Env, pool: Pool) -> bool:
    """Whether a predicate holds; not where it has no value or that is not found out."""
    try:
        with pool:
            return bool(code(env))
    except (IllDefined, Undecided):
        return False
