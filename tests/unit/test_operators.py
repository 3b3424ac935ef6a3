"""Operators at their edges: ill-definedness and its messages, infinite operands."""

from __future__ import annotations

from typing import Any

import pytest

from secateur.maths.operators import integers, reals, relations, sequences, sets, trees
from secateur.maths.operators.application import apply_function
from secateur.maths.operators.comparison import strict_subset, subset
from secateur.maths.operators.registry import OPERATORS
from secateur.maths.symbolic import (
    ALL_REALS,
    ALL_STRINGS,
    INTEGERS,
    NATURALS,
    POSITIVES,
    FunctionSpace,
    Integers,
    PowerSet,
    Repetition,
    Selection,
    SequenceSpace,
    cartesian,
    interval,
    kinds,
)
from secateur.maths.symbolic.derived import Composed
from secateur.maths.symbolic.trees import TreeSpace
from secateur.maths.values import IllDefined, Undecided

E = frozenset[Any]()


def seq(*items: Any) -> frozenset[Any]:
    return frozenset(enumerate(items, 1))


SUCC = Composed(relations.identity(INTEGERS), cartesian(INTEGERS, frozenset({7})))
"""The infinite function that is 7 everywhere."""


@pytest.mark.parametrize(
    ("function", "args", "message"),
    [
        (integers.divide, (7, 0), "division by zero: 7 / 0"),
        (integers.modulo, (-7, 2), "-7 mod 2"),
        (integers.modulo, (7, 0), "7 mod 0"),
        (integers.modulo, (7, -2), "7 mod -2"),
        (integers.power, (2, -1), "negative exponent: 2"),
        (integers.maximum, (E,), "max of the empty set"),
        (integers.minimum, (E,), "min of the empty set"),
        (integers.maximum, (NATURALS,), "NATURAL has no greatest"),
        (integers.minimum, (INTEGERS,), "INTEGER has no least"),
        (integers.maximum, (ALL_REALS,), "max of REAL"),
        (reals.divide, (1.0, 0.0), "division by zero"),
        (reals.power, (0.0, -1), "0.0"),
        (reals.power, (1e300, 2), "1e\\+300"),
        (sets.card, (NATURALS,), "card of an infinite set: NATURAL"),
        (sets.generalized_intersection, (E,), "intersection of no sets"),
        (relations.iterate, (E, -1, E), "negative number of times: -1"),
        (sequences.first, (E,), "first of the empty sequence"),
        (sequences.last, (E,), "last of the empty sequence"),
        (sequences.front, (E,), "front of the empty sequence"),
        (sequences.tail, (E,), "tail of the empty sequence"),
        (sequences.size, (frozenset({(2, "a")}),), "size expects a sequence, not {\\(2"),
        (sequences.size, (frozenset({(1, "a"), (1, "b")}),), "size expects a sequence"),
        (sequences.take, (seq(1, 2), 3), "3 is not in 0..2"),
        (sequences.drop, (seq(1, 2), -1), "-1 is not in 0..2"),
        (sequences.concatenation, (E, frozenset({(0, 1)})), "\\^ expects a sequence"),
        (trees.top, (E,), "top expects a tree"),
        (trees.rank, (trees.leaf(1), E), "rank of the root"),
        (trees.left, (trees.leaf(1),), "has 0 sons"),
        (apply_function, (frozenset({(1, 2)}), 3), "3 is not in the domain of the function"),
        (apply_function, (frozenset({(1, 2), (1, 3)}), 1), "not a function: 1 has 2 images"),
        (apply_function, (cartesian(NATURALS, frozenset({7})), -1), "-1 is not in the domain"),
    ],
)
def test_ill_defined(function: Any, args: tuple[Any, ...], message: str) -> None:
    with pytest.raises(IllDefined, match=message):
        function(*args)


def test_a_relation_may_be_applied_where_it_has_one_image() -> None:
    assert apply_function(frozenset({(1, 2), (1, 3), (4, 5)}), 4) == 5


@pytest.mark.parametrize(("a", "b", "quotient"), [(7, 2, 3), (-7, 2, -3), (7, -2, -3), (-7, -2, 3)])
def test_division_rounds_towards_zero(a: int, b: int, quotient: int) -> None:
    assert integers.divide(a, b) == quotient


def test_integers_have_no_bound() -> None:
    assert integers.power(3, 300) % 10**9 == pow(3, 300, 10**9)


