"""Integers without a written bound: what the solver finds is what trying every number finds."""

from __future__ import annotations

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from secateur.lang.query import understand
from secateur.maths.ast import conjuncts
from secateur.maths.evaluate.compiler import Compiler
from secateur.maths.evaluate.environment import GAPS
from secateur.maths.evaluate.plan import plan_solutions
from secateur.maths.evaluate.universe import Universe
from secateur.maths.operators.integers import divide
from secateur.maths.solve.network import Conflict, Network, Scalar
from secateur.maths.solve.quotient import Power, Quotient, Remainder
from secateur.maths.values import outline
from tests.effort import fewer

WINDOW = range(-12, 13)


def solutions(text: str) -> tuple[set[tuple[object, ...]], list[str]]:
    """Return the solutions of a predicate, in the order of its unknowns, and what had no bound.

    Rules are told apart as they are written.
    """
    question = understand(text, {})
    scope = Compiler(Universe()).bind(question.unknowns)
    plan = plan_solutions(scope, question.unknowns, conjuncts(question.formula))
    env = scope.environment(object())
    found = {tuple(outline(env[i]) for i in plan.places) for _ in plan.run(env)}
    return found, env[GAPS]


@fewer(4)
@given(
    st.integers(1, 5), st.integers(0, 130), st.integers(-3, 3), st.sampled_from(["<=", "<", "="])
)
def test_even_powers_bound_their_base(half: int, limit: int, shift: int, how: str) -> None:
    found, gaps = solutions(f"(x + {shift})**{2 * half} {how} {limit}")
    compare = {"<=": int.__le__, "<": int.__lt__, "=": int.__eq__}[how]
    expected = {(x,) for x in range(-20, 21) if compare((x + shift) ** (2 * half), limit)}
    assert (found, gaps) == (expected, [])


@fewer(4)
@given(st.integers(-200, 200), st.integers(-200, 200), st.sampled_from([3, 5]))
def test_odd_powers_bound_their_base(low: int, high: int, exponent: int) -> None:
    found, gaps = solutions(f"x**{exponent} >= {low} & x**{exponent} <= {high}")
    assert found == {(x,) for x in range(-20, 21) if low <= x**exponent <= high}
    assert not gaps


@fewer(4)
@given(st.integers(-9, 60), st.integers(0, 60))
def test_products_with_themselves_bound_their_factors(low: int, high: int) -> None:
    found, gaps = solutions(f"x * x >= {low} & x * x <= {high}")
    assert found == {(x,) for x in WINDOW if low <= x * x <= high}
    assert not gaps


@given(
    st.tuples(st.integers(-9, 9), st.integers(0, 9)),
    st.tuples(st.integers(-90, 90), st.integers(0, 90)),
    st.integers(1, 5),
)
def test_narrowing_a_power_loses_nothing(
    base: tuple[int, int], result: tuple[int, int], exponent: int
) -> None:
    x = Scalar(base[0], base[0] + base[1])
    y = Scalar(result[0], result[0] + result[1])
    pairs = [(a, b) for a, b in product(x.listed(), y.listed()) if a**exponent == b]
    net = Network()
    net.add(Power(y, x, exponent), x, y)
    try:
        net.propagate()
    except Conflict:
        assert not pairs
        return
    assert all(x.possible(a) and y.possible(b) for a, b in pairs)


@given(
    st.tuples(st.integers(-9, 30), st.integers(0, 40)),
    st.tuples(st.integers(-4, 6), st.integers(0, 4)),
    st.tuples(st.integers(-9, 9), st.integers(0, 9)),
    st.sampled_from([Quotient, Remainder]),
)
def test_narrowing_a_division_loses_nothing(
    base: tuple[int, int],
    by: tuple[int, int],
    result: tuple[int, int],
    kind: type[Quotient | Remainder],
) -> None:
    x, y, z = (Scalar(low, low + width) for low, width in (base, by, result))
    ways = [
        (a, b, c)
        for a, b, c in product(x.listed(), y.listed(), z.listed())
        if _divided(kind, a, b) in (None, c)
    ]
    net = Network()
    net.add(kind(z, x, y), x, y, z)
    try:
        net.propagate()
    except Conflict:
        assert not ways
        return
    assert all(x.possible(a) and y.possible(b) and z.possible(c) for a, b, c in ways)


