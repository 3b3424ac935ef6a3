"""The solver finds exactly the solutions that trying every value finds."""

from __future__ import annotations

from itertools import product
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st

from secateur.maths import ast
from secateur.maths.ast import Binder, Expr, Name
from secateur.maths.evaluate.compiler import Compiler
from secateur.maths.evaluate.solver_stage import CodeCache, EnvironmentEvaluator
from secateur.maths.evaluate.universe import Universe
from secateur.maths.operators import comparison, function_spaces, sets
from secateur.maths.operators.protocol import Operator
from secateur.maths.print import show
from secateur.maths.solve.solver import solve
from secateur.maths.types import BOOL, INTEGER, PREDICATE, Power, Product, Type, relation
from secateur.maths.values import IllDefined, Value
from tests.naive.evaluator import Naive, TooLarge
from tests.naive.expressions import NAMED, NAMES, SETS, S, expressions

UNIVERSE = Universe({name: frozenset(elements) for name, elements in SETS.items()}, NAMES)

NUMBERS = ast.Apply(sets.INTERVAL, (ast.Number(0), ast.Number(3)))
FEW = ast.Apply(sets.INTERVAL, (ast.Number(1), ast.Number(2)))
CARRIER = Name("S")

SPACES = (
    function_spaces.PARTIAL_FUNCTIONS,
    function_spaces.TOTAL_FUNCTIONS,
    function_spaces.TOTAL_INJECTIONS,
    function_spaces.PARTIAL_SURJECTIONS,
    function_spaces.TOTAL_BIJECTIONS,
    function_spaces.RELATIONS,
)


def _space(operator: Operator, left: Expr, right: Expr) -> Expr:
    return ast.Apply(operator, (left, right))


BOUNDS: tuple[tuple[Type, Expr], ...] = (
    (INTEGER, NUMBERS),
    (INTEGER, FEW),
    (BOOL, ast.Apply(NAMED["booleans"])),
    (S, CARRIER),
    (Power(S), ast.Apply(sets.POWER_SET, (CARRIER,))),
    (Power(INTEGER), ast.Apply(sets.POWER_SET, (NUMBERS,))),
    (Product(INTEGER, S), ast.Apply(sets.PRODUCT, (FEW, CARRIER))),
    *((relation(INTEGER, S), _space(o, FEW, CARRIER)) for o in SPACES),
    *((relation(S, INTEGER), _space(o, CARRIER, FEW)) for o in SPACES),
)


@st.composite
def problems(draw: Any) -> tuple[tuple[Binder, ...], tuple[Expr, ...]]:
    """Return unknowns in small sets, with random constraints on them."""
    unknowns = []
    constraints: list[Expr] = []
    for name in ("u", "v")[: draw(st.integers(1, 2))]:
        type_, bound = draw(st.sampled_from(BOUNDS))
        unknowns.append(Binder(name, type_))
        constraints.append(ast.Apply(comparison.MEMBER, (Name(name), bound)))
    scope = {b.name: b.type for b in unknowns if b.type is not None}
    more = draw(st.integers(1, 3))
    constraints.extend(draw(expressions(PREDICATE, 2, scope)) for _ in range(more))
    return tuple(unknowns), tuple(draw(st.permutations(constraints)))


def _evaluator(unknowns: tuple[Binder, ...]) -> EnvironmentEvaluator:
    scope = Compiler(UNIVERSE).bind(unknowns)
    names = frozenset(b.name for b in unknowns)
    return EnvironmentEvaluator(CodeCache(scope), scope.environment(object()), names)


def _expected(
    unknowns: tuple[Binder, ...], constraints: tuple[Expr, ...]
) -> tuple[set[Value], bool]:
    """Return the solutions, and whether an error is to be raised."""
    oracle = Naive(SETS, NAMES)
    bounds = dict(bound for bound in map(_bound, constraints) if bound is not None)
    lists = [list(oracle.value(bounds[b.name], {})) for b in unknowns]
    solutions = set()
    ill_defined = False
    for values in product(*lists):
        env = {b.name: x for b, x in zip(unknowns, values, strict=True)}
        truths = [_truth(oracle, e, env) for e in constraints]
        if all(truths):
            solutions.add(values)
        elif all(t is None or t for t in truths):
            ill_defined = True
    return solutions, ill_defined


def _bound(e: Expr) -> tuple[str, Expr] | None:
    match e:
        case ast.Apply(operator, (Name(text), bound)) if operator is comparison.MEMBER:
            return (text, bound) if bound in [b for _, b in BOUNDS] else None
        case _:
            return None


def _truth(oracle: Naive, e: Expr, env: dict[str, Value]) -> bool | None:
    try:
        return bool(oracle.value(e, env))
    except IllDefined:
        return None


@given(problems())
def test_exactly_the_solutions(problem: tuple[tuple[Binder, ...], tuple[Expr, ...]]) -> None:
    unknowns, constraints = problem
    try:
        expected, ill_defined = _expected(unknowns, constraints)
    except TooLarge:
        assume(False)
    text = " & ".join(f"({show(e)})" for e in constraints)
    found: list[tuple[Value, ...]] = []
    raised = False
    try:
        for solution in solve(unknowns, constraints, _evaluator(unknowns), _no_gap):
            found.append(tuple(solution[b.name] for b in unknowns))  # noqa: PERF401 - errors come later
    except IllDefined:
        raised = True
    assert len(set(found)) == len(found), text
    assert set(found) == expected, text
    assert raised == ill_defined, text


def _no_gap(name: str) -> None:
    raise AssertionError(f"{name} is bounded")