def test_large_intervals_are_not_listed() -> None:
    large = interval(1, 10**18)
    assert isinstance(large, Integers)
    assert sets.card(large) == 10**18
    assert integers.maximum(large) == 10**18
    assert 10**17 in large
    assert 0 not in large
    assert isinstance(interval(1, 256), frozenset)
    assert interval(2, 1) == E


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (NATURALS, INTEGERS, True),
        (INTEGERS, NATURALS, False),
        (POSITIVES, NATURALS, True),
        (interval(1, 10**9), NATURALS, True),
        (interval(-1, 10**9), NATURALS, False),
        (NATURALS, interval(0, 10**9), False),
        (NATURALS, frozenset({1}), False),
        (frozenset({1, 2}), NATURALS, True),
        (PowerSet(POSITIVES), PowerSet(NATURALS), True),
        (PowerSet(NATURALS), PowerSet(POSITIVES), False),
        (PowerSet(NATURALS), PowerSet(NATURALS, finite=True), False),
        (PowerSet(NATURALS, finite=True), PowerSet(NATURALS), True),
        (PowerSet(NATURALS), PowerSet(NATURALS, nonempty=True), False),
        (cartesian(NATURALS, POSITIVES), cartesian(INTEGERS, NATURALS), True),
        (cartesian(NATURALS, INTEGERS), cartesian(INTEGERS, NATURALS), False),
        (
            FunctionSpace(kinds.TOTAL_FUNCTION, NATURALS, NATURALS),
            FunctionSpace(kinds.PARTIAL_FUNCTION, NATURALS, INTEGERS),
            True,
        ),
        (
            FunctionSpace(kinds.TOTAL_BIJECTION, NATURALS, NATURALS),
            FunctionSpace(kinds.TOTAL_SURJECTION, NATURALS, NATURALS),
            True,
        ),
        (
            FunctionSpace(kinds.TOTAL_FUNCTION, NATURALS, NATURALS),
            PowerSet(cartesian(INTEGERS, INTEGERS)),
            True,
        ),
        (
            SequenceSpace(NATURALS, Repetition.INJECTIVE, nonempty=True),
            SequenceSpace(INTEGERS, Repetition.FREE),
            True,
        ),
        (
            SequenceSpace(NATURALS, Repetition.FREE),
            FunctionSpace(kinds.PARTIAL_FUNCTION, NATURALS, NATURALS),
            True,
        ),
        (TreeSpace(NATURALS, binary=True), TreeSpace(INTEGERS, binary=False), True),
        (sets.union(NATURALS, frozenset({-1})), INTEGERS, True),
        (NATURALS, sets.union(NATURALS, frozenset({-1})), True),
        (sets.difference(INTEGERS, frozenset({5})), INTEGERS, True),
        (INTEGERS, sets.difference(INTEGERS, frozenset({5})), False),
        (NATURALS, sets.difference(INTEGERS, frozenset({-5})), True),
    ],
)
def test_inclusion_is_decided_by_structure(a: Any, b: Any, expected: bool) -> None:
    assert subset(a, b) is expected


def test_equality_of_infinite_sets() -> None:
    assert sets.difference(NATURALS, frozenset({0})) == POSITIVES
    assert sets.difference(INTEGERS, NATURALS) == Integers(None, -1)
    assert sets.intersection(INTEGERS, NATURALS) == NATURALS
    assert sets.union(NATURALS, POSITIVES) == NATURALS
    assert sets.union(Integers(None, 3), NATURALS) == INTEGERS
    assert sets.union(frozenset({0}), POSITIVES) == NATURALS
    assert NATURALS != POSITIVES
    assert frozenset({1}) != NATURALS
    pairs = cartesian(NATURALS, NATURALS)
    assert FunctionSpace(kinds.RELATION, NATURALS, NATURALS) == PowerSet(pairs)
    assert PowerSet(NATURALS) != PowerSet(INTEGERS)
    assert strict_subset(POSITIVES, NATURALS)
    assert hash(PowerSet(NATURALS)) == hash(PowerSet(Integers(0, None)))


def test_what_cannot_be_decided_says_what() -> None:
    even = Selection(INTEGERS, lambda x: x % 2 == 0, "EVEN")
    with pytest.raises(Undecided, match="whether INTEGER <: EVEN"):
        subset(INTEGERS, even)
    with pytest.raises(Undecided, match="NATURAL cannot be listed"):
        list(NATURALS)
    with pytest.raises(Undecided, match="too many to list"):
        PowerSet(interval(1, 100)).expand()


def test_huge_spaces_are_counted_and_iterated_lazily() -> None:
    subsets = PowerSet(interval(1, 30))
    assert subsets.size() == 2**30
    listing = iter(subsets)
    assert [next(listing) for _ in range(3)] == [E, frozenset({1}), frozenset({2})]
    functions = FunctionSpace(kinds.TOTAL_FUNCTION, interval(1, 20), interval(1, 20))
    assert functions.size() == 20**20
    assert next(iter(functions)) == frozenset((i, 1) for i in range(1, 21))
    assert next(iter(FunctionSpace(kinds.PARTIAL_FUNCTION, interval(1, 40), interval(1, 40)))) == E


