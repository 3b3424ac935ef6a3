"""A refinement or an implementation together with the components that it refines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from secateur.lang.b.assemble import assemble
from secateur.lang.b.ast import Kind
from secateur.lang.b.checks import check_bodies
from secateur.lang.b.codes import OTHER_SIGNATURE
from secateur.lang.b.parts import Parts, properties_in
from secateur.lang.b.resolve import Instance, Project, files_of_levels, resolve
from secateur.lang.b.typecheck import Typed, typecheck
from secateur.lang.codes import NOTHING_REFINED
from secateur.lang.integer_bounds import integer_bounds
from secateur.lang.joint import Abstraction, Joint
from secateur.lang.model import Alone, Model, Operation, Property
from secateur.lang.options import LoadOptions
from secateur.lang.refinement import Refinement
from secateur.maths.ast import And, Binder, Expr, Name, conjuncts, free_names
from secateur.maths.replace import Replacement
from secateur.maths.substitution import Precondition, Skip, Substitution
from secateur.source import fail

Operations = Mapping[str, Operation]


def refinements_of(file: Path, options: LoadOptions) -> list[Refinement]:
    """Return the steps that lead to the component in `file`, or the last one if a component was chosen."""
    project = resolve(file)
    if project.main.abstraction is None:
        component = project.main.component
        raise fail(
            NOTHING_REFINED,
            f"{component.name} refines nothing",
            component.span,
            "give a REFINEMENT or an IMPLEMENTATION: it names what it refines after REFINES",
        )
    if options.component is not None:
        return [_refinement(project, options)]
    above = reversed(files_of_levels(file)[1:-1])
    return [_refinement(p, options) for p in (*map(resolve, above), project)]


def _refinement(project: Project, options: LoadOptions) -> Refinement:
    typed = typecheck(project)
    levels = project.levels()
    parts = [Parts(project, typed, level) for level in levels]
    concrete = assemble(project, typed, options)
    joint = _joint(concrete, parts, typed)
    bounds = integer_bounds(joint)
    above = parts[1]
    return Refinement(
        levels[0].component.name,
        levels[1].component.name,
        replace(joint, assumptions=(*concrete.assumptions, *bounds)),
        replace(
            joint,
            initialisation=Skip(),
            operations=above.visible(above.callable()),
            callable=above.callable(),
            companion=Alone(),
        ),
        tuple((p.component.component.name, tuple(sorted(p.variables))) for p in reversed(parts)),
        native=False,
    )


def _joint(concrete: Model, parts: Sequence[Parts], typed: Typed) -> Model:
    """Return the refinement, each of whose executions its abstractions must be able to follow."""
    above = [_offered(p) for p in parts[1:]]
    for part, operations in zip(parts[1:], above, strict=True):
        check_bodies([part.initialisation()], operations)
    pairs = [
        (op, [_like(op, o[op.name]) for o in above if op.name in o]) for op in concrete.operations
    ]
    gone = typed.declared.abstract_variables
    companion = Joint(
        frozenset(b.name for b in concrete.variables),
        _abstractions(parts, [op for op, _ in pairs], above),
        {op.name: tuple(_demands(op)) for op, refined in pairs if refined},
        _missing(parts[1], concrete),
    )
    return replace(
        concrete,
        variables=(*concrete.variables, *(Binder(n, typed.scope[n], s) for n, s in gone.items())),
        invariants=(),
        assertions=(),
        operations=tuple(_callable_as(op, refined) for op, refined in pairs),
        unchecked=(),
        companion=companion,
    )


def _abstractions(
    parts: Sequence[Parts], operations: Sequence[Operation], above: Sequence[Operations]
) -> tuple[Abstraction, ...]:
    known: frozenset[str] = frozenset()
    invariants: list[Property] = []
    found = []
    for depth, offered in enumerate(above, 1):
        below, here = parts[depth - 1], parts[depth]
        known |= below.variables
        invariants += properties_in([below.main.invariant] if below.main.invariant else [])
        # What is said of a level further up can be looked at when that level has followed.
        later = frozenset[str]().union(*(p.variables for p in parts[depth + 1 :]))
        later -= known | here.variables
        ready = [p for p in invariants if not free_names(p.predicate) & later]
        invariants = [p for p in invariants if p not in ready]
        found.append(
            Abstraction(
                here.component.component.name,
                below.component.component.name,
                here.variables,
                known,
                tuple(ready),
                here.initialisation(),
                {
                    op.name: _without_demands(_like(op, offered[op.name]))
                    for op in operations
                    if op.name in offered
                },
                here.callable(),
            )
        )
    return tuple(found)


def _offered(parts: Parts) -> Operations:
    return {operation.name: operation for operation in parts.visible(parts.callable())}


def _missing(abstraction: Parts, concrete: Model) -> tuple[Operation, ...]:
    """Return what the abstraction offers and the refinement does not; events may be left out."""
    if _root(abstraction.component).component.kind in (Kind.MODEL, Kind.SYSTEM):
        return ()
    offered = _offered(abstraction)
    known = {operation.name for operation in concrete.operations}
    return tuple(offered[n] for n in abstraction.main.instance.visible if n not in known)


def _root(instance: Instance) -> Instance:
    while instance.abstraction is not None:
        instance = instance.abstraction
    return instance


def _like(operation: Operation, abstract: Operation) -> Operation:
    """Return `abstract` with its parameters called as in `operation`, which refines it."""
    for what in ("parameters", "results"):
        mine, theirs = len(getattr(operation, what)), len(getattr(abstract, what))
        if mine != theirs:
            raise fail(
                OTHER_SIGNATURE,
                f"{operation.name} has other {what} than what it refines: {mine}, not {theirs}",
                operation.span,
                f"the other one is at {abstract.span}",
            )
    names = zip(abstract.parameters, operation.parameters, strict=True)
    changed = {a.name: Name(c.name) for a, c in names if a.name != c.name}
    if not changed:
        return abstract
    body = Replacement(changed).in_substitution(abstract.body)
    return replace(abstract, parameters=operation.parameters, body=body)


def _callable_as(operation: Operation, refined: Sequence[Operation]) -> Operation:
    """Return `operation`, to be called where all that it refines may be called.

    Nobody has said where a new one may be, other than itself.  A guard below a precondition
    stays there: what is demanded of a caller is demanded wherever it calls.
    """
    if not refined:
        return operation
    demands = tuple(demand for each in refined for demand in _demands(each))
    body = Precondition(And(demands), operation.body, operation.span)
    return replace(operation, body=body)


def _demands(operation: Operation) -> Iterable[Expr]:
    """Yield what the precondition demands; that a result has its type is no demand."""
    results = {b.name for b in operation.results} - {b.name for b in operation.parameters}
    for condition in _split(operation.body)[0]:
        for conjunct in conjuncts(condition):
            if not free_names(conjunct) & results:
                yield conjunct


def _without_demands(operation: Operation) -> Operation:
    return replace(operation, body=_split(operation.body)[1])


def _split(body: Substitution) -> tuple[list[Expr], Substitution]:
    """Return the preconditions at the top of `body`, and what is left under them."""
    conditions = []
    while isinstance(body, Precondition):
        conditions.append(body.condition)
        body = body.body
    return conditions, body
