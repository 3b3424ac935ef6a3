"""Quantifiers that only the domain of a function to be found bounds: the solver, and trying all functions."""

from __future__ import annotations

import gc
from itertools import product

import pytest

from secateur.lang.query import Question, understand
from secateur.maths.ast import conjuncts
from secateur.maths.evaluate.compiler import Compiler
from secateur.maths.evaluate.solver_stage import CodeCache, EnvironmentEvaluator
from secateur.maths.evaluate.universe import Universe
from secateur.maths.solve.solver import solve
from secateur.maths.values import IllDefined, Value

UNIVERSE = Universe({}, {})

TOTAL = "q : 0..3 --> BOOL"
PARTIAL = "q : 0..3 +-> BOOL"
SEQUENCE = "q : seq(BOOL) & size(q) <= 3"

CONDITIONS = (
    "!x.(q(x) = TRUE => q((x+1) mod 4) = FALSE)",
    "!x.(q(x) = TRUE => q(x+1) = FALSE)",
    "!x.(q(x) = TRUE => 10/(x-2) > 0)",
    "!x.(q(x) = TRUE & x < 3 => q(x+1) = FALSE)",
    "!x.(x < 3 & q(x) = TRUE => q(x+1) = FALSE)",
    "!x.(q(x) = TRUE & q(x+1) = TRUE => x > 1)",
    "!x.(q(x+1) = TRUE & q(x) = TRUE => x > 1)",
    "#x.(q(x) = TRUE & q(x+1) = TRUE)",
    "#x.(q(x) = TRUE & q((x+1) mod 4) = TRUE)",
    "#x.(q(x) = TRUE & 10/(x-2) > 0)",
    "#x.(q(x) = TRUE & x = x+1)",
    "#(x,y).(q(x) = TRUE & q(y) = FALSE & x < y)",
    "!(x,y).(q(x) = TRUE & q(y) = TRUE => x = y)",
    "!x.(TRUE = q(x) => x : {1,2})",
    "!x.(q(x) = q(0) => x /= 2)",
    "!x.(q(x) = bool(10/(x-1) > 0) => x /= 2)",
    "!x.(q(x) = TRUE => x : {0} or q(x-1) = FALSE)",
    "!x.(q(x) = TRUE => q(x-1) = FALSE or x = 0)",
    "card({x | q(x) = TRUE & 10/(x-2) > 0}) = 1",
    "SIGMA(x).(q(x) = TRUE | x) = 3",
    "!x.(q(x) /= TRUE => x > 1)",
)


def _functions(space: str) -> list[frozenset[Value]]:
    """Return all functions of a space."""
    domains: dict[str, list[tuple[int, ...]]] = {
        TOTAL: [(0, 1, 2, 3)],
        PARTIAL: [tuple(x for x in range(4) if n >> x & 1) for n in range(16)],
        SEQUENCE: [tuple(range(1, n + 1)) for n in range(4)],
    }
    return [
        frozenset(zip(domain, values, strict=True))
        for domain in domains[space]
        for values in product((False, True), repeat=len(domain))
    ]


def _evaluator(question: Question) -> EnvironmentEvaluator:
    scope = Compiler(UNIVERSE).bind(question.unknowns)
    names = frozenset(b.name for b in question.unknowns)
    return EnvironmentEvaluator(CodeCache(scope), scope.environment(object()), names)


@pytest.mark.parametrize("space", [TOTAL, PARTIAL, SEQUENCE])
@pytest.mark.parametrize("condition", CONDITIONS)
def test_as_if_all_functions_were_tried(space: str, condition: str) -> None:
    question = understand(f"{space} & {condition}", {})
    *_, formula = conjuncts(question.formula)
    evaluator = _evaluator(question)
    expected: set[frozenset[Value]] = set()
    ill_defined = False
    for q in _functions(space):
        try:
            if evaluator.value(formula, {"q": q}):
                expected.add(q)
        except IllDefined:
            ill_defined = True
    found: set[frozenset[Value]] = set()
    error = False
    try:
        for each in solve(question.unknowns, conjuncts(question.formula), evaluator, print):
            found.add(each["q"])
    except IllDefined:
        error = True
    assert found == expected
    assert error == ill_defined


def test_errors_that_are_kept_do_not_keep_solvers() -> None:
    pytest.importorskip("secateur._native", reason="NOT TESTED: the native module is not built")
    for condition in CONDITIONS:
        test_as_if_all_functions_were_tried(PARTIAL, condition)
    gc.collect()
    kept = [each for each in gc.get_objects() if type(each).__name__ == "Solver"]
    assert not [each for each in kept if type(each).__module__ == "secateur._native"]
