"""All formulas of a model."""

from __future__ import annotations

from collections.abc import Iterator

from secateur.lang.model import Level, Model, Operation
from secateur.maths.ast import Expr
from secateur.maths.substitution import expressions


def formulas_of(model: Model) -> Iterator[tuple[str, Expr]]:
    """Yield all formulas that say what a model does or must do, with where they stand."""
    for declared in model.freetypes:
        for name, argument in declared.constructors:
            if argument is not None:
                yield f"constructor {name}", argument
    for kind, properties in (
        ("property", model.properties),
        ("invariant", model.invariants),
        ("assertion", model.assertions),
    ):
        for each in properties:
            if not each.chooses:
                yield f"{kind} {each.name}", each.predicate
    if model.ends is not None:
        yield "where a run may end", model.ends
    yield from (("the initialisation", e) for e in expressions(model.initialisation))
    for level in model.initial_levels:
        yield from _of_level(level)
    operations = {id(o): o for o in (*model.operations, *model.callable.values())}
    for operation in operations.values():
        yield from _of_operation(operation)


def _of_operation(operation: Operation) -> Iterator[tuple[str, Expr]]:
    yield from ((operation.name, e) for e in expressions(operation.body))
    yield from ((operation.name, o.predicate) for o in operation.obligations)
    for level in operation.refines:
        yield from _of_level(level)


def _of_level(level: Level) -> Iterator[tuple[str, Expr]]:
    yield from ((level.name, c.predicate) for c in level.conditions)
    yield from ((level.name, o.predicate) for o in level.obligations)
    for above in level.refines:
        yield from _of_level(above)
