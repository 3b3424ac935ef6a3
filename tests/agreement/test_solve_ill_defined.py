"""Partial operators on unknowns: the solver says of them what trying every value says."""

from __future__ import annotations

from itertools import combinations, permutations, product
from typing import Final

from hypothesis import assume, given
from hypothesis import strategies as st

from secateur.lang.query import understand
from secateur.maths.ast import conjuncts
from secateur.maths.evaluate.compiler import Compiler
from secateur.maths.evaluate.solver_stage import CodeCache, EnvironmentEvaluator
from secateur.maths.evaluate.universe import Universe
from secateur.maths.solve.solver import solve
from secateur.maths.symbolic import as_sequence
from secateur.maths.symbolic.trees import labels
from secateur.maths.values import IllDefined, Undecided, Value
from tests.effort import fewer


def _functions(domain: tuple[Value, ...], values: tuple[Value | None, ...]) -> list[Value]:
    return [
        frozenset((x, y) for x, y in zip(domain, image, strict=True) if y is not None)
        for image in product(values, repeat=len(domain))
    ]


def _range(function: Value) -> set[Value]:
    return {y for _, y in function}


def _injective(functions: list[Value]) -> list[Value]:
    return [f for f in functions if len(_range(f)) == len(f)]


_ORDERS: Final = (as_sequence((1, 2)), as_sequence((2, 1)))
_NODES: Final = (as_sequence(()), as_sequence((1,)), as_sequence((2,)))
SPACES: Final[dict[str, tuple[str, list[Value]]]] = {
    "q": (
        "q : seq(0..1) & size(q) <= 3",
        [as_sequence(items) for n in range(4) for items in product((0, 1), repeat=n)],
    ),
    "f": ("f : 1..3 +-> 0..2", _functions((1, 2, 3), (None, 0, 1, 2))),
    "g": ("g : 1..2 --> 0..2", _functions((1, 2), (0, 1, 2))),
    "s": ("s <: 0..3", [frozenset(c) for n in range(5) for c in combinations(range(4), n)]),
    "x": ("x : 0..3", [0, 1, 2, 3]),
    "b": ("b : 1..3 >->> 0..2", _injective(_functions((1, 2, 3), (0, 1, 2)))),
    "e": (
        "e : iseq(0..2)",
        [as_sequence(items) for n in range(4) for items in permutations((0, 1, 2), n)],
    ),
    "h": ("h : 0..2 >-> 0..3", _injective(_functions((0, 1, 2), (0, 1, 2, 3)))),
    "k": ("k : 1..2 >+> 0..2", _injective(_functions((1, 2), (None, 0, 1, 2)))),
    "u": ("u : 1..3 -->> 0..1", [f for f in _functions((1, 2, 3), (0, 1)) if len(_range(f)) == 2]),
    "m": ("m : 0..1 --> perm(1..2)", _functions((0, 1), _ORDERS)),
    "n": ("n : 0..1 +-> perm(1..2)", _functions((0, 1), (None, *_ORDERS))),
    "r": ("r : {[], [1], [2]} +-> 0..1", _functions(_NODES, (None, 0, 1))),
    "t": (
        "t : {[], [1], [2]} +-> 0..1 & t : tree(0..1)",
        [t for t in _functions(_NODES, (None, 0, 1)) if labels(t) is not None],
    ),
}
ON_INVERSES: Final = ("b", "e", "h", "k", "m", "n", "u", "x")
ON_TREES: Final = ("r", "t", "x")
OTHERS: Final = ("f", "g", "q", "s", "x")
_TREE_TERMS: Final = (
    "top(?)",
    "?([@])",
    "sizet(?)",
    "arity(?, [])",
    "arity(?, [@])",
    "rank(?, [@])",
    "size(father(?, [@]))",
    "size(son(?, [], @))",
    "?(son(?, [], @))",
    "arity(?, son(?, [], @))",
    "top(subtree(?, [@]))",
    "top(left(?))",
    "sizet(right(?))",
    "size(infix(?))",
    "first(prefix(?))",
    "last(postfix(?))",
    "size(sons(?))",
    "sizet(mirror(?))",
    "sizet(const(@, [?, bin(@)]))",
    "sizet(bin(?, @, bin(@)))",
)
TERMS: Final = {
    "q": ("q(@)", "q(@)", "first(q)", "size(q)", "last(q)", "size(tail(q))"),
    "f": ("f(@)", "f(@)", "card(f)", "min(ran(f))"),
    "g": ("g(@)", "g(@)"),
    "s": ("min(s)", "max(s)", "card(s)"),
    "x": ("x", "x"),
    "b": ("b(@)", "b~(@)", "b~(@)", "b~(b(@))", "b(b~(@))"),
    "e": ("e(@)", "e~(@)", "e~(@)", "e~(e(@))", "e(e~(@))"),
    "h": ("h(@)", "h~(@)", "h~(@)", "h~(h(@))", "h(h~(@))", "h(h(@))"),
    "k": ("k(@)", "k~(@)", "k~(@)", "k~(k(@))", "k(k~(@))"),
    "m": ("m(@)(@)", "m(@)~(@)", "m(@)~(m(@)(@))", "first(m(@))", "size(tail(m(@)))"),
    "n": ("n(@)(@)", "n(@)~(@)", "n(@)~(n(@)(@))", "first(n(@))", "size(tail(n(@)))"),
    "u": ("u(@)", "u~(@)", "u~(@)", "u~(u(@))", "u(u~(@))"),
    "r": tuple(term.replace("?", "r") for term in _TREE_TERMS),
    "t": tuple(term.replace("?", "t") for term in _TREE_TERMS),
}
SETS: Final = {
    "q": ("ran(q)", "dom(q)"),
    "f": ("dom(f)", "ran(f)"),
    "g": ("ran(g)",),
    "s": ("s",),
    "x": (),
    "b": ("ran(b)", "dom(b)"),
    "e": ("ran(e)", "dom(e)"),
    "h": ("ran(h)", "dom(h~)"),
    "k": ("ran(k)", "dom(k)"),
    "m": ("dom(m)", "ran(m(1))"),
    "n": ("dom(n)",),
    "u": ("ran(u)", "u~[{1}]"),
    "r": ("ran(r)",),
    "t": ("ran(t)",),
}


