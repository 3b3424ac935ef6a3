"""Pairs in relations: what the solver finds is what trying every value finds."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from operator import and_, eq, le, or_

from hypothesis import given
from hypothesis import strategies as st

from secateur.lang.query import Question, understand
from secateur.maths.values import Value
from tests.agreement.solutions import values_of
from tests.effort import fewer

Pairs = frozenset[tuple[int, int]]
VALUES = range(1, 4)
MEANINGS: dict[str, Callable[[bool, bool], bool]] = {
    "or": or_,
    "&": and_,
    "=>": le,
    "<=>": eq,
}
RELATIONS = st.frozensets(st.sampled_from(sorted(product(VALUES, VALUES))))


def _text(pairs: Pairs) -> str:
    return "{" + ", ".join(f"{a} |-> {b}" for a, b in sorted(pairs)) + "}"


@fewer(4)
@given(RELATIONS, RELATIONS)
def test_exactly_the_ways_to_map_one_relation_to_another(g: Pairs, h: Pairs) -> None:
    question = understand(
        "f : 1..3 --> 1..3 & !(x, y).(x : 1..3 & y : 1..3 => "
        f"(x |-> y : {_text(g)} <=> f(x) |-> f(y) : {_text(h)}))",
        {},
    )
    expected = {
        frozenset(zip(VALUES, f, strict=True))
        for f in product(VALUES, repeat=3)
        if all(((x, y) in g) is ((f[x - 1], f[y - 1]) in h) for x, y in product(VALUES, VALUES))
    }
    assert _solutions(question, "f") == expected


@fewer(4)
@given(RELATIONS, RELATIONS, st.sampled_from(sorted(MEANINGS)), st.booleans())
def test_exactly_the_pairs(r: Pairs, s: Pairs, operator: str, refused: bool) -> None:
    formula = f"(a |-> b : {_text(r)} {operator} b |-> a : {_text(s)})"
    question = understand(
        f"a : 0..4 & b : 0..4 & q = a |-> b & {f'not{formula}' if refused else formula}", {}
    )
    expected = {
        (a, b)
        for a, b in product(range(5), range(5))
        if MEANINGS[operator]((a, b) in r, (b, a) in s) is not refused
    }
    assert _solutions(question, "q") == expected


@fewer(4)
@given(st.frozensets(st.tuples(st.integers(1, 2), st.integers(1, 2), st.integers(1, 2))))
def test_pairs_of_pairs(triples: frozenset[tuple[int, int, int]]) -> None:
    listed = ", ".join(f"{a} |-> {b} |-> {c}" for a, b, c in sorted(triples))
    for refused in (False, True):
        question = understand(
            "a : 0..3 & b : 0..3 & c : 0..3 & q = a |-> b |-> c & "
            f"a |-> b |-> c {'/:' if refused else ':'} {{{listed}}}",
            {},
        )
        expected = {
            ((a, b), c)
            for a, b, c in product(range(4), repeat=3)
            if ((a, b, c) in triples) is not refused
        }
        assert _solutions(question, "q") == expected


def _solutions(question: Question, name: str) -> set[Value]:
    """Return the values of an unknown, of which no two solutions have the same."""
    found = values_of(name, question)
    assert len(found) == len(set(found))
    return set(found)


@fewer(4)
@given(RELATIONS, st.sampled_from([":", "/:"]))
def test_sides_that_are_sums(r: Pairs, operator: str) -> None:
    question = understand(
        f"a : 0..4 & b : 0..4 & q = a |-> b & a + b - 2 |-> b - a {operator} {_text(r)}", {}
    )
    expected = {
        (a, b)
        for a, b in product(range(5), range(5))
        if ((a + b - 2, b - a) in r) is (operator == ":")
    }
    assert _solutions(question, "q") == expected


def test_what_pairs_say_of_sums_bounds_their_parts() -> None:
    pairs = "(x + y |-> y) |-> z : {(1 |-> 10) |-> 1, (5 |-> 3) |-> 2}"
    question = understand(f"x : INTEGER & y : INTEGER & z : INTEGER & {pairs}", {})
    assert set(values_of("x", question, _refuse)) == {-9, 2}


def _refuse(name: str) -> None:
    raise AssertionError(f"{name} has no bound")
