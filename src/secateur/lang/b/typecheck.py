"""Typing a whole project: from untyped components to a flat, typed model's parts."""

from __future__ import annotations

from collections.abc import Mapping

from secateur.lang import model
from secateur.lang.b.ast import Component, FreeTypeDeclaration, Operation
from secateur.lang.b.declarations import Declarations, declarations, variables
from secateur.lang.b.resolve import Instance, Project
from secateur.maths.ast import Apply, Binder, Expr, Name
from secateur.maths.infer import Inference
from secateur.maths.infer_elaborate import elaborate, elaborate_substitution
from secateur.maths.infer_findings import Scope
from secateur.maths.infer_substitution import Context, OperationTypes, SubstitutionTyping
from secateur.maths.operators.comparison import EQUAL
from secateur.maths.substitution import Substitution
from secateur.maths.types import Given, Power, Type, relation
from secateur.source import Span
from secateur.source.records import dataclass


@dataclass(frozen=True)
class TypedInstance:
    """An instance with every formula elaborated."""

    instance: Instance
    properties: tuple[Expr, ...]
    invariant: Expr | None
    assertions: tuple[Expr, ...]
    initialisation: Substitution | None
    operations: Mapping[str, model.Operation]


@dataclass(frozen=True)
class Typed:
    """A project with all types known."""

    declared: Declarations
    scope: Scope
    """Every declared name with its type."""
    freetypes: tuple[model.FreeType, ...]
    instances: Mapping[str, TypedInstance]


def typecheck(project: Project) -> Typed:
    """Find all types; raise InputError with everything that does not fit."""
    return _Typing(project).run()


