"""What listing may cost, and what is known of rules that are not listed because of it."""

from __future__ import annotations

from math import inf
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from secateur.lang.query import understand
from secateur.maths.evaluate.closures import RuleRelation, RuleSet
from secateur.maths.evaluate.compiler import Compiler
from secateur.maths.evaluate.effort import Meter, OutOfEffort, Pool, counted, on_demand, within
from secateur.maths.evaluate.universe import Universe
from secateur.maths.values import IllDefined, Undecided

PAIRS = "(0..299) * (0..299)"
SUM = "%(x, y).(x : 0..299 & y : 0..299 | (x + y) mod 300)"
SPARSE = "{x, y | x : 1..410 & y : 1..410 & (x * x * x + y * y * 7) mod 100003 = 0}"
(FOUND,) = [
    (x, y) for x in range(1, 411) for y in range(1, 411) if (x**3 + y * y * 7) % 100003 == 0
]
VAST = "%(x, y).(x : 0..99999 & y : 0..99999 | (x + y) mod 100000)"


def value(text: str) -> Any:
    question = understand(text, {})
    compiler = Compiler(Universe())
    code = compiler.code(question.formula)
    return code(compiler.environment(object()))


def holds(text: str) -> bool:
    found = value(f"bool({text})")
    assert isinstance(found, bool)
    return found


# -- the meter --------------------------------------------------------------------------------


def test_work_ends_where_its_steps_do() -> None:
    meter = Meter()
    assert within(meter, 10, lambda: list(counted(meter, range(10)))) == list(range(10))
    assert within(meter, 9, lambda: list(counted(meter, range(10)))) is None
    assert meter.left == inf


def test_the_caller_pays_too_and_is_told_when_it_is_the_one_to_run_out() -> None:
    meter = Meter()

    def inner() -> int:
        meter.spend(6)
        return 1

    def outer() -> list[int | None]:
        return [within(meter, 7, inner), within(meter, 5, inner), within(meter, 7, inner)]

    assert within(meter, 100, outer) == [1, None, 1]
    assert within(meter, 10, outer) is None, "6 steps, 5 more, and then no third piece of work"
    meter.left = 3
    with pytest.raises(OutOfEffort):
        within(meter, 7, inner)


def test_a_pool_is_shared_by_what_enters_it() -> None:
    meter = Meter()
    pool = Pool(meter, 10)

    def work() -> int:
        meter.spend(6)
        return 1

    with pool:
        assert on_demand(meter, work) == 1
    with pool:
        assert on_demand(meter, work) is None
        assert on_demand(meter, lambda: 2, expected=5) is None
    assert on_demand(meter, work, expected=6) == 1, "outside there is no pool"


# -- rules that are dear ----------------------------------------------------------------------


def test_what_takes_long_to_list_stays_a_rule_and_is_listed_where_it_must_be() -> None:
    assert isinstance(value(SUM), RuleRelation)
    assert isinstance(value(SPARSE), RuleSet)
    assert holds(f"{SPARSE} = {{{FOUND}}}")
    assert holds(f"card({SUM}) = 90000")
    assert holds(f"({SUM})(299, 2) = 1")


def test_a_dear_rule_equals_what_is_listed_as_an_element_too() -> None:
    assert hash(value(SPARSE)) == hash(frozenset({FOUND}))
    assert holds(f"{SPARSE} : {{{{{FOUND}}}, {{(1, 2)}}}}")
    assert holds(f"{{{FOUND}}} : {{{SPARSE}}}")
    assert holds(f"{SPARSE} /= {{(1, 2)}}")


def test_what_cannot_be_listed_is_undecided_rather_than_different() -> None:
    with pytest.raises(Undecided):
        holds(f"{VAST} : {{{{((1, 2), 3)}}}}")
    with pytest.raises(Undecided):
        holds(f"ran({VAST}) = 0..99999")
    assert holds(f"card({VAST}) = 10 ** 10")
    assert holds(f"dom({VAST}) = (0..99999) * (0..99999)")


@pytest.mark.parametrize(
    ("space", "expected"),
    [
        (f"{PAIRS} --> 0..299", True),
        (f"{PAIRS} --> 0..298", False),
        (f"{PAIRS} +-> 0..299", True),
        (f"{PAIRS} -->> 0..299", True),
        (f"{PAIRS} -->> 0..300", False),
        (f"{PAIRS} >-> 0..299", False),
        ("(0..299) * (0..300) --> 0..299", False),
        ("(0..299) * (0..300) +-> 0..299", True),
        ("(0..299) * (0..298) +-> 0..299", False),
    ],
)
def test_a_rule_is_a_function_of_its_kind(space: str, *, expected: bool) -> None:
    assert holds(f"{SUM} : {space}") is expected


