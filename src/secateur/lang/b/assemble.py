"""From a typed project to the flat model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from secateur.lang import model
from secateur.lang.b.carriers import Settler, Sizes, is_declaration, symmetry, symmetry_notes
from secateur.lang.b.checks import check_bodies
from secateur.lang.b.preferences import preference_notes, settings_of
from secateur.lang.b.resolve import Instance, Project
from secateur.lang.b.specials import collect, preferences
from secateur.lang.b.typecheck import Typed, TypedInstance
from secateur.lang.model import Model, Property
from secateur.lang.options import LoadOptions
from secateur.lang.readwrite import of_operation
from secateur.lang.texts import texts_in
from secateur.maths.ast import Binder, Expr, Labelled, conjuncts, free_names
from secateur.maths.infer_findings import Scope
from secateur.maths.substitution import Sequential, Skip, Substitution
from secateur.source import Span


def assemble(project: Project, typed: Typed, options: LoadOptions) -> Model:
    """Return the model that `project` describes."""
    specials = collect(project.main.definitions, typed.scope)
    wanted = preferences(specials, options.preferences)
    settings = settings_of(wanted)
    parts = _Parts(project, typed)
    sizes = Sizes(options.set_sizes, specials.definitions, wanted, settings)
    settler = Settler(typed.declared, typed.scope, parts.all_properties, sizes)
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
        (*_properties(parts.all_properties, named), *symmetry(found)),
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
            f"'{p.name}' relates to the abstraction, which is not explored"
            for p in (*glue, *others)
        ),
    )
    return replace(model_, settings=replace(settings, texts=texts_in(model_)))


class _Parts:
    """The clauses of all instances, gathered."""

    def __init__(self, project: Project, typed: Typed) -> None:
        self.project = project
        self.gone = frozenset(typed.declared.abstract_variables)
        self.concrete = [
            t for key, t in typed.instances.items() if key not in project.abstract_only
        ]
        self.everything = list(typed.instances.values())
        self.main = typed.instances[project.main.key]
        self.by_key = typed.instances
        self.all_properties = [p for t in self.everything for p in t.properties]

    def split(
        self, predicates: Iterable[Expr]
    ) -> tuple[tuple[Property, ...], tuple[Property, ...]]:
        """Return the properties of the model itself, and those about an abstraction's variables."""
        found = _properties(predicates)
        own = tuple(p for p in found if not self._is_about_abstraction(p.predicate))
        return own, tuple(p for p in found if self._is_about_abstraction(p.predicate))

    def _is_about_abstraction(self, predicate: Expr) -> bool:
        return bool(self.gone and self.gone & free_names(predicate))

    def initialisation(self) -> Substitution:
        """Return the initialisations of all instances, included ones first."""
        bodies = [t.initialisation for t in self.concrete if t.initialisation is not None]
        match bodies:
            case []:
                return Skip(self.project.main.component.span)
            case [only]:
                return only
            case _:
                return Sequential(tuple(bodies), bodies[-1].span)

    def callable(self) -> Mapping[str, model.Operation]:
        """Return every operation that can be called, those inherited from abstractions too."""
        found = {name: o for t in self.concrete for name, o in t.operations.items()}
        for abstract in self._abstractions():
            for name in abstract.instance.visible:
                operation = self._operation(name)
                if name not in found and operation is not None and self._survives(operation):
                    found[name] = operation
        return found

    def _operation(self, name: str) -> model.Operation | None:
        return next((t.operations[name] for t in self.everything if name in t.operations), None)

    def _survives(self, operation: model.Operation) -> bool:
        """Whether an abstract operation uses nothing that the refinement has given up."""
        everything = {n: o for t in self.everything for n, o in t.operations.items()}
        use = of_operation(operation, everything)
        return not self.gone & (use.reads | use.writes)

    def visible(self, callable_: Mapping[str, model.Operation]) -> tuple[model.Operation, ...]:
        """Return the operations that the model offers.

        Nobody else would call the operations of a machine that is only seen: as ProB
        does, they are offered too.
        """
        names = [*self.main.instance.visible]
        for typed in self.concrete:
            if typed.instance.key not in self.project.owned:
                names.extend(typed.instance.visible)
        for abstract in self._abstractions():
            names.extend(abstract.instance.visible)
        return tuple(callable_[n] for n in dict.fromkeys(names) if n in callable_)

    def _abstractions(self) -> Iterable[TypedInstance]:
        instance: Instance | None = self.project.main.abstraction
        while instance is not None:
            yield self.by_key[instance.key]
            instance = instance.abstraction


def _binders(places: Mapping[str, Span], scope: Scope) -> tuple[Binder, ...]:
    return tuple(Binder(name, scope[name], span) for name, span in places.items())


def _properties(
    predicates: Iterable[Expr], named: Mapping[str, str] | None = None
) -> tuple[Property, ...]:
    """Return the conjuncts; for a constant that is an element of its set, `c : S` says nothing."""
    return tuple(
        Property(_label(c), c)
        for p in predicates
        for c in conjuncts(p)
        if not (named and is_declaration(c, named))
    )


def _label(predicate: Expr) -> str:
    if isinstance(predicate, Labelled):
        return predicate.label
    return " ".join(predicate.span.text.split())


def _notes(project: Project) -> Iterable[str]:
    for instance in project.instances:
        yield from instance.component.notes
        for name in sorted(instance.definitions.printed):
            yield f"{instance.key}: {name} prints nothing here"