def _divided(kind: type[Quotient | Remainder], a: int, b: int) -> int | None:
    """Return the quotient or remainder; None where it is ill-defined and anything may be."""
    if kind is Remainder:
        return a % b if a >= 0 and b > 0 else None
    return None if b == 0 else int(divide(a, b))


@fewer(4)
@given(st.integers(2, 9), st.integers(0, 9), st.integers(0, 30))
def test_dividends_over_long_intervals_are_stepped_through(by: int, rest: int, low: int) -> None:
    end = 10**9
    found, gaps = solutions(f"x : {low}..10**9 & x mod {by} = {rest} & x < {low + 60}")
    assert found == {(x,) for x in range(low, low + 60) if x % by == rest}
    found, gaps = solutions(f"x : 1..10**9 & y : 2..{by} & x mod y = {rest} & x > 10**9 - 30")
    expected = {(x, y) for x in range(end - 29, end + 1) for y in range(2, by + 1) if x % y == rest}
    assert (found, gaps) == (expected, [])


@fewer(4)
@given(
    st.lists(
        st.tuples(st.sampled_from("xyz"), st.sampled_from("xyz"), st.integers(-2, 2)),
        min_size=1,
        max_size=4,
    )
)
def test_cycles_of_differences(parts: list[tuple[str, str, int]]) -> None:
    text = " & ".join(f"{a} <= {b} + ({k})" for a, b, k in parts)
    found, gaps = solutions(f"x : INTEGER & y : INTEGER & z : INTEGER & {text}")
    window = range(-9, 10)
    possible = any(
        all(v[a] <= v[b] + k for a, b, k in parts)
        for v in (dict(zip("xyz", w, strict=True)) for w in product(window, repeat=3))
    )
    assert possible or (not found and not gaps)
    assert not possible or found or gaps


RULES = ("x * x", "2 * x + 1", "x * x * x", "3 - x", "x + x", "(x - 2) ** 2")


@fewer(4)
@given(
    st.sampled_from(RULES), st.integers(-5, 40), st.sampled_from(["INTEGER", "NATURAL", "-9..9"])
)
def test_the_argument_of_a_rule_is_found(rule: str, value: int, domain: str) -> None:
    found, gaps = solutions(f"f = %x.(x : {domain} | {rule}) & {value} = f(y) & y : INTEGER")
    least = {"INTEGER": -50, "NATURAL": 0, "-9..9": -9}[domain]
    greatest = 9 if domain == "-9..9" else 50
    expected = {x for x in range(least, greatest + 1) if _compute(rule, x) == value}
    assert {solution[1] for solution in found} == expected
    assert not gaps


def _compute(rule: str, x: int) -> int:
    return int(eval(rule, {"x": x}))


def test_what_is_outside_the_domain_is_not_tried_where_nothing_else_bounds_it() -> None:
    assert {s[1] for s in solutions("f = %x.(x : NATURAL | x * x) & f(y) = 16")[0]} == {4}
    roots = "f = {x, y | x : NATURAL & y**2 >= x & (y - 1)**2 < x} & f(s) = 3"
    assert {s[1] for s in solutions(roots)[0]} == {5, 6, 7, 8, 9}


def test_rules_applied_to_each_other_are_written_out() -> None:
    assert {s[1] for s in solutions("f = %x.(x : INTEGER | x + x) & f(f(f(y))) = 1000")[0]} == {125}
    assert solutions("f = %x.(x : INTEGER | x + x) & f(f(f(f(y)))) = 1000") == (set(), [])
    assert {s[1] for s in solutions("f = %x.(x : INTEGER | x + y) & f(5) = 1005")[0]} == {1000}


def test_named_intervals_bound_what_ranges_over_them() -> None:
    found, gaps = solutions("x : s & s = -n..n & n > 5 & n < 7 & x * 2 = n")
    assert len(found) == 1
    assert not gaps
    found, gaps = solutions("s = 0..n & f : 1..2 --> s & n : 1..2 & f(1) + f(2) = 4")
    assert len(found) == 1
    assert not gaps
