"""Never claims: the model together with its claim.

The claim takes a step before each step of the system, and goes on by itself where the system
has come to an end.  What it describes must never happen: a run on which it comes to its own end or
to a label `end...`, or is accepted again and again.  What it asserts must be so: where it is not,
it comes to its end.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from secateur.lang.guards import split_guard
from secateur.lang.model import Model, Operation, Product
from secateur.lang.promela import ast, terms
from secateur.lang.promela.automata import automaton
from secateur.lang.promela.automaton import Automaton, Edge, Jump, Terminate
from secateur.lang.promela.codes import UNSUPPORTED
from secateur.lang.promela.companion import Provided
from secateur.lang.promela.expressions import Here
from secateur.lang.promela.formulas import atom
from secateur.lang.promela.statements import Statements
from secateur.lang.promela.terms import Width
from secateur.lang.promela.view import UNCHANGED
from secateur.maths import substitution as sub
from secateur.maths.ast import Apply, Binder, Expr, Name, conjunction
from secateur.maths.operators import comparison, sets
from secateur.maths.types import INTEGER
from secateur.source import fail

PLACE: Final = "never"
"""The variable that tells where the claim is."""


def with_claim(model: Model, claim: ast.Proctype, statements: Statements) -> Product:
    """Return a model with a claim, and the formula that says that it does not come true."""
    graph = automaton(claim, claim=True)
    most = max(graph.end, *(place.number for place in graph.locations))
    place = UNCHANGED.read(PLACE, Width(most.bit_length()))
    over = terms.any_of(terms.equal(place, terms.number(p)) for p in _ends(graph))
    accepting = terms.any_of(
        terms.equal(place, terms.number(p.number)) for p in graph.locations if p.accept
    )
    space = Apply(sets.INTERVAL, (terms.literal(0), terms.literal(most)))
    assert isinstance(model.companion, Provided)
    names: dict[str, str] = {}
    operations: list[Operation] = []
    for own, operation in _operations(model, graph, statements):
        operations.append(operation)
        if own is not None:
            names[operation.name] = own.name
    product = replace(
        model,
        variables=(*model.variables, Binder(PLACE, INTEGER)),
        typing=(*model.typing, Apply(comparison.MEMBER, (Name(PLACE), space))),
        initialisation=_both(model.initialisation, graph.start),
        operations=tuple(operations),
        companion=model.companion.also_called(names),
        ends=terms.TRUE,
        stutters=False,
    )
    again = f"not(G(F({atom(accepting)} & X(true))))"
    return Product(product, f"G(not({atom(over)})) & {again}")


def _ends(graph: Automaton) -> frozenset[int]:
    """Return where a claim has come true, be it on the way through an `atomic`."""
    return frozenset(place.number for place in graph.locations if place.end)


def _operations(
    model: Model, graph: Automaton, statements: Statements
) -> Iterator[tuple[Operation | None, Operation]]:
    """Yield what happens, each with the operation of the model that the claim goes along with."""
    everybody = statements.world.instances
    going = terms.any_of(statements.abilities.of(each, UNCHANGED) for each in everybody)
    for edge, condition, target in _moves(graph, statements):
        for operation in model.operations:
            guard, body = split_guard(operation.body)
            yield (
                operation,
                replace(
                    operation,
                    name=f"{operation.name} | {edge.source}->{target}",
                    body=_guarded((condition, *guard), _both(body, target)),
                ),
            )
        yield (
            None,
            Operation(
                f"nothing more happens | {edge.source}->{target}",
                (),
                (),
                _guarded((condition, terms.negated(going)), _both(sub.Skip(), target)),
                edge.span,
            ),
        )


def _moves(graph: Automaton, statements: Statements) -> Iterator[tuple[Edge, Expr, int]]:
    """Yield the steps of a claim: how each begins, under which condition, and where it leads.

    Spin's claim sees a `timeout` only if a process or a formula asks for one.  It moves without
    one first: where everybody waits for it, that counts only if the claim comes to an end.
    """
    early, usual = Here(None, UNCHANGED._replace(inside=True)), Here(None, UNCHANGED)
    awaits, ends = statements.world.awaits_timeout, _ends(graph)
    for place in graph.locations:
        if place.escapes:
            raise fail(UNSUPPORTED, "a claim with an unless is not supported", place.span)
    for edge in graph.edges:
        if isinstance(edge.step, Terminate):
            continue
        ways = [w for w in _ways(edge, graph, statements, early) if not awaits or w[1] in ends]
        ways += _ways(edge, graph, statements, usual) if awaits else ()
        for met, target in dict.fromkeys(ways):
            condition = terms.all_of((_at(edge.source), met))
            if condition is not terms.FALSE:
                yield edge, condition, target


def _ways(
    edge: Edge, graph: Automaton, statements: Statements, here: Here, before: tuple[Edge, ...] = ()
) -> Iterator[tuple[Expr, int]]:
    """Yield when an edge is taken and where that leads, with all that an `atomic` adds to it."""
    met = _met(edge, graph, statements, here)
    if isinstance(edge.step, ast.Assert):
        met = statements.expressions.condition(edge.step.condition, here)
        yield terms.negated(met), graph.end
    if not edge.keeps or edge.target in _ends(graph):
        yield met, edge.target
        return
    if edge in before:
        raise fail(UNSUPPORTED, "an atomic sequence of a claim goes round in a circle", edge.span)
    for following in graph.leaving[edge.target]:
        for more, target in _ways(following, graph, statements, here, (*before, edge)):
            yield terms.all_of((met, more)), target


def _guarded(conditions: tuple[Expr, ...], body: sub.Substitution) -> sub.Substitution:
    return sub.Select((sub.Branch(conjunction(conditions), body),))


def _both(body: sub.Substitution, place: int) -> sub.Substitution:
    """Return what a step does, with the claim going to a place."""
    match body:
        case sub.Assign(targets, values):
            more = (*targets, Name(PLACE)), (*values, terms.literal(place))
            return sub.Assign(*more, body.span)
        case sub.Skip():
            return sub.Assign((Name(PLACE),), (terms.literal(place),), body.span)
        case _:
            return body


def _at(place: int) -> Expr:
    return Apply(comparison.EQUAL, (Name(PLACE), terms.literal(place)))


def _met(edge: Edge, graph: Automaton, statements: Statements, here: Here) -> Expr:
    """Return where a statement of a claim can be executed."""
    match edge.step:
        case ast.Condition(condition):
            return statements.expressions.condition(condition, here)
        case ast.Assert() | Jump() | ast.Print():
            return terms.TRUE
        case ast.Else():
            rivals = [e for e in graph.leaving[edge.source] if not isinstance(e.step, ast.Else)]
            return terms.negated(terms.any_of(_met(e, graph, statements, here) for e in rivals))
        case _:
            raise fail(UNSUPPORTED, "a claim may only look at the state", edge.span)
