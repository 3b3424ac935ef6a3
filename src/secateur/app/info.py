"""What there is to say about a model without running it."""

from __future__ import annotations

from collections.abc import Iterable

from secateur.lang.model import Model, Operation, Property
from secateur.lang.readwrite import of_operation
from secateur.lang.symmetry.findings import find_symmetry
from secateur.maths.ast import Binder, free_names
from secateur.report.overview import NameOverview, OperationOverview, Overview, SetOverview


def overview(model: Model) -> Overview:
    """Return sets, constants, variables and operations with their types, reads and writes."""
    return Overview(
        model=model.name,
        components=model.components or _components(model),
        sets=_sets(model),
        constants=tuple(_name(c, model.properties) for c in model.constants),
        variables=tuple(_name(v, model.invariants) for v in model.variables),
        operations=tuple(_operation(o, model) for o in model.operations),
        invariants=tuple(p.name for p in model.invariants),
        assertions=tuple(p.name for p in model.assertions),
        assumptions=model.assumptions,
        notes=model.notes,
    )


def _sets(model: Model) -> tuple[SetOverview, ...]:
    found = {finding.name: finding for finding in find_symmetry(model).findings}
    return tuple(
        SetOverview(s.name, s.elements, s.enumerated)
        if s.name not in found
        else SetOverview(
            s.name, s.elements, s.enumerated, found[s.name].free, found[s.name].reasons
        )
        for s in model.sets
    )


def _components(model: Model) -> tuple[str, ...]:
    """Return the files whose text the model is made of, the one asked for first."""
    spans = [
        *(o.span for o in model.operations),
        *(o.span for o in model.callable.values()),
        *(s.span for s in model.sets),
        *(b.span for b in (*model.constants, *model.variables)),
        model.initialisation.span,
    ]
    return tuple(dict.fromkeys(span.source.name for span in spans if span.source.text))


def _name(binder: Binder, constraints: Iterable[Property]) -> NameOverview:
    mentioned = (p.name for p in constraints if binder.name in free_names(p.predicate))
    return NameOverview(binder.name, str(binder.type), tuple(mentioned))


def _operation(operation: Operation, model: Model) -> OperationOverview:
    sets = of_operation(operation, model.callable)
    declared = [b.name for b in (*model.constants, *model.variables)]
    return OperationOverview(
        name=operation.name,
        parameters=tuple(_name(p, ()) for p in operation.parameters),
        results=tuple(_name(r, ()) for r in operation.results),
        reads=tuple(n for n in declared if n in sets.reads),
        writes=tuple(n for n in declared if n in sets.writes),
    )
