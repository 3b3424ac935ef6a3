"""Operators and symbolic sets: never another answer than for explicit ones."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from secateur.maths.operators.application import apply_function
from secateur.maths.symbolic import (
    Cartesian,
    Difference,
    FunctionSpace,
    Integers,
    Intersection,
    PowerSet,
    RecordSpace,
    RelationUnion,
    Repetition,
    Selection,
    SequenceSpace,
    Union,
    kinds,
)
from secateur.maths.symbolic import derived as d
from secateur.maths.symbolic.kinds import Kind
from secateur.maths.types import Power
from secateur.maths.values import IllDefined, SymbolicSet, Undecided, is_subset, ordered
from tests.agreement.operator_doubles import stand_in
from tests.agreement.operator_oracles import SPACES, VALUES
from tests.agreement.operator_values import operands, signature_of, values
from tests.agreement.test_operators import NAMED, UNDEFINED
from tests.effort import fewer

HALF = fewer(2)
"""For suites over all operators: there are many of them."""

WITH_SETS = [
    name for name in VALUES if any(isinstance(t, Power) for t in signature_of(NAMED[name]).operands)
]


def _value(function: Any, args: tuple[Any, ...]) -> Any:
    try:
        return function(*args)
    except IllDefined:
        return UNDEFINED


@pytest.mark.parametrize("name", WITH_SETS)
def test_a_finite_symbolic_operand_changes_nothing(name: str) -> None:
    operator = NAMED[name]

    @HALF
    @given(operands(operator), st.data())
    def check(args: tuple[Any, ...], data: st.DataObject) -> None:
        disguised = tuple(stand_in(a, shy=False) if data.draw(st.booleans()) else a for a in args)
        assert _value(operator.apply, disguised) == _value(VALUES[name], args)

    check()


@pytest.mark.parametrize("name", WITH_SETS)
def test_an_operand_that_cannot_be_listed_gives_no_wrong_answer(name: str) -> None:
    operator = NAMED[name]
    result = signature_of(operator).result

    @HALF
    @given(operands(operator), st.data())
    def check(args: tuple[Any, ...], data: st.DataObject) -> None:
        disguised = tuple(stand_in(a, shy=True) if data.draw(st.booleans()) else a for a in args)
        expected = _value(VALUES[name], args)
        try:
            found = _value(operator.apply, disguised)
            if isinstance(found, SymbolicSet):
                assert isinstance(result, Power)
                candidate = data.draw(values(result.element))
                assert (candidate in found) == (candidate in expected)
            else:
                assert found == expected
        except Undecided:
            pass

    check()


@pytest.mark.parametrize("name", SPACES)
def test_membership_in_a_space_of_symbolic_sets(name: str) -> None:
    operator = NAMED[name]
    result = signature_of(operator).result
    assert isinstance(result, Power)

    @HALF
    @given(operands(operator), values(result.element), st.booleans())
    def check(args: tuple[Any, ...], candidate: Any, shy: bool) -> None:
        disguised = tuple(stand_in(a, shy=shy) for a in args)
        expected = SPACES[name](*args)(candidate)
        assert operator.apply is not None
        try:
            assert (candidate in operator.apply(*disguised)) == expected
            assert (stand_in(candidate, shy=shy) in operator.apply(*args)) == expected
        except Undecided:
            assert shy

    check()


# Each kind of symbolic set against the set of its elements

NUMBERS = st.frozensets(st.integers(0, 2), max_size=3)
LETTERS = st.frozensets(st.sampled_from("ab"), max_size=2)
PAIRS = st.frozensets(st.tuples(st.integers(0, 2), st.sampled_from("ab")), max_size=4)
LOOPS = st.frozensets(st.tuples(st.integers(0, 2), st.integers(0, 2)), max_size=4)
KINDS = st.sampled_from([k for k in vars(kinds).values() if isinstance(k, Kind)])


def _selection(s: frozenset[int]) -> Selection:
    return Selection(s, lambda x: x % 2 == 0, "even")


SYMBOLIC: dict[str, st.SearchStrategy[SymbolicSet]] = {
    "integers": st.builds(Integers, st.integers(-3, 3), st.integers(-3, 3)),
    "power set": st.builds(PowerSet, NUMBERS, nonempty=st.booleans(), finite=st.booleans()),
    "product": st.builds(Cartesian, NUMBERS, LETTERS),
    "functions": st.builds(FunctionSpace, KINDS, NUMBERS, LETTERS),
    "sequences": st.builds(
        SequenceSpace,
        NUMBERS,
        st.sampled_from([Repetition.INJECTIVE, Repetition.PERMUTATION]),
        nonempty=st.booleans(),
    ),
    "records": st.builds(lambda a, b: RecordSpace(("x", "y"), (a, b)), NUMBERS, LETTERS),
    "union": st.builds(Union, NUMBERS, NUMBERS),
    "relation union": st.builds(RelationUnion, PAIRS, PAIRS),
    "intersection": st.builds(Intersection, NUMBERS, NUMBERS),
    "difference": st.builds(Difference, NUMBERS, NUMBERS),
    "selection": NUMBERS.map(_selection),
    "identity": NUMBERS.map(d.Identity),
    "projection": st.builds(d.Projection, NUMBERS, LETTERS, st.integers(0, 1)),
    "domain filter": st.builds(d.DomainFiltered, PAIRS, NUMBERS, keep=st.booleans()),
    "range filter": st.builds(d.RangeFiltered, PAIRS, LETTERS, keep=st.booleans()),
    "overwriting": st.builds(d.Overwritten, PAIRS, PAIRS),
    "composition": st.builds(d.Composed, LOOPS, PAIRS),
    "inverse": PAIRS.map(d.Inverse),
    "direct product": st.builds(d.DirectProduct, PAIRS, PAIRS),
    "parallel product": st.builds(d.ParallelProduct, LOOPS, PAIRS),
    "closure": LOOPS.map(d.TransitiveClosure),
}


@pytest.mark.parametrize("kind", SYMBOLIC)
def test_a_symbolic_set_is_the_set_of_its_elements(kind: str) -> None:
    @given(SYMBOLIC[kind])
    def check(s: SymbolicSet) -> None:
        listed = list(s)
        assert listed == ordered(set(listed)), "canonical order, nothing twice"
        assert s.size() == len(listed)
        assert s.is_empty() == (not listed)
        assert all(x in s for x in listed)
        assert s == s.expand() == frozenset(listed)
        assert hash(s) == hash(frozenset(listed))
        assert repr(s)

    check()


@pytest.mark.parametrize("kind", SYMBOLIC)
def test_two_symbolic_sets_compare_like_their_elements(kind: str) -> None:
    @HALF
    @given(SYMBOLIC[kind], SYMBOLIC[kind])
    def check(a: SymbolicSet, b: SymbolicSet) -> None:
        assert (a == b) == (a.expand() == b.expand())
        assert is_subset(a, b) == (a.expand() <= b.expand())
        assert is_subset(a, b.expand()) == is_subset(a.expand(), b)
        assert all((x in b) == (x in b.expand()) for x in a)

    check()


@pytest.mark.parametrize(
    ("left", "right"),
    [*product(("functions", "power set of pairs", "product"), repeat=2)],
)
def test_inclusion_across_kinds(left: str, right: str) -> None:
    families = {
        "functions": SYMBOLIC["functions"],
        "power set of pairs": st.builds(PowerSet, PAIRS, nonempty=st.booleans()),
        "product": st.builds(PowerSet, SYMBOLIC["product"]),
    }

    @HALF
    @given(families[left], families[right])
    def check(a: SymbolicSet, b: SymbolicSet) -> None:
        assert is_subset(a, b) == (a.expand() <= b.expand())
        assert (a == b) == (a.expand() == b.expand())

    check()


@pytest.mark.parametrize(
    "kind", [k for k in SYMBOLIC if k not in {"integers", "power set"} and "fun" not in k]
)
def test_application_agrees_with_the_pairs(kind: str) -> None:
    @HALF
    @given(SYMBOLIC[kind], st.data())
    def check(r: SymbolicSet, data: st.DataObject) -> None:
        pairs = list(r)
        if not pairs or not hasattr(r, "apply"):
            return
        argument = data.draw(st.sampled_from(pairs))[0]
        images = [y for x, y in pairs if x == argument]
        if len(images) == 1:
            assert apply_function(r, argument) == images[0]
        else:
            with pytest.raises(IllDefined):
                apply_function(r, argument)

    check()
