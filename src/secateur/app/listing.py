"""A model as text again: all components in one, every name and type resolved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from secateur.lang.model import Model, Operation, Property
from secateur.maths.ast import Binder
from secateur.maths.print import show, show_name, show_names
from secateur.maths.print_substitution import show_substitution


def listing(model: Model) -> str:
    """Return what was understood of a model, as one machine in the notation of B."""
    return "\n".join(_lines(model)) + "\n"


def _lines(model: Model) -> Iterator[str]:
    yield f"MACHINE {show_name(model.name)}"
    yield from _sets(model)
    yield from _names("CONSTANTS", model.constants)
    yield from _predicates("PROPERTIES", " &", model.properties)
    yield from _names("VARIABLES", model.variables)
    yield from _predicates("INVARIANT", " &", model.invariants)
    yield from _predicates("ASSERTIONS", ";", model.assertions)
    yield "INITIALISATION"
    yield f"  {show_substitution(model.initialisation)}"
    if model.operations:
        yield "OPERATIONS"
        last = model.operations[-1]
        for operation in model.operations:
            yield _operation(operation) + (";" if operation is not last else "")
    yield "END"


def _sets(model: Model) -> Iterator[str]:
    shown = [
        f"  {show_name(s.name)} = {{{', '.join(map(show_name, s.elements))}}}"
        + ("" if s.enumerated else " /* deferred */")
        for s in model.sets
    ]
    if shown:
        yield "SETS"
        yield ";\n".join(shown)


def _names(clause: str, binders: Iterable[Binder]) -> Iterator[str]:
    shown = [f"  {show_name(b.name)} /* {b.type} */" for b in binders]
    if shown:
        yield clause
        yield ",\n".join(shown)


def _predicates(clause: str, joint: str, predicates: Iterable[Property]) -> Iterator[str]:
    shown = [f"  ({show(p.predicate)})" for p in predicates]
    if shown:
        yield clause
        yield f"{joint}\n".join(shown)


def _operation(operation: Operation) -> str:
    results = f"{show_names(operation.results)} <-- " if operation.results else ""
    parameters = f"({show_names(operation.parameters)})" if operation.parameters else ""
    body = show_substitution(operation.body)
    return f"  {results}{show_name(operation.name)}{parameters} = BEGIN {body} END"
