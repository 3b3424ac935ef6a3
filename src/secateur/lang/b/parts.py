"""What a component consists of, with all that it includes and sees: the clauses, gathered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from secateur.lang import model
from secateur.lang.b.carriers import is_declaration
from secateur.lang.b.declarations import variables
from secateur.lang.b.resolve import Instance, Project
from secateur.lang.b.typecheck import Typed, TypedInstance
from secateur.lang.model import Property
from secateur.lang.readwrite import of_operation
from secateur.maths.ast import Expr, Labelled, conjuncts, free_names
from secateur.maths.print import show
from secateur.maths.substitution import Sequential, Skip, Substitution, expressions


class Parts:
    """The clauses of a component and of those that it needs: the main one, or an abstraction."""

    def __init__(self, project: Project, typed: Typed, component: Instance | None = None) -> None:
        self.project = project
        self.component = project.main if component is None else component
        needed = project.needed_by(self.component)
        self.concrete = [t for key, t in typed.instances.items() if key in needed]
        self.variables = frozenset(
            name.text for t in self.concrete for name in variables(t.instance.component)
        )
        declared = typed.declared.variables.keys() | typed.declared.abstract_variables.keys()
        self.gone = declared - self.variables
        self.everything = list(typed.instances.values())
        self.main = typed.instances[self.component.key]
        self.by_key = typed.instances
        self.all_properties = [p for t in self.everything for p in t.properties]

    def all_formulas(self) -> Iterator[Expr]:
        """Yield every formula of the model and of its abstractions."""
        yield from self.all_properties
        for typed in self.everything:
            if typed.invariant is not None:
                yield typed.invariant
            yield from typed.assertions
            if typed.initialisation is not None:
                yield from expressions(typed.initialisation)
            for operation in typed.operations.values():
                yield from expressions(operation.body)

    def split(
        self, predicates: Iterable[Expr]
    ) -> tuple[tuple[Property, ...], tuple[Property, ...]]:
        """Return the properties of the model itself, and those about an abstraction's variables."""
        found = properties_in(predicates)
        own = tuple(p for p in found if not self._is_about_abstraction(p.predicate))
        return own, tuple(p for p in found if self._is_about_abstraction(p.predicate))

    def _is_about_abstraction(self, predicate: Expr) -> bool:
        return bool(self.gone and self.gone & free_names(predicate))

    def initialisation(self) -> Substitution:
        """Return the initialisations of all instances, included ones first."""
        bodies = [t.initialisation for t in self.concrete if t.initialisation is not None]
        match bodies:
            case []:
                return Skip(self.component.component.span)
            case [only]:
                return only
            case _:
                return Sequential(tuple(bodies), bodies[-1].span)

    def callable(self) -> Mapping[str, model.Operation]:
        """Return every operation that can be called, those inherited from abstractions too."""
        found = {name: o for t in self.concrete for name, o in t.operations.items()}
        for abstract in self._abstractions():
            for name in abstract.instance.visible:
                operation = self._operation(name, abstract.instance)
                if name not in found and operation is not None and self._survives(operation):
                    found[name] = operation
        return found

    def _operation(self, name: str, abstraction: Instance) -> model.Operation | None:
        needed = self.project.needed_by(abstraction)
        offering = (t for key, t in self.by_key.items() if key in needed and name in t.operations)
        return next((t.operations[name] for t in offering), None)

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

    def _abstractions(self) -> Iterator[TypedInstance]:
        instance = self.component.abstraction
        while instance is not None:
            yield self.by_key[instance.key]
            instance = instance.abstraction


def properties_in(
    predicates: Iterable[Expr], named: Mapping[str, str] | None = None
) -> tuple[Property, ...]:
    """Return the conjuncts; for a constant that is an element of its set, `c : S` says nothing."""
    found = [
        Property(_label(c), c)
        for p in predicates
        for c in conjuncts(p)
        if not (named and is_declaration(c, named))
    ]
    # A machine that is included twice says the same of different variables.
    places = Counter((p.name, p.predicate.span) for p in found)
    return tuple(
        p if places[p.name, p.predicate.span] == 1 else replace(p, name=show(p.predicate))
        for p in found
    )


def _label(predicate: Expr) -> str:
    if isinstance(predicate, Labelled):
        return predicate.label
    return " ".join(predicate.span.text.split())