class _Constraints:
    """Draws constraints on some unknowns."""

    def __init__(self, draw: st.DrawFn, unknowns: tuple[str, ...]) -> None:
        self._draw = draw
        self._terms = tuple(term for name in unknowns for term in TERMS[name])
        self._sets = ("0..2", "1..3", "1..2", "{0, 3}", *(s for n in unknowns for s in SETS[n]))

    def _pick(self, items: tuple[str, ...]) -> str:
        return self._draw(st.sampled_from(items))

    def number(self, depth: int, bound: tuple[str, ...]) -> str:
        """Return an expression for a number; `@` stands for another one."""
        atoms = ("0", "1", "2", "3", *bound * 3)
        if depth == 0:
            return self._pick(atoms)
        form = self._pick(
            (*atoms, "(@ + @)", "(@ / @)", "(@ mod @)", "(@ - @)", *self._terms, *self._terms)
        )
        while "@" in form:
            form = form.replace("@", self.number(depth - 1, bound), 1)
        return form

    def predicate(self, depth: int, bound: tuple[str, ...] = ()) -> str:
        """Return a predicate."""
        way = self._draw(st.integers(0, 9)) if depth else 0
        if way < 4:
            relation = self._pick(("=", "/=", "<", "<=", "="))
            return f"{self.number(depth, bound)} {relation} {self.number(depth, bound)}"
        if way == 4:
            return f"{self.number(depth, bound)} : {self._pick(self._sets)}"
        if way == 5:
            join = self._pick(("or", "=>", "&"))
            return f"({self.predicate(depth - 1, bound)} {join} {self.predicate(depth - 1, bound)})"
        if way == 6 or bound:
            return f"not({self.predicate(depth - 1, bound)})"
        names = ("i", "j")[: self._draw(st.integers(1, 2))]
        members = " & ".join(f"{name} : {self._pick(self._sets)}" for name in names)
        first, second = self.predicate(depth - 1, names), self.predicate(depth - 1, names)
        body = (f"{members} & {first}", f"{members} & {first} => {second}", f"{members} => {first}")
        return f"{'#' if way == 7 else '!'}({', '.join(names)}).({body[way - 7]})"


@st.composite
def problems(
    draw: st.DrawFn, among: tuple[str, ...] = OTHERS
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return unknowns, and constraints on them."""
    unknowns = tuple(sorted(draw(st.sets(st.sampled_from(among), min_size=1, max_size=2))))
    constraints = _Constraints(draw, unknowns)
    return unknowns, tuple(constraints.predicate(2) for _ in range(draw(st.integers(1, 3))))


def _run(text: str, names: tuple[str, ...]) -> tuple[list[tuple[Value, ...]], bool]:
    question = understand(text, {})
    scope = Compiler(Universe()).bind(question.unknowns)
    env = scope.environment(object())
    evaluator = EnvironmentEvaluator(CodeCache(scope), env, frozenset(names))
    gaps: list[str] = []
    found: list[tuple[Value, ...]] = []
    try:
        for solution in solve(
            question.unknowns, conjuncts(question.formula), evaluator, gaps.append
        ):
            found.append(tuple(solution[name] for name in names))  # noqa: PERF401 - errors come later
    except IllDefined:
        return found, True
    except Undecided:
        assume(False)  # it is said that this was not found out
    assert not gaps
    return found, False


def _expected(text: str, names: tuple[str, ...]) -> tuple[set[tuple[Value, ...]], bool]:
    question = understand(text, {})
    scope = Compiler(Universe()).bind(question.unknowns)
    codes = [scope.code(e) for e in conjuncts(question.formula)]
    env = scope.environment(object())
    solutions: set[tuple[Value, ...]] = set()
    ill_defined = False
    for values in product(*(SPACES[name][1] for name in names)):
        for name, value in zip(names, values, strict=True):
            env[scope.place(name)] = value
        truths: list[bool | None] = []
        for code in codes:
            try:
                truths.append(bool(code(env)))
            except IllDefined:
                truths.append(None)
        if all(truths):
            solutions.add(values)
        elif False not in truths:
            ill_defined = True
    return solutions, ill_defined


@fewer(2)
@given(problems())
def test_what_trying_every_value_says(problem: tuple[tuple[str, ...], tuple[str, ...]]) -> None:
    _compare(*problem)


@fewer(2)
@given(problems(ON_INVERSES))
def test_inverses_and_functions_with_functions_as_values(
    problem: tuple[tuple[str, ...], tuple[str, ...]],
) -> None:
    _compare(*problem)


@fewer(2)
@given(problems(ON_TREES))
def test_operators_on_trees(problem: tuple[tuple[str, ...], tuple[str, ...]]) -> None:
    _compare(*problem)


def _compare(names: tuple[str, ...], constraints: tuple[str, ...]) -> None:
    parts = [SPACES[name][0] for name in names] + [f"({e})" for e in constraints]
    text = " & ".join(parts)
    found, raised = _run(text, names)
    expected, ill_defined = _expected(text, names)
    assert len(found) == len(set(found)), text
    assert set(found) == expected, text
    assert raised == ill_defined, text
