"""Whatever plan is chosen, it finds what trying every value finds, and hides nothing ill-defined.

A conjunction is evaluated from left to right, so that what an earlier conjunct excludes need not be
well-defined.  A plan may also overlook what is ill-defined where *some* conjunct is false; where none
is, it must not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from itertools import product
from typing import Any

from hypothesis import given

from secateur.lang.query import understand
from secateur.maths import ast
from secateur.maths.ast import Expr
from secateur.maths.evaluate.compiler import Compiler
from secateur.maths.evaluate.environment import GAPS
from secateur.maths.evaluate.universe import Universe
from secateur.maths.values import IllDefined, SymbolicSet
from tests.naive.evaluator import Naive
from tests.naive.formulas import INSTANCES, conjunctions, implications


class Truth(Enum):
    """What a predicate can be for one instance of its identifiers."""

    YES = "true"
    NO = "false"
    BAD = "ill-defined"


YES, NO, BAD = Truth.YES, Truth.NO, Truth.BAD
ANYTHING = frozenset(Truth)


def _ours(text: str) -> tuple[Expr, Any]:
    """Return a formula and its value, BAD if it is ill-defined."""
    question = understand(text, {})
    compiler = Compiler(Universe())
    code = compiler.code(question.formula)
    env = compiler.environment(object())
    try:
        value = code(env)
        value = value.expand() if isinstance(value, SymbolicSet) else value
    except IllDefined:
        return question.formula, BAD
    assert not env[GAPS], "everything is bounded"
    return question.formula, value


def _left_to_right(e: Expr, env: dict[str, Any]) -> frozenset[Truth]:
    oracle = Naive()
    try:
        found = {YES if oracle.value(e, env) else NO}
    except IllDefined:
        found = {BAD}
    return ANYTHING if oracle.careless else frozenset(found)


def _in_any_order(e: Expr, env: dict[str, Any]) -> frozenset[Truth]:
    """Return what `e` may be if the parts of connectives are looked at in any order."""
    match e:
        case ast.And(parts):
            return _all([_in_any_order(p, env) for p in parts])
        case ast.Or(parts):
            return _not(_all([_not(_in_any_order(p, env)) for p in parts]))
        case ast.Not(body):
            return _not(_in_any_order(body, env))
        case ast.Implies(left, right):
            return _not(_all([_in_any_order(left, env), _not(_in_any_order(right, env))]))
        case _:
            return _left_to_right(e, env)


def _not(truth: frozenset[Truth]) -> frozenset[Truth]:
    return frozenset({YES: NO, NO: YES, BAD: BAD}[t] for t in truth)


def _all(parts: Sequence[frozenset[Truth]]) -> frozenset[Truth]:
    found = set()
    for truths in product(*parts):
        found.add(NO if NO in truths else BAD if BAD in truths else YES)
    return frozenset(found)


def _permitted(e: Expr, env: dict[str, Any]) -> frozenset[Truth]:
    plain = _left_to_right(e, env)
    return plain if BAD not in plain else plain | _in_any_order(e, env)


def _instances(names: Sequence[str]) -> Iterator[dict[str, Any]]:
    for values in product(*(INSTANCES[name] for name in names)):
        yield dict(zip(names, values, strict=True))


def _tuple(env: dict[str, Any]) -> Any:
    first, *others = env.values()
    for other in others:
        first = (first, other)
    return first


@given(conjunctions())
def test_comprehensions(problem: tuple[tuple[str, ...], tuple[str, ...]]) -> None:
    names, conjuncts = problem
    formula, found = _ours(f"{{{', '.join(names)} | {' & '.join(conjuncts)}}}")
    assert isinstance(formula, ast.Comprehension)
    permitted = [(_tuple(env), _permitted(formula.condition, env)) for env in _instances(names)]
    if found is BAD:
        assert any(BAD in truths for _, truths in permitted)
        return
    for element, truths in permitted:
        assert (YES if element in found else NO) in truths, element
    assert found <= {element for element, _ in permitted}


@given(conjunctions())
def test_existence(problem: tuple[tuple[str, ...], tuple[str, ...]]) -> None:
    names, conjuncts = problem
    # Under an equivalence, or else its identifiers would become unknowns of the question.
    formula, found = _ours(f"#({', '.join(names)}).({' & '.join(conjuncts)}) <=> 1 = 1")
    assert isinstance(formula, ast.Equivalent)
    assert isinstance(formula.left, ast.Exists)
    permitted = [_permitted(formula.left.body, env) for env in _instances(names)]
    _check_existence(found, permitted)


@given(implications())
def test_universality(problem: tuple[tuple[str, ...], tuple[str, ...], str]) -> None:
    names, premises, conclusion = problem
    formula, found = _ours(f"!({', '.join(names)}).({' & '.join(premises)} => ({conclusion}))")
    assert isinstance(formula, ast.Forall)
    refutation = ast.Not(formula.body)
    permitted = [_permitted(refutation, env) for env in _instances(names)]
    _check_existence(found if found is BAD else not found, permitted)


def _check_existence(found: Any, permitted: Sequence[frozenset[Truth]]) -> None:
    if found is BAD:
        assert any(BAD in truths for truths in permitted)
    elif found:
        assert any(YES in truths for truths in permitted)
    else:
        assert all(NO in truths for truths in permitted)


@given(conjunctions())
def test_sums_count_every_solution_once(problem: tuple[tuple[str, ...], tuple[str, ...]]) -> None:
    names, conjuncts = problem
    bound, condition = ", ".join(names), " & ".join(conjuncts)
    _, count = _ours(f"SIGMA({bound}).({condition} | 1)")
    _, found = _ours(f"{{{bound} | {condition}}}")
    assert count is BAD if found is BAD else count == len(found)
