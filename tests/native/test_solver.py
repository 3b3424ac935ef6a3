"""Searches that are handed over: the twin finds the solutions that the network here finds."""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Iterator, Sequence
from weakref import ref

import pytest
from hypothesis import given
from hypothesis import strategies as st

from secateur.compiled_module import why_not_compiled
from secateur.lang.query import understand
from secateur.maths.ast import conjuncts
from secateur.maths.evaluate.compiler import Compiler
from secateur.maths.evaluate.solver_stage import CodeCache, EnvironmentEvaluator
from secateur.maths.evaluate.universe import Universe
from secateur.maths.solve import stage, twin
from secateur.maths.solve.network import OutOfWork, Variable
from secateur.maths.solve.solver import Problem
from secateur.maths.solve.terms import Needed
from secateur.maths.values import IllDefined, Undecided, Value
from tests.effort import fewer

pytestmark = pytest.mark.skipif(why_not_compiled() is not None, reason=str(why_not_compiled()))

KINDS: Counter[str] = Counter()
"""The propagators that were handed over."""


class Noted(twin.Twin):
    """A twin of which it is known what it is made of."""

    def __init__(self, cells: Sequence[Needed], told: Sequence[Variable]) -> None:
        super().__init__(cells, told)
        KINDS.update(type(p).__name__ for p in self._propagators)


def solutions(text: str, *, handed_over: bool, work: int | None = None) -> Iterator[Value]:
    """Yield the solutions of a predicate, in the order of its unknowns."""
    question = understand(text, {})
    scope = Compiler(Universe()).bind(question.unknowns)
    names = frozenset(b.name for b in question.unknowns)
    evaluator = EnvironmentEvaluator(CodeCache(scope), scope.environment(object()), names)
    problem = Problem(question.unknowns, conjuncts(question.formula))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stage, "WORTHWHILE", 1 if handed_over else 1_000_000)
        patch.setattr(stage, "Twin", Noted)
        for found in problem.solutions(evaluator, lambda _: None, work):
            yield tuple(found[b.name] for b in question.unknowns)


def listed(text: str, *, handed_over: bool) -> tuple[set[Value], bool | None]:
    """Return all solutions, each of which must come once, and whether something is ill-defined."""
    found: list[Value] = []
    ill_defined: bool | None = False
    try:
        for solution in solutions(text, handed_over=handed_over):
            found.append(solution)  # noqa: PERF402 - errors come later
    except IllDefined:
        ill_defined = True
    except Undecided:
        ill_defined = None
    assert len(set(found)) == len(found), text
    return set(found), ill_defined


def check(text: str) -> set[Value]:
    """Compare what is found here with what the twin finds."""
    here, there = (listed(text, handed_over=each) for each in (False, True))
    assert here[0] == there[0], text
    assert here[1] == there[1] or None in {here[1], there[1]}, text
    return here[0]


PARTS = (
    "f(1) < f(2)",
    "f(2) + 2 * f(3) <= 5",
    "f(1) /= f(3)",
    "f(1) - f(2) = f(3) - 1",
    "f(f(1)) = 2",
    "f(1) * f(2) = f(4)",
    "f(1) * f(1) <= f(4) + 3",
    "card(ran(f)) = 3",
    "card({f(1), f(2), f(3)}) = 3",
    "card({f(1), f(2), f(3)}) <= 2",
    "f~(2) = 3",
    "max({f(1), f(2), f(3)}) = f(4)",
    "min({f(1), f(2), x}) = 1",
    "f : 1..4 >-> 1..4",
    "f : 1..4 +-> 1..3",
    "x : ran(f)",
    "x /: ran(f)",
    "card(s) = x",
    "s <: f[s]",
    "f[{1, 2}] = s",
    "!i.(i : s => f(i) > 1)",
    "#i.(i : s & f(i) = x)",
    "(f(1) = 2 <=> x : s)",
    "(f(1) = f(2) or x = f(3))",
    "SIGMA(i).(i : 1..4 | f(i)) = 9",
    "x : {1, 3, 100}",
    "f(1) mod 2 = x mod 2",
    "f(x) = x",
    "f(x + 1) = x",
    "(f ; f) = f",
    "closure1(f) <: f",
    "iterate(f, 2) = f",
    "(x : ran([1, 3, 5]) <=> f(1) = 2)",
)
BOUNDS = "f : 1..4 --> 1..4 & s <: 1..3 & x : 0..3"


@fewer(2)
@given(st.lists(st.sampled_from(PARTS), min_size=1, max_size=4, unique=True))
def test_the_same_solutions(parts: list[str]) -> None:
    text = " & ".join([BOUNDS, *parts])
    check(text)


