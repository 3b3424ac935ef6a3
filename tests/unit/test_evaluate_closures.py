"""Sets and functions that are not listed: membership, application, equality, hashing, recursion."""

from __future__ import annotations

from typing import Any

import pytest

from secateur.lang.query import understand
from secateur.maths.evaluate.closures import RuleRelation, RuleSet
from secateur.maths.evaluate.compiler import Compiler
from secateur.maths.evaluate.environment import GAPS
from secateur.maths.evaluate.universe import Universe
from secateur.maths.types import INTEGER, Power
from secateur.maths.values import IllDefined, SymbolicSet, Undecided


def value(text: str) -> Any:
    """Return the value of a closed formula as it comes."""
    question = understand(text, {})
    compiler = Compiler(Universe())
    code = compiler.code(question.formula)
    env = compiler.environment(object())
    found = code(env)
    assert not env[GAPS]
    return found


def holds(text: str) -> bool:
    found = value(f"bool({text})")
    assert isinstance(found, bool)
    return found


@pytest.mark.parametrize(
    "text",
    [
        "INTEGER",
        "{x | x <= -5}",
        "NATURAL - {0, 7}",
        "NATURAL * BOOL",
        "POW(INTEGER)",
        "POW1(NATURAL)",
        "FIN(NATURAL * NATURAL)",
        "seq(INTEGER)",
        "seq1(BOOL)",
        "iseq1(NATURAL)",
        "struct(a : NATURAL, b : BOOL)",
        "struct(a : NATURAL, b : INTEGER, c : INTEGER, d : INTEGER, e : INTEGER, f : INTEGER, g : INTEGER, h : INTEGER, i : INTEGER)",
        "NATURAL <-> BOOL",
        "NATURAL +-> BOOL",
        "NATURAL --> BOOL",
        "1..2 >-> NATURAL",
        "NATURAL >+> NATURAL",
        "id(NATURAL) \\/ {-1 |-> 3}",
        "id(INTEGER) ; succ",
        "NATURAL <| %x.(x : INTEGER | x + 1)",
        "%(x, y).(x : NATURAL & y : BOOL | x)",
        "%x.(x : INTEGER | 10 / x)",
        "{x, y | x : INTEGER & y = x * x}",
    ],
)
def test_what_is_a_sample_of_a_set_is_in_it(text: str) -> None:
    whole = value(text)
    assert isinstance(whole, SymbolicSet)
    found = list(whole.sample())
    assert 2 <= len(found) <= 64
    assert all(each in whole for each in found)
    assert not any(map(whole.lacks, found))


# -- listed or not ----------------------------------------------------------------------------


def test_what_is_bounded_is_listed() -> None:
    assert value("{x | x : 1..3 & x /= 2}") == frozenset({1, 3})
    assert isinstance(value("{x | x : 1..3 & x /= 2}"), frozenset)
    assert value("%x.(x : 1..2 | x * x)") == frozenset({(1, 1), (2, 4)})
    assert value("%(x, y).(x : 1..2 & y = x | x + y)") == frozenset({((1, 1), 2), ((2, 2), 4)})
    assert value("{x, y, z | x : 1..1 & y : 2..2 & z : 3..3}") == frozenset({((1, 2), 3)})


def test_what_has_no_bound_is_a_rule() -> None:
    assert isinstance(value("{x | x : INTEGER & x mod 2 = 0}"), RuleSet)
    assert isinstance(value("%x.(x : INTEGER | x * x)"), RuleRelation)
    assert isinstance(value("{x, y | x : INTEGER & y = x + 1}"), RuleRelation)