class _Typing:
    def __init__(self, project: Project) -> None:
        self.project = project
        self.declared = declarations(project)
        self.inference = Inference()
        self.inference.also = project.main.definitions.table
        self.substitutions = SubstitutionTyping(self.inference)
        self.scope: dict[str, Type] = {}
        self.local: dict[int, dict[str, Type]] = {}
        """Per operation (by identity of its declaration) the types of parameters and results."""
        self.signatures: dict[str, OperationTypes] = {}
        self.values: dict[str, list[Expr]] = {}

    def run(self) -> Typed:
        """Do both passes."""
        self._declare()
        ordered = [*self._abstract(), *self._concrete()]
        for instance in ordered:
            self._declare_operations(instance)
        for instance in ordered:
            self._check(instance)
        self.inference.settle()
        scope = self._ground_scope()
        typed = {i.key: self._elaborated(i) for i in self.project.instances}
        freetypes = tuple(map(self._freetype, self.declared.freetypes.values()))
        self.inference.finish()
        return Typed(self.declared, scope, freetypes, typed)

    def _abstract(self) -> list[Instance]:
        return [i for i in self.project.instances if i.key in self.project.abstract_only]

    def _concrete(self) -> list[Instance]:
        return [i for i in self.project.instances if i.key not in self.project.abstract_only]

    # Declarations

    def _declare(self) -> None:
        for name, declaration in self.declared.sets.items():
            self.scope[name] = Power(Given(name))
            self.scope.update((e.text, Given(name)) for e in declaration.elements or ())
        for name in self.declared.freetypes:
            self.scope[name] = Power(Given(name))
        for table in (
            self.declared.constants,
            self.declared.variables,
            self.declared.abstract_variables,
        ):
            self.scope.update((name, self.inference.types.fresh()) for name in table)
        self._declare_constructors()

    def _declare_constructors(self) -> None:
        for name, freetype in self.declared.freetypes.items():
            for constructor in freetype.constructors:
                if constructor.argument is None:
                    self.scope[constructor.name] = Given(name)
                else:
                    argument = self.inference.types.fresh()
                    self.scope[constructor.name] = relation(argument, Given(name))
                    self.inference.expect(
                        constructor.argument, Power(argument), self.scope, constructor.name
                    )

    def _declare_operations(self, instance: Instance) -> None:
        component = instance.component
        for operation in (*component.local_operations, *component.operations):
            fresh = {
                name.text: self.inference.types.fresh()
                for name in (*operation.parameters, *operation.results)
            }
            self.local[id(operation)] = dict(fresh)
            types = OperationTypes(
                tuple(fresh[n.text] for n in operation.parameters),
                tuple(fresh[n.text] for n in operation.results),
            )
            self._same_as_before(operation, types)
            self.signatures[operation.name] = types

    def _same_as_before(self, operation: Operation, types: OperationTypes) -> None:
        """Take over the types of the operation that this one refines or implements."""
        earlier = self.signatures.get(operation.name)
        if earlier is None:
            return
        unify = self.inference.types.unify
        for old, new in zip(earlier.parameters, types.parameters, strict=False):
            unify(old, new, operation.span)
        for old, new in zip(earlier.results, types.results, strict=False):
            unify(old, new, operation.span)

    # First pass

    def _check(self, instance: Instance) -> None:
        component = instance.component
        predicates = [
            ("CONSTRAINTS", component.constraints),
            ("PROPERTIES", component.properties),
            ("INVARIANT", component.invariant),
            *(("ASSERTIONS", a) for a in component.assertions),
        ]
        for clause, predicate in predicates:
            if predicate is not None:
                self.inference.predicate(predicate, self.scope, clause)
        self.values[instance.key] = [_equation(n, e) for n, e in component.values]
        for equation in self.values[instance.key]:
            self.inference.predicate(equation, self.scope, "VALUES")
        context = self._context(component)
        if component.initialisation is not None:
            self.substitutions.check(component.initialisation, context)
        for operation in (*component.local_operations, *component.operations):
            self._check_operation(operation, context)

    def _context(self, component: Component) -> Context:
        own = frozenset(n.text for n in variables(component))
        return Context(self.scope, own, self.signatures)

    def _check_operation(self, operation: Operation, context: Context) -> None:
        local = self.local[id(operation)]
        results = frozenset(n.text for n in operation.results)
        parameters = frozenset(n.text for n in operation.parameters)
        assignable = (context.assignable - parameters) | results
        inner = Context({**self.scope, **local}, assignable, self.signatures)
        self.substitutions.check(operation.body, inner)

    # Second pass

    def _ground_scope(self) -> Scope:
        places = {
            **self.declared.constants,
            **self.declared.variables,
            **self.declared.abstract_variables,
        }
        for name, span in places.items():
            self.scope[name] = self.inference.ground(name, self.scope[name], span)
        return {name: self.inference.types.resolve(t) for name, t in self.scope.items()}

    def _elaborated(self, instance: Instance) -> TypedInstance:
        component = instance.component
        found = (component.constraints, component.properties)
        properties = [p for p in found if p is not None] + self.values[instance.key]
        return TypedInstance(
            instance,
            tuple(map(self._expression, properties)),
            None if component.invariant is None else self._expression(component.invariant),
            tuple(map(self._expression, component.assertions)),
            None
            if component.initialisation is None
            else elaborate_substitution(component.initialisation, self.inference),
            {
                o.name: self._operation(o)
                for o in (*component.local_operations, *component.operations)
            },
        )

    def _expression(self, e: Expr) -> Expr:
        return elaborate(e, self.inference)

    def _operation(self, operation: Operation) -> model.Operation:
        local = self.local[id(operation)]

        def binders(names: tuple[Name, ...]) -> tuple[Binder, ...]:
            return tuple(self._binder(n.text, local[n.text], n.span) for n in names)

        return model.Operation(
            operation.name,
            binders(operation.parameters),
            binders(operation.results),
            elaborate_substitution(operation.body, self.inference),
            operation.span,
        )

    def _binder(self, name: str, type_: Type, span: Span) -> Binder:
        return Binder(name, self.inference.ground(name, type_, span), span)

    def _freetype(self, declaration: FreeTypeDeclaration) -> model.FreeType:
        constructors = tuple(
            (c.name, None if c.argument is None else self._expression(c.argument))
            for c in declaration.constructors
        )
        return model.FreeType(declaration.name, constructors, declaration.span)


def _equation(name: Name, value: Expr) -> Expr:
    return Apply(EQUAL, (name, value), name.span + value.span)
