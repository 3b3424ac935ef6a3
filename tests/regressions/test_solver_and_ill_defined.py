"""The solver tells what is ill-defined where going through all values tells it, and loses no solution.

Propagation took for granted that terms have values: a contradiction that came of a term without
one was taken for one of the model.
"""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest

import secateur
from secateur.lang.query import understand
from secateur.maths.ast import conjuncts, free_names
from secateur.maths.evaluate.compiler import Compiler
from secateur.maths.evaluate.solver_stage import CodeCache, EnvironmentEvaluator
from secateur.maths.evaluate.universe import Universe
from secateur.maths.solve.definedness import NEVER, Definedness
from secateur.maths.solve.solver import solve
from secateur.maths.values import IllDefined

UNTOLD = {
    "q : 1..4 -->> 0..2 & q~(q(1)) > 9": 0,
    "q : 1..7 -->> 0..2 & q(1) = 1 & !x.(x : 2..7 => q~(q(x)) = x)": 0,
    "q : 1..4 -->> 0..2 & q~(0) > 9": 0,
    "q : 1..3 >+> 0..3 & q~(0) > 9": 0,
    "q : iseq(0..3) & q~(0) > 9": 0,
    "q : 0..1 +-> perm(0..2) & q(1)~(0) > 9": 0,
    "q : 0..1 --> iseq(0..2) & q(1)~(0) > 9": 0,
    "q : 1..3 >->> 0..2 & q~(q~(0)) > 9": 0,
    "q : 1..3 --> 0..3 & q(q(1)) > 9": 0,
    "q : 0..1 --> iseq(0..1) & first(q(1)) > 9": 0,
    "q : 1..q(1) --> 1..2 & dom(q) <: 1..2 & ran(q) <: 1..2": 3,
    "q : 1..3 --> 0..5 & #x.(x : 1..3 & #x.(x : 1..5 & q(x) > 9))": 0,
    "q : {[], [1], [2]} +-> 0..1 & top(q) > 9": 0,
    "q : {[], [1], [2]} +-> 0..1 & q : tree(0..1) & size(son(q, [], 2)) > 9": 0,
    "q : {[], [1], [2]} +-> 0..1 & q : tree(0..1) & size(infix(q)) > 9": 0,
    "q : {[], [1], [2]} +-> 0..1 & sizet(const(0, [bin(1), q])) > 9": 0,
    "q : seq(0..1) & size(q) <= 3 & !(x, y).(x : 1..3 & y : 1..3 & q(x) = q(y) => x = y)": 0,
    "q <: 0..9 & 12 = min(q)": 0,
    "q <: 0..9 & max(q) < max(q)": 0,
    "q : 1..5 +-> 0..5 & (q(1) > 9 or 2 < 0)": 0,
    "q : 1..5 --> 0..5 & q(1) = 1 & q(q(2)) > 9": 0,
}
SOUND = {
    "q : 1..3 >->> 0..2 & q~(0) = 3 & q(q~(1)) = 1 & q~(q(1)) = 1": 2,
    "q : 0..1 --> perm(1..3) & q(1)~(1) = 3 & q(0)~(q(1)(1)) = 3 & q(0)(1) = 3": 1,
    "q : 1..2 >-> 0..3 & 0 : ran(q) & q~(0) = 2": 3,
    "q : {[], [1], [2]} +-> 0..1 & q : tree(0..1) & top(q) = 1 & arity(q, []) = 1": 2,
    "q : {[], [1], [2]} +-> 0..1 & q : btree(0..1) & size(infix(q)) = 3": 8,
    "q : 1..4 >-> 1..4 & !(x, y).(x : 1..4 & y : 1..4 & x < y => q(x) + y - x /= q(y) & q(y) + y - x /= q(x))": 2,
    "q : seq(0..1) & size(q) = 3 & q(1) = q(3) & first(q) = 1": 2,
    "q <: 0..4 & q /= {} & min(q) = 3": 2,
    "q : 0..3 --> 0..1 & !x.(q(x) = 1 => q((x + 1) mod 4) = 0)": 7,
}