def test_intervals_are_neither_listed_nor_rules() -> None:
    assert holds("1000000 : {x | x > 3 & x < 10000000000000}")
    assert holds("{x | x > 3} <: {x | x > 2}")
    assert holds("card({x | x >= 3 & 10 ** 12 > x}) = 10 ** 12 - 3")
    assert holds("{x | x : 1..0 & x < 1 / 0} = {}"), "an empty interval stays empty"
    with pytest.raises(IllDefined):
        holds("{x | x : 1..3 & x < 1 / 0} = {}")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("8 : {x | x : INTEGER & x mod 2 = 0}", True),
        ("9 : {x | x : INTEGER & x mod 2 = 0}", False),
        ("70000 |-> 70001 : {x, y | x : INTEGER & y = x + 1}", True),
        ("70000 |-> 70002 : {x, y | x : INTEGER & y = x + 1}", False),
        ("3 |-> 9 : %x.(x : INTEGER | x * x)", True),
        ("3 |-> 8 : %x.(x : INTEGER | x * x)", False),
        ("-3 |-> 9 : %x.(x : NATURAL | x * x)", False),
        ("(1 |-> 2) |-> 3 : %(x, y).(x : INTEGER & y : INTEGER | x + y)", True),
        ("(1 |-> 2) |-> 3 : {x, y, z | x : INTEGER & y : INTEGER & z = x + y}", True),
        ("{x | x : NATURAL & x mod 2 = 0} = {}", False),
    ],
)
def test_membership_without_listing(text: str, expected: bool) -> None:
    assert holds(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(%x.(x : INTEGER | x * x))(70000)", 4900000000),
        ("{x, y | x : INTEGER & y = x + 1}(70000)", 70001),
        ("{x, y, z | x : INTEGER & y : INTEGER & z = x - y}(7, 5)", 2),
        ("(%(x, y).(x : INTEGER & y : INTEGER | x - y))(7, 5)", 2),
        ("(%x.(x : INTEGER | x * x))[{-2, 2, 3}]", {4, 9}),
        ("{x, y | x : INTEGER & y : {x, x + 1}}[{1, 2}]", {1, 2, 3}),
        ("(%x.(x : INTEGER | {y | y : 1..3 & y > x}))(1)", {2, 3}),
        ("(%x.(x : INTEGER | %y.(y : INTEGER | x - y)))(7)(5)", 2),
    ],
)
def test_application_without_listing(text: str, expected: Any) -> None:
    assert value(text) == expected


def test_domains_of_rules() -> None:
    assert holds("70000 : dom(%x.(x : NATURAL | x * x))")
    assert not holds("-1 : dom(%x.(x : NATURAL | x * x))")
    assert holds("70000 : dom({x, y | x : INTEGER & y = x + 1})")
    assert not holds("3 : dom({x, y | x : INTEGER & y : 0..x & y > 5})")


def test_application_outside_the_domain_or_of_no_function_is_ill_defined() -> None:
    with pytest.raises(IllDefined, match="not in the domain"):
        value("(%x.(x : NATURAL | x))(-1)")
    with pytest.raises(IllDefined, match="several images"):
        value("{x, y | x : INTEGER & y : {x, x + 1}}(1)")
    with pytest.raises(IllDefined, match="division by zero"):
        value("(%x.(x : INTEGER | 1 / x))(0)")
    assert value("{x, y | x : INTEGER & (y = x or y = 2 * x)}(0)") == 0, "both images are one"


def test_an_ill_defined_value_of_a_listed_function_is_not_overlooked() -> None:
    with pytest.raises(IllDefined):
        value("(%x.(x : 0..2 | 1 / x))(1)")


# -- environments ------------------------------------------------------------------------------


def test_a_rule_keeps_the_values_of_its_own_time() -> None:
    functions = "{f | #k.(k : 1..3 & f = %x.(x : INTEGER | x + k))}"
    assert value(f"{{y | #g.(g : {functions} & y = g(10))}}") == {11, 12, 13}
    assert value(f"card({functions})") == 3


def test_a_rule_applied_while_another_one_is_being_listed() -> None:
    add = "%(x, y).(x : INTEGER & y : INTEGER | x + y)"
    text = f"{{z | #(x, y).(x : 1..3 & y : 1..3 & z = ({add})(x, ({add})(y, y)))}}"
    assert value(text) == {x + 2 * y for x in range(1, 4) for y in range(1, 4)}


def test_nested_use_of_the_same_identifiers() -> None:
    assert value("{x | x : {x | x : {x | x : 0..9 & x > 2} & x < 6} & x /= 4}") == {3, 5}
    assert value("SIGMA(x).(x : 1..3 | x * SIGMA(x).(x : 1..2 | x))") == 18
    assert value("UNION(x).(x : 1..3 | {x, y | y : 1..1 & x = y})") == {(1, 1)}


# -- equality and hashing -----------------------------------------------------------------------


def test_equal_sets_are_one_element() -> None:
    assert value("card({{x | x : NATURAL & x < 3}, {0, 1, 2}})") == 1
    assert value("card({{x | x : INTEGER & x > 5}, {x | x : INTEGER & x >= 6}})") == 1
    assert value("card({%x.(x : 1..2 | x), {1 |-> 1, 2 |-> 2}})") == 1
    assert value("card({{x | x : NATURAL & x * x < 5 & x > 0}, {1, 2}})") == 1
    assert holds("{0, 1, 2} : {{x | x : NATURAL & x < 3}}")


def test_rules_with_the_same_surroundings_are_equal() -> None:
    family = "{f | #k.(k : {K} & f = %x.(x : INTEGER | x mod 2 + k * k))}"
    assert value(f"card({family.replace('{K}', '{1, 2}')})") == 2
    evens = "{x | x : INTEGER & x mod 2 = 0}"
    assert holds(f"{evens} = {evens}")