@pytest.mark.parametrize("part", PARTS)
def test_each_part_alone(part: str) -> None:
    text = f"{BOUNDS} & {part}"
    check(text)


@pytest.mark.parametrize(
    "text",
    [
        "f : 1..3 --> 0..1000 & f(1) + f(2) + f(3) = 4 & f(1) <= f(2)",
        "f : 1..2 --> 0..1000000 & f(1) * f(2) = 1001 & f(1) < f(2)",
        "f : 1..2 --> -100000..100000 & f(1) = 2 * f(2) & f(2) : 49990..50010",
        "p : 1..3 --> (1..2) * BOOL & prj1(INTEGER, BOOL)(p(1)) = 2 & p(1) /= p(2) & p(2) /= p(3)",
        "t : 1..4 --> BOOL & (t(1) = TRUE => t(2) = FALSE) & t(3) /= t(4)",
        "f : 1..4 +-> 1..4 & f(1) = 2 & card(f) = 3 & !(i, j).(i : dom(f) & j : dom(f) & i < j => f(i) < f(j))",
        "f : 1..8 >-> 1..8 & !(i, j).(i : 1..8 & j : 1..8 & i < j => f(i) + j - i /= f(j) & f(i) - j + i /= f(j))",
        "f : 1..8 --> 0..2 & f(3) + 1 = (f(1) + 2) ** (60 * f(2)) & f(4) < f(5) & f(6) < f(7) & f(8) = 1",
        "f : 1..9 --> 0..3 & 10**20 * f(9) + f(1) <= f(4) & f(2) < f(3) & f(5) + f(6) = f(7) + f(8)",
        "x : 0..2 & y : 0..9 & z : 0..9 & {0 |-> 10**30, 1 |-> 4, 2 |-> 3}(x) = y + 2 * z",
        "x : 0..2 & y : 0..9 & w : 0..9 & 10**400 * x + y <= w",
        "f : 1..3 --> {0, 70000, 1000000} & f(1) < f(2) & f(2) < f(3)",
    ],
)
def test_wide_and_mixed(text: str) -> None:
    assert check(text)


@pytest.mark.parametrize(
    ("text", "solutions"),
    [
        ("f : 1..2 --> 1..2 & (f(1) = f(2) or f~(2) = 1)", 3),
        ("f : 1..3 --> 1..2 & f~(2) > 5", None),
        ("f : 1..3 >-> 1..4 & f~(4) = 9", None),
        ("f : 1..3 --> BOOL & f~(TRUE) = 4", None),
        ("f : 1..3 --> 1..2 & x : 1..3 & (x = 1 or f~(x) > 5)", None),
    ],
)
def test_an_inverse_may_be_ill_defined(text: str, solutions: int | None) -> None:
    """It is where a value is that of two arguments, or of none."""
    for handed_over in (False, True):
        found, ill_defined = listed(text, handed_over=handed_over)
        if solutions is None:
            assert ill_defined is not False
        else:
            assert len(found) == solutions


def test_every_kind_is_handed_over() -> None:
    KINDS.clear()
    for part in PARTS:
        listed(f"{BOUNDS} & {part}", handed_over=True)
    listed("s : POW(1..4) & t : POW(1..4) & s /\\ t = {} & s \\/ t = 1..4", handed_over=True)
    listed("g : 1..8 >+> 1..8 & card(g) = 2 & g(1) = 2", handed_over=True)
    assert KINDS.keys() >= {
        "AllDifferent",
        "AllOf",
        "Among",
        "Count",
        "DifferentIfPresent",
        "Evaluate",
        "Extreme",
        "Linear",
        "Product",
        "Same",
        "Select",
        "ValueTruths",
    }


def test_work_is_limited() -> None:
    text = "f : 1..9 --> 1..9 & f(1) * f(2) * f(3) + f(4) * f(5) * f(6) = f(7) * f(8) * f(9)"
    with pytest.raises(OutOfWork):
        for _ in solutions(text, handed_over=True, work=50):
            pass


def test_what_answers_does_not_keep_the_solver() -> None:
    kept: list[ref[twin.Twin]] = []

    class Seen(Noted):
        def __init__(self, cells: Sequence[Needed], told: Sequence[Variable]) -> None:
            super().__init__(cells, told)
            kept.append(ref(self))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stage, "WORTHWHILE", 1)
        patch.setattr(f"{__name__}.Noted", Seen)
        found = list(solutions("f : 1..4 --> 1..4 & iterate(f, 2) = f", handed_over=True))
    gc.collect()
    assert found
    assert kept
    assert all(each() is None for each in kept)
