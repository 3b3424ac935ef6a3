"""Unknown sequences: what the solver finds is what trying every sequence finds."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from secateur.lang.query import understand
from secateur.maths.ast import conjuncts
from secateur.maths.evaluate.compiler import Compiler
from secateur.maths.evaluate.solver_stage import CodeCache, EnvironmentEvaluator
from secateur.maths.evaluate.universe import Universe
from secateur.maths.solve.solver import solve
from secateur.maths.symbolic import as_sequence
from secateur.maths.values import IllDefined, Value
from tests.effort import fewer

ELEMENTS = (1, 2)
LONGEST = 3
EVERY = [as_sequence(items) for n in range(LONGEST + 1) for items in product(ELEMENTS, repeat=n)]
SEQUENCES = ("s", "s", "rev(s)", "s ^ [1]", "[2] ^ s", "s ^ s", "1 -> s", "s <- 2", "[1,2]", "[]")
OF_NONEMPTY = ("front(s)", "tail(s)", "front(tail(s))", "s /|\\ 1", "s \\|/ 1", "rev(tail(s))")
NUMBERS = ("size(s)", "first(s)", "last(s)", "1", "2", "s(2)", "last(front(s))", "size(tail(s))")


@st.composite
def conditions(draw: st.DrawFn) -> str:
    """Return a comparison about a sequence s."""
    if draw(st.booleans()):
        sides = st.sampled_from(NUMBERS)
        return f"{draw(sides)} {draw(st.sampled_from(['=', '/=', '<=']))} {draw(sides)}"
    sides = st.sampled_from(SEQUENCES + OF_NONEMPTY)
    return f"{draw(sides)} {draw(st.sampled_from(['=', '/=']))} {draw(sides)}"


def _run(text: str) -> tuple[list[Value], bool]:
    """Return the values found for s, and whether something is ill-defined."""
    question = understand(text, {})
    scope = Compiler(Universe()).bind(question.unknowns)
    names = frozenset(b.name for b in question.unknowns)
    evaluator = EnvironmentEvaluator(CodeCache(scope), scope.environment(object()), names)
    gaps: list[str] = []
    found: list[Value] = []
    try:
        constraints = conjuncts(question.formula)
        solutions = solve(question.unknowns, constraints, evaluator, gaps.append)
        found.extend(solution["s"] for solution in solutions)
    except IllDefined:
        return found, True
    assert not gaps
    return found, False


def _expected(parts: list[str]) -> tuple[set[Value], bool]:
    solutions: set[Value] = set()
    ill_defined = False
    for s in EVERY:
        truths: list[bool | None] = []
        for part in parts:
            question = understand(f"s : POW(INTEGER * INTEGER) & {part}", {})
            scope = Compiler(Universe()).bind(question.unknowns)
            env = scope.environment(object())
            for b in question.unknowns:
                env[scope.place(b.name)] = s
            try:
                truths.append(bool(scope.code(question.formula)(env)))
            except IllDefined:
                truths.append(None)
        if all(truths):
            solutions.add(s)
        elif all(t is None or t for t in truths):
            ill_defined = True
    return solutions, ill_defined


@fewer(2)
@given(st.lists(conditions(), min_size=1, max_size=3))
def test_exactly_the_sequences(parts: list[str]) -> None:
    bound = f"s : seq(1..2) & size(s) <= {LONGEST}"
    found, raised = _run(" & ".join([bound, *parts]))
    expected, ill_defined = _expected(parts)
    assert len(found) == len(set(found))
    assert set(found) == expected
    assert raised == ill_defined


def test_what_is_left_without_an_end_gives_the_length() -> None:
    assert _run("tail(s) = [1, 2] & first(s) = 44") == ([as_sequence([44, 1, 2])], False)
    assert _run("front(s) = [1, 2] & last(s) = 5 & s /= []") == ([as_sequence([1, 2, 5])], False)