@pytest.mark.parametrize(
    ("kind", "source", "target", "size"),
    [
        (kinds.TOTAL_FUNCTION, NATURALS, E, 0),
        (kinds.PARTIAL_FUNCTION, NATURALS, E, 1),
        (kinds.TOTAL_FUNCTION, E, NATURALS, 1),
        (kinds.TOTAL_SURJECTION, E, NATURALS, 0),
        (kinds.TOTAL_FUNCTION, NATURALS, frozenset({7}), 1),
        (kinds.TOTAL_INJECTION, NATURALS, frozenset({7}), 0),
        (kinds.PARTIAL_INJECTION, NATURALS, frozenset({7}), None),
        (kinds.TOTAL_SURJECTION, frozenset({7}), NATURALS, 0),
        (kinds.SURJECTIVE_RELATION, frozenset({7}), NATURALS, 1),
        (kinds.TOTAL_FUNCTION, frozenset({7}), NATURALS, None),
        (kinds.TOTAL_BIJECTION, NATURALS, NATURALS, None),
    ],
)
def test_spaces_with_an_infinite_side(kind: Any, source: Any, target: Any, size: Any) -> None:
    space = FunctionSpace(kind, source, target)
    assert space.size() == size
    assert space.is_empty() == (size == 0)
    if size == 1:
        assert all(f in space for f in space)


def test_membership_needs_no_enumeration() -> None:
    f = frozenset((i, i * i) for i in range(100))
    assert f in FunctionSpace(kinds.PARTIAL_FUNCTION, INTEGERS, NATURALS)
    assert f not in FunctionSpace(kinds.TOTAL_FUNCTION, INTEGERS, NATURALS)
    assert f in FunctionSpace(kinds.TOTAL_FUNCTION, interval(0, 99), NATURALS)
    assert f in PowerSet(cartesian(INTEGERS, INTEGERS))
    assert interval(1, 10**9) in PowerSet(NATURALS)
    assert NATURALS not in PowerSet(INTEGERS, finite=True)
    assert seq("a", "b") in SequenceSpace(ALL_STRINGS, Repetition.FREE)
    assert frozenset({seq("a")}) <= {seq("a")}
    identity = relations.identity(NATURALS)
    assert identity in FunctionSpace(kinds.TOTAL_FUNCTION, NATURALS, INTEGERS)
    assert identity not in FunctionSpace(kinds.TOTAL_FUNCTION, INTEGERS, INTEGERS)


def test_infinite_functions_are_applied() -> None:
    assert apply_function(SUCC, -5) == 7
    assert relations.image(SUCC, frozenset({1, 2})) == frozenset({7})
    overwritten = relations.overwrite(SUCC, frozenset({(1, 2)}))
    assert apply_function(overwritten, 1) == 2
    assert apply_function(overwritten, 2) == 7
    assert relations.domain_restriction(frozenset({3}), overwritten) == frozenset({(3, 7)})
    assert relations.composition(frozenset({("a", 1)}), overwritten) == frozenset({("a", 2)})
    assert relations.domain(overwritten) == INTEGERS
    assert relations.inverse(relations.inverse(overwritten)) is overwritten
    both = relations.direct_product(overwritten, relations.identity(INTEGERS))
    assert apply_function(both, 4) == (7, 4)
    first = relations.first_projection(INTEGERS, ALL_STRINGS)
    assert apply_function(first, (4, "x")) == 4
    parallel = relations.parallel_product(overwritten, overwritten)
    assert apply_function(parallel, (1, 4)) == (2, 7)
    twice = relations.iterate(overwritten, 2, INTEGERS)
    assert apply_function(twice, 1) == 7


def test_reflexive_closure_reaches_the_whole_type() -> None:
    closure = relations.closure(frozenset({(1, 2), (2, 3)}), INTEGERS)
    assert relations.image(closure, frozenset({1, 9})) == frozenset({1, 2, 3, 9})
    assert (4, 4) in closure
    assert (3, 1) not in closure
    finite = relations.closure(frozenset({(1, 2)}), frozenset({1, 2, 3}))
    assert finite == frozenset({(1, 1), (2, 2), (3, 3), (1, 2)})


def test_partition_of_an_infinite_set() -> None:
    assert sets.partition(NATURALS, frozenset({0}), POSITIVES)
    assert not sets.partition(NATURALS, frozenset({1}), NATURALS)
    assert not sets.partition(frozenset({1, 2}), frozenset({1, 2}), frozenset({2}))


def test_spellings_are_unique_per_place() -> None:
    seen = [(spelling, o.fixity) for o in OPERATORS for spelling in o.spellings]
    assert len(seen) == len(set(seen))
