"""Why a model has no initial state."""

from __future__ import annotations

from typing import Final

from secateur.lang.model import Model, Property
from secateur.maths.ast import Expr, Labelled, conjuncts
from secateur.maths.evaluate.compiler import Compiler
from secateur.maths.evaluate.solver_stage import CodeCache, EnvironmentEvaluator
from secateur.maths.evaluate.universe import Universe
from secateur.maths.solve.explain import explain_unsatisfiable

EFFORT: Final = 1_000
"""How much work an explanation is worth; the verdict does not depend on it."""


def why_no_initial_state(model: Model, universe: Universe, *, constants_found: bool) -> str:
    """Return a sentence that names the first property that cannot be met with those before it."""
    if constants_found:
        return "INITIALISATION has no outcome"
    unmet = f"{model.words.properties} cannot be satisfied"
    culprit = _first_unsatisfiable(model, universe)
    if culprit is None:
        return unmet
    place = f" ({culprit.predicate.span})" if culprit.predicate.span.text else ""
    first = f"the first {model.words.property} that cannot be met with those before it"
    return f"{unmet}; {first} is: {culprit.name}{place}"


def _first_unsatisfiable(model: Model, universe: Universe) -> Property | None:
    scope = Compiler(universe).bind_constants(model.constants).searching()
    names = frozenset(b.name for b in model.constants)
    env = scope.environment(object())
    evaluator = EnvironmentEvaluator(CodeCache(scope), env, names)
    predicates = [p.predicate for p in model.properties]
    found = explain_unsatisfiable(model.constants, predicates, evaluator, EFFORT)
    return next((p for p in model.properties if _contains(p.predicate, found)), None)


def _contains(predicate: Expr, conjunct: Expr | None) -> bool:
    """Whether `conjunct` is a part of the conjunction `predicate`."""
    while isinstance(predicate, Labelled):
        predicate = predicate.body
    return any(part is conjunct or predicate is conjunct for part in conjuncts(predicate))
