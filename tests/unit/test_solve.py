"""The solver on problems whose solutions are known."""

from __future__ import annotations

import pytest

from secateur.lang.query import Question, understand
from secateur.maths.ast import conjuncts
from secateur.maths.evaluate.compiler import Compiler
from secateur.maths.evaluate.solver_stage import CodeCache, EnvironmentEvaluator
from secateur.maths.evaluate.universe import Universe
from secateur.maths.print import show
from secateur.maths.solve.explain import explain_unsatisfiable
from secateur.maths.solve.solver import solve
from secateur.maths.types import Given, Power, Type
from secateur.maths.values import Element, IllDefined, Undecided, Value

GIVEN = {"S": ("s1", "s2", "s3"), "COLOUR": ("red", "green", "blue"), "N": ("a", "b", "c", "d")}
ELEMENTS = {
    name: [Element(10 * i + j, each, name) for j, each in enumerate(names)]
    for i, (name, names) in enumerate(GIVEN.items())
}
NAMES = {
    **{name: frozenset(elements) for name, elements in ELEMENTS.items()},
    **{e.name: e for elements in ELEMENTS.values() for e in elements},
}
SCOPE: dict[str, Type] = {
    **{name: Power(Given(name)) for name in GIVEN},
    **{e.name: Given(e.set_name) for elements in ELEMENTS.values() for e in elements},
}
UNIVERSE = Universe({name: frozenset(elements) for name, elements in ELEMENTS.items()}, NAMES)


def _evaluator(question: Question) -> EnvironmentEvaluator:
    scope = Compiler(UNIVERSE).bind(question.unknowns)
    names = frozenset(b.name for b in question.unknowns)
    return EnvironmentEvaluator(CodeCache(scope), scope.environment(object()), names)


def solutions(text: str) -> tuple[list[dict[str, Value]], list[str]]:
    """Return the solutions of a predicate and the names that had no bound."""
    question = understand(text, SCOPE)
    gaps: list[str] = []
    found = solve(question.unknowns, conjuncts(question.formula), _evaluator(question), gaps.append)
    return list(found), gaps


QUEENS = (
    "queens : 1..8 >-> 1..8 & !(q1,q2).(q1:1..8 & q2:1..8 & q2>q1 =>"
    " queens(q1)+q2-q1 /= queens(q2) & queens(q1)-q2+q1 /= queens(q2))"
)
MONEY = (
    (
        "{S,E,N,D,M,O,R,Y} <: 0..9 & S>0 & M>0 & card({S,E,N,D,M,O,R,Y})=8 &"
        " S*1000+E*100+N*10+D + M*1000+O*100+R*10+E = M*10000+O*1000+N*100+E*10+Y"
    )
    .replace("S", "S0")
    .replace("N", "N0")
)
SUDOKU = (
    "board: 1..4 --> (1..4 --> 1..4) & board(1) = [1,2,3,4] & board(2)(1) = 3 & board(3)(1) = 2 &"
    " !(y,x1,x2).(y:1..4 & x1:1..4 & x2:1..4 & x1 /= x2 =>"
    " board(y)(x1) /= board(y)(x2) & board(x1)(y) /= board(x2)(y)) &"
    " !(p,q,i,j,k,l).(p:{0,2} & q:{0,2} & i:1..2 & j:1..2 & k:1..2 & l:1..2 & (i/=k or j/=l) =>"
    " board(p+i)(q+j) /= board(p+k)(q+l))"
)

