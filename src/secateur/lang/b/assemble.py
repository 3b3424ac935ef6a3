"""From a typed project to the flat model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from secateur.lang.b.carriers import Settler, Sizes, symmetry, symmetry_notes
from secateur.lang.b.checks import check_bodies
from secateur.lang.b.parts import Parts, properties_in
from secateur.lang.b.preferences import preference_notes, settings_of
from secateur.lang.b.resolve import Project
from secateur.lang.b.specials import collect, preferences
from secateur.lang.b.typecheck import Typed
from secateur.lang.model import Model
from secateur.lang.options import LoadOptions
from secateur.lang.seeing import seeing
from secateur.lang.texts import texts_in
from secateur.maths.ast import Binder
from secateur.maths.infer_findings import Scope
from secateur.source import Span


def assemble(project: Project, typed: Typed, options: LoadOptions) -> Model:
    """Return the model that `project` describes."""
    specials = collect(project.main.definitions, typed.scope)
    wanted = preferences(specials, options.preferences)
    settings = settings_of(wanted)
    parts = Parts(project, typed)
    sizes = Sizes(options.set_sizes, specials.definitions, wanted, settings)
    goal = specials.definitions.get("GOAL")
    formulas = [*parts.all_formulas(), *([] if goal is None else [goal])]
    told_apart = any(True for e in formulas for _ in seeing(e))
    settler = Settler(
        typed.declared, typed.scope, parts.all_properties, sizes, told_apart=told_apart
    )
    found = settler.carriers()
    named = {constant: c.set.name for c in found for constant in c.named}
    constants = {n: s for n, s in typed.declared.constants.items() if n not in named}
    callable_ = parts.callable()
    check_bodies([parts.initialisation()], callable_)
    invariants, glue = parts.split(t.invariant for t in parts.everything if t.invariant)
    assertions, others = parts.split(a for t in parts.everything for a in t.assertions)
    model_ = Model(
        project.main.component.name,
        tuple(c.set for c in found),
        typed.freetypes,
        _binders(constants, typed.scope),
        (*properties_in(parts.all_properties, named), *symmetry(found)),
        _binders(typed.declared.variables, typed.scope),
        invariants,
        assertions,
        parts.initialisation(),
        parts.visible(callable_),
        callable_,
        specials.definitions,
        settings,
        wanted,
        (
            *specials.notes,
            *settler.notes(),
            *symmetry_notes(found),
            *_notes(project),
            *preference_notes(wanted),
        ),
        tuple(c.assumption for c in found if c.assumption is not None),
        project.main.definitions.expression,
        unchecked=tuple(
            f"'{p.name}' relates to the abstraction, which is not explored; `secateur refine` does"
            for p in (*glue, *others)
        ),
    )
    return replace(model_, settings=replace(settings, texts=texts_in(model_)))


def _binders(places: Mapping[str, Span], scope: Scope) -> tuple[Binder, ...]:
    return tuple(Binder(name, scope[name], span) for name, span in places.items())


def _notes(project: Project) -> Iterable[str]:
    for instance in project.instances:
        yield from instance.component.notes
        for name in sorted(instance.definitions.printed):
            yield f"{instance.key}: {name} prints nothing here"
