"""Why a model has no initial state."""

from __future__ import annotations

from secateur.lang.model import Model, Property
from secateur.maths.ast import free_names
from secateur.maths.evaluate.compiler import Compiler
from secateur.maths.evaluate.plan import Leniency, plan_solutions
from secateur.maths.evaluate.universe import Universe
from secateur.maths.values import IllDefined, Undecided


def why_no_initial_state(model: Model, universe: Universe) -> str:
    """Return a sentence that names the first property that cannot be met with those before it."""
    culprit = _first_unsatisfiable(model, universe)
    if culprit is None:
        return "INITIALISATION has no outcome"
    place = f" ({culprit.predicate.span})" if culprit.predicate.span.text else ""
    return (
        "the PROPERTIES cannot be satisfied; "
        f"the first conjunct that cannot be met with those before it is: {culprit.name}{place}"
    )


def _first_unsatisfiable(model: Model, universe: Universe) -> Property | None:
    for count, last in enumerate(model.properties, 1):
        if not _satisfiable(model.properties[:count], model, universe):
            return last
    return None


def _satisfiable(properties: tuple[Property, ...], model: Model, universe: Universe) -> bool:
    predicates = [p.predicate for p in properties]
    used = frozenset[str]().union(*map(free_names, predicates))
    binders = [b for b in model.constants if b.name in used]
    scope = Compiler(universe).bind_constants(binders).searching()
    plan = plan_solutions(scope, binders, predicates, lenient=Leniency.ASSUME_UNDECIDED)
    try:
        return any(True for _ in plan.run(scope.environment(object())))
    except (IllDefined, Undecided):
        return True  # it is not this conjunct that rules everything out
