"""What the solver finds."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from secateur.lang.query import Question
from secateur.maths.ast import conjuncts
from secateur.maths.evaluate.compiler import Compiler
from secateur.maths.evaluate.solver_stage import CodeCache, EnvironmentEvaluator
from secateur.maths.evaluate.universe import Universe
from secateur.maths.solve.solver import solve
from secateur.maths.values import IllDefined, Undecided, Value


def _anything(_: str) -> None:
    """Let a number have no bound."""


def values_of(
    name: str, question: Question, on_unbounded: Callable[[str], None] = _anything
) -> list[Value]:
    """Return the values of an unknown, as far as the solver gets, one per solution."""
    scope = Compiler(Universe()).bind(question.unknowns)
    unknowns = frozenset(binder.name for binder in question.unknowns)
    evaluator = EnvironmentEvaluator(CodeCache(scope), scope.environment(object()), unknowns)
    parts = conjuncts(question.formula)
    found: list[Value] = []
    with suppress(IllDefined, Undecided):
        found.extend(s[name] for s in solve(question.unknowns, parts, evaluator, on_unbounded))
    return found
