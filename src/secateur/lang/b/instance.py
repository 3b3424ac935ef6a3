"""Rewriting whole components: definitions expanded, parameters put in, names prefixed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Protocol

from secateur.lang.b.ast import Component, Constructor, Operation, Reference
from secateur.lang.b.codes import NOT_A_LIST_OF_NAMES
from secateur.lang.b.definitions import Definitions
from secateur.maths.ast import Apply, Expr, Name
from secateur.maths.operators.relations import PAIR
from secateur.maths.replace import Replacement
from secateur.maths.substitution import Substitution
from secateur.source import fail
from secateur.source.records import dataclass


class Rewriter(Protocol):
    """What happens to the formulas of a component; `hidden` names are local ones."""

    def expression(self, e: Expr, hidden: frozenset[str] = frozenset()) -> Expr:
        """Rewrite an expression or predicate."""

    def substitution(self, s: Substitution, hidden: frozenset[str] = frozenset()) -> Substitution:
        """Rewrite a substitution."""


@dataclass(frozen=True)
class Renaming:
    """Replaces the free names of a component."""

    replacement: Replacement

    def expression(self, e: Expr, hidden: frozenset[str] = frozenset()) -> Expr:
        """Rewrite an expression or predicate."""
        return self.replacement.without(hidden).in_expression(e)

    def substitution(self, s: Substitution, hidden: frozenset[str] = frozenset()) -> Substitution:
        """Rewrite a substitution."""
        return self.replacement.without(hidden).in_substitution(s)


def expanded(component: Component, definitions: Definitions) -> Component:
    """Return `component` with all uses of definitions replaced."""

    def names(declared: tuple[Name, ...]) -> tuple[Name, ...]:
        return tuple(
            n
            for name in declared
            for n in (
                _listed(definitions.expression(name)) if name.text in definitions.table else [name]
            )
        )

    return replace(
        rewritten(component, definitions),
        concrete_constants=names(component.concrete_constants),
        abstract_constants=names(component.abstract_constants),
        concrete_variables=names(component.concrete_variables),
        abstract_variables=names(component.abstract_variables),
        definitions=(),
        definition_files=(),
    )


def _listed(e: Expr) -> list[Name]:
    """Return the names in a list such as `x, y, z` that a definition abbreviates."""
    match e:
        case Name():
            return [e]
        case Apply(operator, args) if operator is PAIR:
            return [name for arg in args for name in _listed(arg)]
        case _:
            raise fail(NOT_A_LIST_OF_NAMES, "a list of identifiers is expected here", e.span)


def renamed(
    component: Component,
    names: Mapping[str, str],
    operations: Mapping[str, str],
    arguments: Mapping[str, Expr],
) -> Component:
    """Return `component` with variables and operations renamed and `arguments` put in."""
    if not (names or operations or arguments):
        return component
    values: dict[str, Expr] = {old: Name(new) for old, new in names.items()}
    values.update(arguments)
    result = rewritten(component, Renaming(Replacement(values, operations)))
    return replace(
        result,
        parameters=tuple(p for p in result.parameters if p.text not in arguments),
        abstract_variables=_renamed_names(result.abstract_variables, names),
        concrete_variables=_renamed_names(result.concrete_variables, names),
        operations=_renamed_operations(result.operations, operations),
        local_operations=_renamed_operations(result.local_operations, operations),
        promotes=_renamed_names(result.promotes, operations),
    )


def _renamed_names(names: tuple[Name, ...], renaming: Mapping[str, str]) -> tuple[Name, ...]:
    return tuple(Name(renaming.get(n.text, n.text), n.span) for n in names)


def _renamed_operations(
    operations: tuple[Operation, ...], renaming: Mapping[str, str]
) -> tuple[Operation, ...]:
    return tuple(replace(o, name=renaming.get(o.name, o.name)) for o in operations)


def rewritten(component: Component, rewriter: Rewriter) -> Component:
    """Return `component` with every formula in it rewritten."""

    def predicate(e: Expr | None) -> Expr | None:
        return None if e is None else rewriter.expression(e)

    def references(many: tuple[Reference, ...]) -> tuple[Reference, ...]:
        return tuple(replace(r, args=tuple(map(rewriter.expression, r.args))) for r in many)

    def operations(many: tuple[Operation, ...]) -> tuple[Operation, ...]:
        return tuple(_operation(o, rewriter) for o in many)

    initialisation = component.initialisation
    return replace(
        component,
        constraints=predicate(component.constraints),
        includes=references(component.includes),
        extends=references(component.extends),
        imports=references(component.imports),
        freetypes=tuple(
            replace(t, constructors=tuple(_constructor(c, rewriter) for c in t.constructors))
            for t in component.freetypes
        ),
        properties=predicate(component.properties),
        values=tuple((name, rewriter.expression(e)) for name, e in component.values),
        invariant=predicate(component.invariant),
        assertions=tuple(map(rewriter.expression, component.assertions)),
        initialisation=None if initialisation is None else rewriter.substitution(initialisation),
        operations=operations(component.operations),
        local_operations=operations(component.local_operations),
    )


def _constructor(constructor: Constructor, rewriter: Rewriter) -> Constructor:
    if constructor.argument is None:
        return constructor
    return replace(constructor, argument=rewriter.expression(constructor.argument))


def _operation(operation: Operation, rewriter: Rewriter) -> Operation:
    local = frozenset(n.text for n in (*operation.parameters, *operation.results))
    return replace(operation, body=rewriter.substitution(operation.body, local))