COUNTS = {
    "x : 1..10 & x*x = 49": 1,
    "x > 3 & x < 6 & y = x + 1": 2,
    # Nothing but the domain of what is to be found bounds these identifiers.
    "q : 0..7 --> 0..2 & !x.(q(x) = 1 => q((x+1) mod 8) = 0)": 1154,
    "q : (0..2)*(0..3) --> BOOL & !(x,y).(q(x,y) = TRUE & x > 0 => q(x-1,y) = FALSE)": 625,
    "q : 0..11 --> BOOL & #x.(q(x) = TRUE & q((x+5) mod 12) = TRUE)"
    " & !x.(q(x) = FALSE => q((x+1) mod 12) = TRUE)": 320,
    "q : 0..40 --> BOOL & q(3) = TRUE & q(4) = TRUE & !x.(q(x) = TRUE => q((x+1) mod 41) = FALSE)": 0,
    QUEENS: 92,
    MONEY: 1,
    SUDOKU: 3,
    "c : N --> COLOUR & !(x,y).(x|->y : {a|->b, b|->c, c|->a, c|->d} => c(x) /= c(y))".replace(
        "c :", "k :"
    ).replace("c(x) /= c(y)", "k(x) /= k(y)"): 12,
    "r : S <-> S & r~ = r & r /= {}": 63,
    "f : S >->> S": 6,
    "f : S +-> BOOL": 27,
    "s <: 1..20 & SIGMA(x).(x:s|x) = 10": 10,
    "A : BOOL & B : BOOL & (A = TRUE <=> (A = FALSE or B = FALSE))": 1,
    "f : 1..3 --> NATURAL & f(1)+f(2)+f(3) = 4 & f(1) > f(2)": 6,
    "f : 1..n --> BOOL & n : 1..3": 14,
    "s : seq(1..3) & size(s) = 2 & s(1) < s(2)": 3,
    "p : perm(1..4) & p(1) = 2": 6,
    "p : iseq({1,2,3})": 16,
    "x : NATURAL & y : NATURAL & x > y & y > x": 0,
    "x : 1..100 & y : 2..9 & x mod y = 7 & x / y = 3": 2,
    "f : 1..3 --> 1..3 & !i.(i:1..3 => !v.(v:{f(i)} => !j.(j:1..3 & j>i => v < f(j))))": 1,
    "f : 1..2 --> 1..3 & #(a,b).(a|->b = f(1)|->f(2) & a > b)": 3,
    "f : 1..2 --> 1..3 & !(a,b,k).(a|->b : {f(1)|->f(2)} & k : 0..1 => a /= b + k)": 4,
    "f : 1..2 --> 1..3 & not(#a.(a = f(1) & (a = 1 or a = f(2))))": 4,
    "g : 1..4 >->> 1..4 & (g;g) = id(1..4)": 10,
    "r : 1..3 <-> 1..3 & closure1(r) = r & r /\\ id(1..3) = {}": 19,
    "p : struct(x:1..3, y:BOOL) & p'x > 1 & p'y = TRUE": 2,
    "x : 1..10000 & y : 1..10000 & x + y = 20000": 1,
    "x = 1 or x = 7": 2,
    "s <: 1..3 & t <: s & t /= s & u = s - t & card(u) = 1": 12,
    "dom(f) = 1..3 & ran(f) <: {4,5} & f : INTEGER +-> INTEGER": 8,
    "x : 1..3 & (x = 1 => y = 10) & (x /= 1 => y : 11..12)": 5,
    "s : POW(POW(1..2)) & card(s) = 2 & union(s) = 1..2": 4,
    "q : S --> POW(S) & !x.(x:S => x : q(x))": 64,
    "item: 1..4 --> 0..711 & SIGMA(i).(i:1..4|item(i)) = 711"
    " & PI(i).(i:1..4|item(i)) = 711000000": 24,
    'x : {"a","b"} & x /= "a"': 1,
    "f = %x.(x:NATURAL|x+1) & y = f(3)": 1,
    "x : 1..1000 & y : 1..1000 & x > y & y > x": 0,
    "h : NATURAL1 & (%x.(x:NATURAL|x*x))(h) = 10000": 1,
    "x : 2..100 & max({x, 5}) = 5": 4,
    "x : 0..20 & x mod 7 = 3 & x / 2 > 2": 2,
    "x : 0..20 & x ** 2 = 81": 1,
    "partition(S, u, v) & u /= {}": 7,
    "fib : 0..60 --> INTEGER & fib(0) = 1 & fib(1) = 1"
    " & !x.(x:2..60 => fib(x) = fib(x-1) + fib(x-2))": 1,
}


@pytest.mark.parametrize("text", COUNTS)
def test_number_of_solutions(text: str) -> None:
    found, gaps = solutions(text)
    assert len(found) == COUNTS[text]
    assert gaps == []
    assert len({tuple(each.items()) for each in found}) == len(found)


def test_send_more_money() -> None:
    ((solution,), _) = solutions(MONEY)
    assert list(solution.values()) == [9, 5, 6, 7, 1, 0, 8, 2]


@pytest.mark.parametrize(
    ("text", "name", "count"),
    [
        ("x : NATURAL", "x", 4),
        ("x > 5", "x", 1),
        ("s <: NATURAL & card(s) = 2", "s", 6),
        ("f : NATURAL --> NATURAL", "f", 0),
    ],
)
def test_what_has_no_bound_is_named(text: str, name: str, count: int) -> None:
    found, gaps = solutions(text)
    assert set(gaps) == {name}
    assert len(found) == count


def test_of_strings_without_bound_a_few_are_tried() -> None:
    found, gaps = solutions('x : STRING & x /= "a"')
    assert [s["x"] for s in found] == ["STRING1", "STRING2"]
    assert gaps == ["x among a few strings is assumed: it has no bound"]


def test_reals_without_bound_are_undecided() -> None:
    with pytest.raises(Undecided, match="x has no bound"):
        solutions("x : REAL & x /= 1.0")


@pytest.mark.parametrize(
    ("text", "count"), [("x : 0..5 & 10/x = 2", 2), ("f : 1..3 +-> 1..5 & f(1) = 3", 36)]
)
def test_ill_defined_where_all_others_hold_is_raised_after_the_solutions(
    text: str, count: int
) -> None:
    question = understand(text, SCOPE)
    found = solve(question.unknowns, conjuncts(question.formula), _evaluator(question), print)
    for _ in range(count):
        next(found)
    with pytest.raises(IllDefined):
        next(found)


@pytest.mark.parametrize(
    "text", ["x : 0..5 & 10/x = 2 & x /= 0", "f : 1..3 +-> 1..5 & f(1) = 3 & 1 : dom(f)"]
)
def test_ill_defined_does_not_matter_where_another_constraint_fails(text: str) -> None:
    assert len(solutions(text)[0]) in (2, 36)


def test_the_order_is_the_same_every_time() -> None:
    text = 's <: {"a","b","c"} & card(s) = 2 & t : {"x","y"}'
    assert solutions(text) == solutions(text)


@pytest.mark.parametrize(
    ("text", "culprit"),
    [
        ("x : 1..9 & x > 3 & y : 1..4 & x + y > 20 & y = 1", "x + y > 20"),
        ("1 = 2 & x : 1..3", "1 = 2"),
        ("x : 1..3 & x > 1", None),
        ("x : 1..3 & 10/(x-x) = 1", None),
    ],
)
def test_the_first_constraint_that_cannot_be_met(text: str, culprit: str | None) -> None:
    question = understand(text, SCOPE)
    found = explain_unsatisfiable(
        question.unknowns, conjuncts(question.formula), _evaluator(question)
    )
    assert (None if found is None else show(found)) == culprit