def test_a_comprehension_is_a_total_function_if_each_argument_has_one_image() -> None:
    sides, pairs = "x : 0..129 & y : 0..129", "(0..129) * (0..129)"
    digits = f"{{x, y, z | {sides} & z : 0..9 & z = (x * y) mod 10}}"
    assert isinstance(value(digits), RuleRelation)
    assert holds(f"{digits} : {pairs} --> 0..9")
    assert not holds(f"{digits} : {pairs} --> 0..8")
    partial = f"{{x, y, z | {sides} & z : 1..9 & z = (x * y) mod 10}}"
    assert not holds(f"{partial} : {pairs} --> 0..9")
    assert holds(f"{partial} : {pairs} +-> 0..9")
    several = f"{{x, y, z | {sides} & z : 1..9 & z >= (x * y) mod 10}}"
    assert not holds(f"{several} : {pairs} +-> 0..9")


def test_the_range_of_a_vast_function_follows_from_where_its_arguments_are() -> None:
    assert holds(f"{VAST} : (0..99999) * (0..99999) --> 0..99999")
    with pytest.raises(Undecided):
        holds(f"{VAST} : (0..99999) * (0..99999) --> 0..99998")


def test_what_may_be_ill_defined_has_no_known_range() -> None:
    for body in ("x mod y", "(x - y) mod 300", "{0 |-> 1}(x)", "x / y", "{x |-> 1, y |-> 2}(x)"):
        found = value(f"%(x, y).(x : 0..999 & y : 0..999 | {body})")
        assert isinstance(found, RuleRelation)
        assert found.range_bound() is None, body


def test_that_the_identity_is_one_to_one_is_known() -> None:
    assert holds("id(1..10000000) : 1..10000000 >->> 1..10000000")
    assert not holds("id(1..10000000) : 1..10000000 >->> 1..10000001")
    assert not holds("id(1..10000000) : 1..10000001 >-> 1..10000001")
    assert holds("id(NATURAL) : NATURAL >->> NATURAL")


_NUMBERS = st.integers(-3, 3).map(str)
_BODIES = st.recursive(
    st.sampled_from(["x", "y"]) | _NUMBERS,
    lambda inner: (
        st.builds("({} {} {})".format, inner, st.sampled_from(["+", "-", "*", "/", "mod"]), inner)
        | st.builds("(-{})".format, inner)
        | st.builds("{{0 |-> 5, 1 |-> 6, 2 |-> -7}}({})".format, inner)
        | st.builds("[{}, {}]({})".format, inner, inner, inner)
        | st.builds("(IF {} < {} THEN {} ELSE {} END)".format, inner, inner, inner, inner)
    ),
    max_leaves=6,
)


@given(_BODIES, st.integers(-2, 2), st.integers(0, 3))
def test_known_ranges_hold_all_images_and_leave_nothing_ill_defined(
    body: str, low: int, width: int
) -> None:
    sides = f"x : {low}..{low + width} & y : 0..2"
    box = f"({low}..{low + width}) * (0..2)"
    vast = value(f"%(x, y, z).({sides} & z : 0..999999 | {body})")
    assert isinstance(vast, RuleRelation)
    bound = vast.range_bound()
    if bound is None:
        return
    try:
        images = value(f"%(x, y).({sides} | {body})[{box}]")
    except IllDefined as error:
        raise AssertionError(f"{body} is ill-defined but has a range") from error
    assert all(image in bound for image in images)


def test_what_is_said_twice_is_found_out_once() -> None:
    compiler = Compiler(Universe())
    texts = ["{x | x : 1..9 & x mod 2 = 0}", "{x |  x : 1..9 & x mod 2 = 0}"]
    codes = [compiler.code(understand(text, {}).formula) for text in texts]
    env = compiler.environment(object())
    assert codes[0](env) is codes[1](env)


def test_what_is_said_twice_is_ill_defined_in_both_places() -> None:
    compiler = Compiler(Universe())
    places = []
    for text in ("{x | x : 1..9 & 1 / (x - x) = 0}", "   {x | x : 1..9 & 1 / (x - x) = 0}"):
        code = compiler.code(understand(text, {}).formula)
        with pytest.raises(IllDefined) as caught:
            code(compiler.environment(object()))
        places.append(caught.value.span)
    assert places[0] != places[1]
