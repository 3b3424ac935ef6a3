"""From a typed chain of components to the flat model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from secateur.lang.b.ast import SetDeclaration
from secateur.lang.b.carriers import (
    Settler,
    Sizes,
    is_declaration,
    symmetry,
    symmetry_notes,
)
from secateur.lang.b.declarations import Declarations
from secateur.lang.b.preferences import preference_notes, settings_of
from secateur.lang.eventb.ast import INITIALISATION, Predicate
from secateur.lang.eventb.flatten import Flattening, initialisation
from secateur.lang.eventb.resolve import Chain
from secateur.lang.eventb.typecheck import Typed
from secateur.lang.model import Level, Model, Operation, Property
from secateur.lang.options import LoadOptions
from secateur.maths.ast import Apply, Binder, Expr, Labelled, Name, SetDisplay, conjuncts
from secateur.maths.infer_findings import Scope
from secateur.maths.operators.sets import PARTITION
from secateur.maths.substitution import Skip, Substitution
from secateur.source import NOWHERE, Span


def assemble(
    chain: Chain, typed: Typed, options: LoadOptions, notes: tuple[str, ...] = ()
) -> Model:
    """Return the model that `chain` describes."""
    settings = settings_of(options.preferences)
    axioms = [(where, a) for where, a in typed.axioms if not a.theorem]
    sizes = Sizes(options.set_sizes, {}, options.preferences, settings)
    properties = [a.predicate for _, a in axioms]
    found = Settler(_as_declarations(typed), typed.scope, properties, sizes).carriers()
    named = {constant: c.set.name for c in found for constant in c.named}
    constants = {n: s for n, s in typed.declared.constants.items() if n not in named}
    start, above, operations = _behaviour(typed)
    return Model(
        chain.name,
        tuple(c.set for c in found),
        (),
        _binders(constants, typed.scope),
        (
            *(_property(where, a) for where, a in axioms if not _only_declares(a.predicate, named)),
            *symmetry(found),
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
        preferences=options.preferences,
        notes=(*notes, *symmetry_notes(found), *preference_notes(options.preferences)),
        assumptions=tuple(c.assumption for c in found if c.assumption is not None),
        initial_levels=above,
        setup_counts=False,
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


def _only_declares(axiom: Expr, named: Mapping[str, str]) -> bool:
    """Whether an axiom only says what the elements of sets are called."""
    return all(
        is_declaration(part, named) or _is_enumeration(part, named) for part in conjuncts(axiom)
    )


def _is_enumeration(axiom: Expr, named: Mapping[str, str]) -> bool:
    """Whether `axiom` is `partition(S, {a}, {b}, ...)` with the elements' own names."""
    match axiom:
        case Apply(operator, (Name(set_), *parts)) if operator is PARTITION:
            return all(
                isinstance(part, SetDisplay)
                and len(part.items) == 1
                and isinstance(part.items[0], Name)
                and named.get(part.items[0].text) == set_
                for part in parts
            )
        case _:
            return False


def _binders(places: Mapping[str, Span], scope: Scope) -> tuple[Binder, ...]:
    return tuple(Binder(name, scope[name], span) for name, span in places.items())


def _behaviour(
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