def _check(folder: Path, properties: str) -> secateur.Result:
    file = folder / "Solved.mch"
    text = f"MACHINE Solved CONSTANTS q PROPERTIES {properties} END"
    file.write_text(text, encoding="utf-8")
    return secateur.load(file).check(all=True, deadlock=False)


def _faults(result: secateur.Result) -> list[str]:
    return [v.name for v in result.violations if v.kind.value == "welldefinedness"]


@pytest.mark.parametrize(("properties", "solutions"), UNTOLD.items())
def test_it_is_told(tmp_path: Path, properties: str, solutions: int) -> None:
    result = _check(tmp_path, properties)
    assert _faults(result) == ["SETUP_CONSTANTS"]
    assert result.statistics.operations.get("SETUP_CONSTANTS", 0) == solutions


@pytest.mark.parametrize(("properties", "solutions"), SOUND.items())
def test_there_is_nothing_to_tell(tmp_path: Path, properties: str, solutions: int) -> None:
    result = _check(tmp_path, properties)
    assert _faults(result) == []
    assert result.exhaustive
    assert result.statistics.operations["SETUP_CONSTANTS"] == solutions


FOLLOWS = (
    "q : 1..9 >->> 0..8 & !x.(x : 1..9 => q~(q(x)) = x)",
    "q : 1..9 >->> 0..8 & !x.(x : 0..8 => q(q~(x)) = x)",
    "q : 0..9 --> perm(1..9) & !x.(x : 0..9 => !y.(y : 1..9 => q(x)~(y) = 1))",
    "q : 1..9 >-> 0..99 & !x.(x : ran(q) => q~(x) = 1)",
    "q : 0..9 --> seq(1..9) & !x.(x : 0..9 => size(q(x)) = 1)",
    "q : tree(0..9) & !x.(x : dom(q) => arity(q, x) = q(x))",
    "q : btree(0..9) & size(infix(q)) = sizet(mirror(subtree(q, [])))",
)
FOLLOWS_NOT = (
    "q : 1..9 --> 0..8 & !x.(x : ran(q) => q~(x) = 1)",
    "q : 1..9 -->> 0..8 & !x.(x : ran(q) => q~(x) = 1)",
    "q : 1..9 +->> 0..8 & !x.(x : ran(q) => q~(x) = 1)",
    "q : 1..9 -->> 0..8 & !x.(x : 1..9 => q~(q(x)) = x)",
    "q : seq(0..8) & !x.(x : ran(q) => q~(x) = 1)",
    "q : 0..9 --> seq1(1..9) & !(x, y).(x : 0..9 & y : ran(q(x)) => q(x)~(y) = 1)",
    "q : 1..9 -->> 0..8 & !x.(x : 0..8 => q~(x) = 1)",
    "q : 1..9 >+> 0..8 & !x.(x : 0..8 => q~(x) = 1)",
    "q : 1..9 >-> 0..8 & !x.(x : 0..8 => q~(x) = 1)",
    "q : 1..9 >+>> 0..8 & !x.(x : 1..9 => q(x) = 1)",
    "q : 1..9 >->> 0..8 & !x.(x : 0..9 => q~(x) = 1)",
    "q : 1..9 >->> 0..8 & !x.(x : 1..9 => q(q(x)) = 1)",
    "q : 0..9 +-> perm(1..9) & !x.(x : 0..9 => q(x)~(1) = 1)",
    "q : 0..9 --> iseq(1..9) & !(x, y).(x : 0..9 & y : 1..9 => q(x)~(y) = 1)",
    "q : 0..9 <-> perm(1..9) & !x.(x : 0..9 => q(x)~(1) = 1)",
    "q : 0..9 --> seq(1..9) & !x.(x : 0..9 => first(q(x)) = 1)",
    "q : 1..9 >->> 0..8 & !q.(q : 0..9 +-> 0..8 => !x.(x : 0..8 => q~(x) = 1))",
    "n : 3..4 & q : 1..n --> 0..8 & !n.(n : 5..6 => !x.(x : 1..n => q(x) = 1))",
    "q : 1..3 --> 0..5 & #x.(x : 1..3 & #x.(x : 1..5 & q(x) = 9))",
    "q : 1..q(1) --> 1..2",
    "q : 1..r(1) --> 1..2 & r : 1..q(1) --> 1..2",
    "q : 1..9 --> tree(0..9) & !x.(x : 1..9 => size(infix(q(x))) = 1)",
    "q : btree(0..9) & top(left(q)) = 1",
    "q : tree(0..9) & !x.(x : dom(q) => size(father(q, x)) = 1)",
    "q : tree(0..9) & !x.(x : dom(q) => size(son(q, x, 1)) = 1)",
    "q : seq(tree(0..9)) & sizet(const(1, q)) = 3",
)


