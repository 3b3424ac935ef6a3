"""From a typed chain of components to the flat model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from secateur.lang.b.ast import SetDeclaration
from secateur.lang.b.carriers import (
    Settler,
    Sizes,
    symmetry,
    symmetry_notes,
)
from secateur.lang.b.declarations import Declarations
from secateur.lang.b.preferences import canonical, preference_notes, settings_of
from secateur.lang.eventb.ast import INITIALISATION, Predicate
from secateur.lang.eventb.closures import closures
from secateur.lang.eventb.enumerations import only_names
from secateur.lang.eventb.flatten import Flattening, initialisation
from secateur.lang.eventb.intervals import bounded
from secateur.lang.eventb.pointwise import pointwise
from secateur.lang.eventb.resolve import Chain
from secateur.lang.eventb.typecheck import Typed
from secateur.lang.model import Level, Model, Operation, Property, Words
from secateur.lang.options import LoadOptions
from secateur.lang.simulation import Refining
from secateur.maths.ast import Binder, Labelled
from secateur.maths.infer_findings import Scope
from secateur.maths.substitution import Skip, Substitution
from secateur.source import NOWHERE, Span


def assemble(
    chain: Chain, typed: Typed, options: LoadOptions, notes: tuple[str, ...] = ()
) -> Model:
    """Return the model that `chain` describes."""
    wanted = canonical(options.preferences)
    settings = settings_of(wanted)
    axioms = pointwise([(where, a) for where, a in typed.axioms if not a.theorem])
    sizes = Sizes(options.set_sizes, {}, wanted, settings)
    properties = [a.predicate for _, a in axioms]
    found = Settler(_as_declarations(typed), typed.scope, properties, sizes).carriers()
    named = {constant: c.set.name for c in found for constant in c.named}
    sets = {c.set.name: c.set for c in found}
    constants = {n: s for n, s in typed.declared.constants.items() if n not in named}
    start, above, operations = behaviour(typed)
    return Model(
        chain.name,
        tuple(sets.values()),
        (),
        _binders(constants, typed.scope),
        (
            *(
                _property(where, a)
                for where, a in axioms
                if not only_names(a.predicate, named, sets)
            ),
            *symmetry(found),
            *closures(properties),
            *bounded(axioms),
        ),
        _binders(typed.declared.variables, typed.scope),
        tuple(_property(where, i) for where, i in _invariants(typed) if not i.theorem),
        tuple(
            _property(where, t) for where, t in (*typed.axioms, *_invariants(typed)) if t.theorem
        ),
        start,
        operations,
        {},
        settings=settings,
        preferences=wanted,
        notes=(
            *notes,
            *chain.notes,
            *symmetry_notes(found),
            *preference_notes(wanted),
        ),
        assumptions=tuple(c.assumption for c in found if c.assumption is not None),
        initial_levels=above,
        components=(
            *(f"machine {m.name}" for m in reversed(chain.machines)),
            *(f"context {c.name}" for c in reversed(chain.contexts)),
        ),
        words=Words("the axioms", "axiom"),
        companion=Refining(),
    )


def _as_declarations(typed: Typed) -> Declarations:
    sets = {n: SetDeclaration(n, None, span) for n, span in typed.declared.sets.items()}
    return Declarations(sets=sets, constants=typed.declared.constants)


def _invariants(typed: Typed) -> Iterator[tuple[str, Predicate]]:
    for machine in typed.machines:
        for invariant in machine.invariants:
            yield machine.machine.name, invariant


def _property(where: str, each: Predicate) -> Property:
    predicate = Labelled(each.label, each.predicate, each.predicate.span)
    return Property(f"{where}.{each.label}", predicate)


def _binders(places: Mapping[str, Span], scope: Scope) -> tuple[Binder, ...]:
    return tuple(Binder(name, scope[name], span) for name, span in places.items())


def behaviour(
    typed: Typed,
) -> tuple[Substitution, tuple[Level, ...], tuple[Operation, ...]]:
    """Return the initialisation, those that it refines, and the operations."""
    if not typed.machines:
        return Skip(NOWHERE), (), ()
    flattening = Flattening(typed)
    events = typed.machines[-1].events
    operations = tuple(
        flattening.operation(e) for name, e in events.items() if name != INITIALISATION
    )
    start = events.get(INITIALISATION)
    if start is None:
        return Skip(typed.machines[-1].machine.span), (), operations
    return initialisation(start), flattening.initial_levels(start), operations