def test_a_rule_that_turns_out_finite_equals_what_lists_it() -> None:
    small = value("{x | x : NATURAL & x * x < 10}")
    assert small == frozenset({0, 1, 2, 3})
    assert frozenset({0, 1, 2, 3}) == small
    assert holds("{x | x : NATURAL & x * x < 10} = 0..3")
    assert holds("{x | x : NATURAL & x * x < 10} /= 0..4")


def test_what_cannot_be_listed_is_undecided_not_wrong() -> None:
    with pytest.raises(Undecided):
        holds("{x | x : NATURAL & x mod 2 = 0} = {x | x : NATURAL & x mod 4 : {0, 2}}")
    with pytest.raises(Undecided):
        value("SIGMA(x).(x : NATURAL & x mod 2 = 0 | x)")
    infinite = value("{x | x : NATURAL & x mod 2 = 0}")
    with pytest.raises(Undecided):
        infinite.expand()
    with pytest.raises(Undecided):
        infinite.size()


def test_remembered_images_do_not_mix() -> None:
    double = value("%x.(x : INTEGER | 2 * x)")
    half = value("{x, y | x : INTEGER & x = 2 * y}")
    assert [double.apply(n) for n in (1, 2, 1, 3)] == [2, 4, 2, 6]
    assert [half.apply(n) for n in (2, 4, 2)] == [1, 2, 1]
    assert half.image(frozenset({2, 3, 4})) == {1, 2}
    with pytest.raises(IllDefined):
        half.apply(3)
    with pytest.raises(IllDefined):
        half.apply(3)


# -- recursion ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("definition", "use", "expected"),
    [
        ("%x.(x : NATURAL | IF x = 0 THEN 1 ELSE x * f(x - 1) END)", "f(15)", 1307674368000),
        ("%x.(x : NATURAL | IF x < 2 THEN x ELSE f(x - 1) + f(x - 2) END)", "f(30)", 832040),
        ("%s.(s : POW(INTEGER) | IF s = {} THEN 0 ELSE 1 + f(s - {min(s)}) END)", "f({4, 9})", 2),
        ("{x, y | x : NATURAL & (x > 0 => y = 2 + f(x - 1)) & (x = 0 => y = 0)}", "f(40)", 80),
    ],
)
def test_recursive_functions(definition: str, use: str, expected: int) -> None:
    assert value(f"{{y | #f.(f = {definition} & y = {use})}}") == {expected}


def test_an_equation_with_itself_is_no_recursion_where_it_can_be_solved() -> None:
    found = value("{x | x : 0..3 & x = 6 - x}")
    assert found == {3}
    assert value("{s | s : POW(0..1) & s = {x | x : 0..1 & x /: s}}") == frozenset()


# -- constants and their caches ---------------------------------------------------------------------


def test_values_that_depend_on_constants_change_with_the_epoch() -> None:
    outer = Compiler(Universe())
    question = understand("card({x | x : 1..c & x mod 2 = 0}) + c", {"c": INTEGER})
    (binder,) = understand("c = c + 0", {}).unknowns
    scope = outer.bind_constants([binder])
    code = scope.code(question.formula)
    first, second = object(), object()
    assert code(scope.environment(first, [("c", 4)])) == 6
    assert code(scope.environment(first, [("c", 4)])) == 6
    assert code(scope.environment(second, [("c", 10)])) == 15
    assert code(scope.environment(first, [("c", 4)])) == 6


def test_what_is_searched_for_is_not_cached() -> None:
    (binder,) = understand("c = c + 0", {}).unknowns
    scope = Compiler(Universe()).bind_constants([binder]).searching()
    code = scope.code(understand("card({x | x : 1..c})", {"c": INTEGER}).formula)
    epoch = object()
    assert [code(scope.environment(epoch, [("c", n)])) for n in (1, 3, 2)] == [1, 3, 2]


def test_an_identifier_that_hides_a_constant_is_not_cached() -> None:
    binders = understand("c = 0 & v = 0", {}).unknowns
    scope = Compiler(Universe()).bind_constants(binders[:1]).bind(binders[1:])
    text = "{x | #c.(c : 1..3 & x = c * c + v)} \\/ {c * c}"
    code = scope.code(understand(text, {"c": INTEGER, "v": INTEGER}).formula)
    epoch = object()
    for v in (0, 10):
        found = code(scope.environment(epoch, [("c", 7), ("v", v)]))
        assert found == {1 + v, 4 + v, 9 + v, 49}


def test_what_failed_once_is_tried_again() -> None:
    scope = Compiler(Universe())
    code = scope.code(understand("1 / 0", {}).formula)
    for _ in range(2):
        with pytest.raises(IllDefined):
            code(scope.environment(object()))


def test_types_of_large_sets_are_symbolic() -> None:
    found = value("POW(0..99)")
    assert isinstance(found, SymbolicSet)
    assert Power(INTEGER) == Power(INTEGER)
    assert holds("{3, 5} : POW(0..99)")