def _doubts(text: str) -> int:
    question = understand(text, {})
    constraints = conjuncts(question.formula)
    known = Definedness(frozenset(b.name for b in question.unknowns), constraints)
    goals = [clause.goal for e in constraints for clause in known.clauses(e)]
    return sum(bool(free_names(goal)) or goal == NEVER for goal in goals)


@pytest.mark.parametrize("text", FOLLOWS)
def test_what_spaces_say_need_not_be_asked(text: str) -> None:
    in_doubt = 1 if "subtree" in text else 0  # that there is a root is not known from the form
    assert _doubts(text) == in_doubt


@pytest.mark.parametrize("text", FOLLOWS_NOT)
def test_what_spaces_do_not_say_is_asked(text: str) -> None:
    assert _doubts(text)


NEARLY_KNOWN = "g : 1..12 --> 0..3 & !i.(i : 1..12 & i /= 3 => g(i) = 0)"
"""Few functions, but many if they are tried: the solver is asked."""
RELATION = "{1|->3,1|->4,2|->3,3|->3,0|->1}"
LOST = {
    "a known relation is no function": f"{RELATION}(g(3)) = 3",
    "nor is one behind a name": f"x : 3..4 & r = {RELATION} & r(g(x)) = 3",
    "within a set": "card({u | u : 0..2 & g(3) /= {0|->1,1|->2,2|->0,2|->1}(u)}) = 0",
    "within LET": "(LET t BE t = {1|->5}(g(3)) IN t + 1 END) = 7",
    "two functions of one identifier": (
        "f : 1..12 +-> 0..2 & dom(f) <: 1..2 & ran(f) = {1} & !z.(g(z) = 1 => f(z) = 2)"
    ),
    "and it is bounded": (
        "f : 1..12 +-> 0..2 & dom(f) <: 1..2 & ran(f) = {1} & !z.(z : 1..12 & g(z) = 1 => f(z) = 2)"
    ),
}


@pytest.mark.parametrize("condition", LOST.values(), ids=LOST)
def test_an_error_that_was_met_is_not_forgotten(condition: str) -> None:
    question = understand(f"{NEARLY_KNOWN} & {condition}", {})
    scope = Compiler(Universe()).bind(question.unknowns)
    names = frozenset(b.name for b in question.unknowns)
    evaluator = EnvironmentEvaluator(CodeCache(scope), scope.environment(object()), names)
    with pytest.raises(IllDefined):
        list(solve(question.unknowns, conjuncts(question.formula), evaluator, print))


def test_what_is_defined_by_something_vague_is_found() -> None:
    """Of the seven solutions, the solver found one."""
    text = "q : seq(0..1) & size(q) <= 3 & y : 0..2 & q(first(q)) = y"
    question = understand(text, {})
    scope = Compiler(Universe()).bind(question.unknowns)
    names = frozenset(b.name for b in question.unknowns)
    evaluator = EnvironmentEvaluator(CodeCache(scope), scope.environment(object()), names)
    gaps: list[str] = []
    constraints = conjuncts(question.formula)
    solutions = solve(question.unknowns, constraints, evaluator, gaps.append)
    assert len(list(islice(solutions, 7))) == 7
    with pytest.raises(IllDefined):
        next(solutions)
