"""Whatever plan is chosen, it finds what trying every value finds, and hides nothing ill-defined.

What is ill-defined, docs/semantics.md says: where all conjuncts but those that are ill-defined hold.
"""

from __future__ import annotations

from typing import Any

from hypothesis import assume, given

from secateur import InputError
from secateur.lang.query import understand
from secateur.maths.ast import Expr
from secateur.maths.evaluate.compiler import Compiler
from secateur.maths.evaluate.environment import GAPS
from secateur.maths.evaluate.universe import Universe
from secateur.maths.values import IllDefined, SymbolicSet, Undecided
from tests.naive.evaluator import Naive
from tests.naive.formulas import INSTANCES, alternatives, conjunctions, implications

BAD = "ill-defined"
UNDECIDED = "undecided"


def _ours(formula: Expr) -> Any:
    """Return the value of a formula, or that it has none."""
    compiler = Compiler(Universe())
    code = compiler.code(formula)
    env = compiler.environment(object())
    try:
        value = code(env)
        value = value.expand() if isinstance(value, SymbolicSet) else value
    except IllDefined:
        return BAD
    except Undecided:
        return UNDECIDED
    assert not env[GAPS], "everything is bounded"
    return value


def _agree(text: str, *others: str) -> None:
    """Assert that a formula is what the oracle says, or one of the `others`."""
    try:
        formula = understand(text, {}).formula
    except InputError:
        assume(False)  # `#z.(z : {z})`: nobody knows of what type
    try:
        expected = Naive(among=INSTANCES).value(formula, {})
    except IllDefined:
        expected = BAD
    assert _ours(formula) in (expected, *others), text


@given(conjunctions())
def test_comprehensions(problem: tuple[tuple[str, ...], tuple[str, ...]]) -> None:
    names, conjuncts = problem
    _agree(f"{{{', '.join(names)} | {' & '.join(conjuncts)}}}")


@given(conjunctions())
def test_existence(problem: tuple[tuple[str, ...], tuple[str, ...]]) -> None:
    names, conjuncts = problem
    # Under an equivalence, or else the identifiers would become unknowns of the question.
    _agree(f"#({', '.join(names)}).({' & '.join(conjuncts)}) <=> 1 = 1")


@given(implications())
def test_universality(problem: tuple[tuple[str, ...], tuple[str, ...], str]) -> None:
    names, premises, conclusion = problem
    _agree(f"!({', '.join(names)}).({' & '.join(premises)} => ({conclusion}))")


@given(alternatives())
def test_alternatives_are_looked_at_in_turn(
    problem: tuple[tuple[str, ...], tuple[str, ...], bool],
) -> None:
    names, parts, bounded = problem
    _agree(f"!({', '.join(names)}).({' or '.join(parts)})", *([] if bounded else [BAD, UNDECIDED]))


@given(conjunctions())
def test_sums_count_every_solution_once(problem: tuple[tuple[str, ...], tuple[str, ...]]) -> None:
    names, conjuncts = problem
    bound, condition = ", ".join(names), " & ".join(conjuncts)
    count = _ours(understand(f"SIGMA({bound}).({condition} | 1)", {}).formula)
    found = _ours(understand(f"{{{bound} | {condition}}}", {}).formula)
    assert count is BAD if found is BAD else count == len(found)
