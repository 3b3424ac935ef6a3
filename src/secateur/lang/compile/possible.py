"""Where an operation that is not compiled is impossible, as far as that can be.

To ask the evaluator takes a thousand times as long as a test.  So the conditions that it would
look at first, and that it could not complain about, are compiled although the rest is not: where
one of them is false, nothing happens; elsewhere the code gives up, and the evaluator is asked.
"""

from __future__ import annotations

from collections.abc import Mapping

from secateur.kernel import build as k
from secateur.kernel.builder import Builder
from secateur.kernel.language import Action
from secateur.lang.compile.expressions import Lowering
from secateur.lang.compile.known import Known
from secateur.lang.compile.patterns import bare
from secateur.lang.compile.scope import Constants, Scope
from secateur.lang.compile.values import NotCompiled
from secateur.lang.guards import split_guard
from secateur.lang.model import Operation
from secateur.lang.slots.cells import Cell
from secateur.maths.ast import Expr as Formula
from secateur.maths.ast import conjuncts, free_names
from secateur.maths.evaluate.context import is_partial
from secateur.maths.evaluate.costs import is_costly


def where_possible(
    operation: Operation, cells: Mapping[str, Cell], known: Known, constants: Constants
) -> Action | None:
    """Return code that gives up where an operation may be possible; None if that is everywhere."""
    builder = Builder()
    lowering = Lowering(builder, known, constants)
    scope = Scope(cells)
    compiled: list[Formula] = []
    for condition in _asked_first(operation):
        try:
            with builder.nested():
                lowering.predicate(condition, scope)
        except NotCompiled:
            break
        compiled.append(condition)
    test = lowering.all_of(compiled, scope)
    if test == k.TRUE:
        return None
    builder.trap_if(test, "it is evaluated")
    return Action(operation.name, builder.block)


def _asked_first(operation: Operation) -> list[Formula]:
    """Return conditions on the state that the evaluator looks at before all others.

    None of them can be ill-defined, or take long: where one is false, the evaluator has nothing to
    say about any other (see `plan.py`).
    """
    guard, _ = split_guard(operation.body)
    parameters = {b.name for b in operation.parameters}
    hidden = parameters | {b.name for b in operation.results}
    conditions = [bare(part) for each in guard for part in conjuncts(bare(each))]
    known = [c for c in conditions if not free_names(c) & hidden]
    if parameters or not any(map(is_partial, known)):
        known.sort(key=is_costly)
    for number, condition in enumerate(known):
        if is_partial(condition) or is_costly(condition):
            return known[:number]
    return known
