"""From a model to a system: constants, parameters, results, faults, gaps, witnesses, given sets."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from secateur.lang.lower import MachineSystem
from secateur.system.system import (
    INITIALISATION,
    SETUP_CONSTANTS,
    Breach,
    Fault,
    Gap,
    PropertyKind,
    Transition,
)
from tests.unit.execute_machines import initial, system_of

ALL = frozenset(PropertyKind)


def machine(folder: Path, text: str) -> MachineSystem:
    return system_of(folder, f"MACHINE M {text} END")


def setups(system: MachineSystem) -> list[dict[str, Any]]:
    """Return the constants of every SETUP_CONSTANTS; there must be no complaint."""
    found = list(system.initial())
    assert all(isinstance(t, Transition) and t.step.operation == SETUP_CONSTANTS for t in found)
    return [dict(system.values(t.target)) for t in found if isinstance(t, Transition)]


def counts(system: MachineSystem) -> Counter[str]:
    """Return how often each operation is possible initially; there must be no complaint."""
    items = list(system.successors(initial(system)))
    assert all(isinstance(i, Transition) for i in items), items
    return Counter(i.step.operation for i in items if isinstance(i, Transition))


# -- constants -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("CONSTANTS c PROPERTIES c : 1..3", [{"c": 1}, {"c": 2}, {"c": 3}]),
        ("CONSTANTS c, d PROPERTIES d = c + 1 & c : {1, 5}", [{"c": 1, "d": 2}, {"c": 5, "d": 6}]),
        ("CONSTANTS c PROPERTIES c : 1..3 & c > 7", []),
        ("PROPERTIES 1 < 2", [{}]),
        ("PROPERTIES 2 < 1", []),
        ("CONSTANTS s PROPERTIES s : POW(1..2) & card(s) = 1", [{"s": {1}}, {"s": {2}}]),
    ],
)
def test_each_solution_of_the_properties_is_a_setup(
    tmp_path: Path, text: str, expected: list[dict[str, Any]]
) -> None:
    found = setups(machine(tmp_path, text))
    assert sorted(found, key=str) == sorted(expected, key=str)


def test_without_constants_and_properties_there_is_no_setup(tmp_path: Path) -> None:
    system = machine(tmp_path, "VARIABLES x INVARIANT x : 0..1 INITIALISATION x :: 0..1")
    steps = [t.step.operation for t in system.initial() if isinstance(t, Transition)]
    assert steps == [INITIALISATION] * 2


def test_what_depends_on_constants_is_not_carried_over(tmp_path: Path) -> None:
    text = """CONSTANTS c PROPERTIES c : 1..3 VARIABLES x INVARIANT x : {y | y : 1..c & y >= c}
    INITIALISATION x := card({y | y : 1..c & y mod 2 = 1})
    OPERATIONS op(p) = PRE p : {y | y : 1..3 & y > c} THEN x := p END"""
    system = machine(tmp_path, text)
    states = [t.target for t in system.initial() if isinstance(t, Transition)]
    for _ in range(2):
        for number, state in enumerate(states, 1):
            (start,) = system.successors(state)
            assert isinstance(start, Transition)
            assert dict(system.values(start.target)) == {"c": number, "x": (number + 1) // 2}
            assert len(list(system.successors(start.target))) == 3 - number
            broken = list(system.breaches(start.target, ALL))
            assert bool(broken) is (number > 1), number


def test_setups_are_the_same_when_asked_again(tmp_path: Path) -> None:
    system = machine(tmp_path, "CONSTANTS c PROPERTIES c : {3, 1, 2}")
    first = setups(system)
    assert setups(system) == first


def test_ill_defined_properties_are_faults_and_hide_no_solution(tmp_path: Path) -> None:
    system = machine(tmp_path, "CONSTANTS c, d PROPERTIES c : 0..2 & d = 4 / c")
    found = list(system.initial())
    values = [dict(system.values(t.target)) for t in found if isinstance(t, Transition)]
    assert values == [{"c": 1, "d": 4}, {"c": 2, "d": 2}]
    assert [f.message for f in found if isinstance(f, Fault)] == ["division by zero: 4 / 0"]


def test_constants_without_a_bound_are_gaps(tmp_path: Path) -> None:
    system = machine(tmp_path, "CONSTANTS c PROPERTIES c : NATURAL")
    gaps = [i for i in system.initial() if isinstance(i, Gap)]
    assert len(gaps) == 1
    assert "c" in gaps[0].reason


def test_the_first_property_that_cannot_be_met_is_named(tmp_path: Path) -> None:
    system = machine(tmp_path, "CONSTANTS c PROPERTIES c : 1..3 & c > 2 & c < 3 & c = 1")
    assert "c < 3" in system.why_no_initial_state()


# -- initialisation ---------------------------------------------------------------------------


def test_initial_states_are_distinct(tmp_path: Path) -> None:
    text = "VARIABLES x INVARIANT x : 0..9 INITIALISATION ANY z WHERE z : 0..9 THEN x := z / 5 END"
    assert len(list(machine(tmp_path, text).initial())) == 2


def test_a_variable_that_is_not_initialised_is_named(tmp_path: Path) -> None:
    text = "VARIABLES x, y INVARIANT x : 0..9 & y : 0..9 INITIALISATION x := 1"
    (fault,) = machine(tmp_path, text).initial()
    assert isinstance(fault, Fault)
    assert fault.message == "y is not initialised"


def test_an_infeasible_initialisation_has_no_outcome(tmp_path: Path) -> None:
    system = machine(tmp_path, "VARIABLES x INVARIANT x : 0..9 INITIALISATION x :: {}")
    assert not list(system.initial())
    assert system.why_no_initial_state() == "INITIALISATION has no outcome"


def test_one_set_written_in_two_ways_is_one_state(tmp_path: Path) -> None:
    text = """VARIABLES x INVARIANT x : POW(NATURAL) INITIALISATION x := {y | y : NATURAL & y * y < 10}
    OPERATIONS again = SELECT card(x) > 2 THEN x := {y | y : NATURAL & y * y < 10} END;
      listed = x := {0, 1, 2, 3}"""
    system = machine(tmp_path, text)
    start = initial(system)
    targets = {t.target for t in system.successors(start) if isinstance(t, Transition)}
    assert targets == {start}


# -- operations -------------------------------------------------------------------------------

HEAD = "VARIABLES x INVARIANT x : INTEGER INITIALISATION x := 1 OPERATIONS "


@pytest.mark.parametrize(
    ("operation", "count"),
    [
        ("op(p) = PRE p : 1..4 & p > x THEN x := p END", 3),
        ("op(p) = SELECT p : 1..4 & p > x THEN x := p END", 3),
        ("op(p) = SELECT p : 70000..70001 THEN x := p WHEN p = 3 THEN x := p END", 3),
        ("op(p) = ANY q WHERE q : {70000, 80000} & p = q + 1 THEN x := p END", 2),
        ("op(p) = LET q BE q = 70000 IN SELECT p = q + x THEN x := p END END", 1),
        ("op(p) = PRE p : INTEGER THEN SELECT p = 70000 THEN x := p END END", 1),
        ("op(p) = PRE p : INTEGER THEN SELECT p = 70000 THEN x := p END || skip END", 1),
        ("op(p) = PRE p : INTEGER THEN SELECT p = 70000 THEN x := p END ; x := x + 1 END", 1),
        ("op(p, q) = PRE p : 1..2 & q : {p, p + 1} THEN skip END", 4),
        ("op(p) = PRE p : 1..3 THEN x := 1 END", 3),
        ("op(p) = PRE p : 1..3 THEN x :: {p, 9} END", 6),
        ("r <-- op(p) = PRE p : 1..3 & r : NAT THEN r := p * p END", 3),
        ("r <-- op = r :: 1..3", 3),
        ("op(p) = PRE p <: 1..2 THEN skip END", 4),
        ("op(p) = PRE p : 1..2 --> BOOL THEN skip END", 4),
        ("op(p) = PRE p : 1..3 & !q.(q : 1..3 => q <= p) THEN skip END", 1),
        ("op(p) = PRE p : 1..3 & (p = 1 or (p : 2..3 & p > 2)) THEN skip END", 2),
    ],
)
def test_parameters(tmp_path: Path, operation: str, count: int) -> None:
    assert counts(machine(tmp_path, f"{HEAD} {operation}")) == Counter({"op": count})


def test_a_result_is_in_the_step(tmp_path: Path) -> None:
    system = machine(tmp_path, f"{HEAD} r <-- op(p) = PRE p : 5..5 THEN r := p * p END")
    (only,) = system.successors(initial(system))
    assert isinstance(only, Transition)
    assert (only.step.arguments, only.step.results) == ((("p", 5),), (("r", 25),))


@pytest.mark.parametrize(
    "operation",
    [
        "op(p) = PRE p : 0..2 & 4 / p > 0 THEN x := p END",
        "op(p) = PRE p : 0..2 THEN x := 4 / p END",
        "op(p, q) = PRE p : 0..2 & q = 4 / p THEN x := q END",
        "op(p) = PRE p : 0..2 THEN PRE p > 0 THEN x := p END END",
        "op(p) = PRE p : 0..2 THEN ANY q WHERE q : 1..1 & 4 / p > 0 THEN x := p END END",
    ],
)
def test_faults_go_on_with_other_arguments(tmp_path: Path, operation: str) -> None:
    system = machine(tmp_path, f"{HEAD} {operation} ; next = skip")
    items = list(system.successors(initial(system)))
    done = [i.step.operation for i in items if isinstance(i, Transition)]
    assert done == ["op", "op", "next"]
    assert [i.where for i in items if isinstance(i, Fault)] == ["op"]


def test_faults_are_told_even_if_something_is_undecided_later(tmp_path: Path) -> None:
    undecided = "!n.(n : NATURAL & n > p => n * n * n /= 7 * n + 11)"
    op = f"op(p) = PRE p : 0..2 & 4 / p > 0 & {undecided} THEN skip END"
    system = machine(tmp_path, f"{HEAD} {op} ; next = skip")
    items = list(system.successors(initial(system)))
    assert [i.where for i in items if isinstance(i, Fault)] == ["op"]
    assert [i.where for i in items if isinstance(i, Gap)] == ["op"]
    assert [i.step.operation for i in items if isinstance(i, Transition)] == ["next"]


def test_parameters_without_a_bound_are_gaps(tmp_path: Path) -> None:
    system = machine(tmp_path, f"{HEAD} op(p) = PRE p : NATURAL THEN x := p END")
    items = list(system.successors(initial(system)))
    assert [i.where for i in items if isinstance(i, Gap)] == ["op"]
    assert sum(isinstance(i, Transition) for i in items) > 1


# -- properties -------------------------------------------------------------------------------


def test_a_violated_quantified_invariant_has_a_witness(tmp_path: Path) -> None:
    text = """VARIABLES f INVARIANT f : 1..3 --> 0..9 & !(i, j).(i : 1..3 & j : 1..3 & i < j =>
      f(i) < f(j)) INITIALISATION f := {1 |-> 1, 2 |-> 5, 3 |-> 2}"""
    system = machine(tmp_path, text)
    for _ in range(2):
        (breach,) = system.breaches(initial(system), ALL)
        assert isinstance(breach, Breach)
        assert breach.witness == (("i", 2), ("j", 3))


def test_properties_of_each_kind(tmp_path: Path) -> None:
    text = """VARIABLES x INVARIANT x : 0..3 & x < 1 & 1 / x = 1 & x = 0 ASSERTIONS x = 0 ; x + 1 = 2
    DEFINITIONS GOAL == x = 1 INITIALISATION x :: 0..1"""
    system = machine(tmp_path, text)
    zero, one = [t.target for t in system.initial() if isinstance(t, Transition)]
    found = [(type(b), getattr(b, "name", None)) for b in system.breaches(zero, ALL)]
    assert found == [(Fault, None), (Breach, "x + 1 = 2")]
    names = [b.name for b in system.breaches(one, ALL) if isinstance(b, Breach)]
    assert names == ["x < 1", "x = 0", "x = 0", "GOAL"]
    only = system.breaches(one, frozenset({PropertyKind.ASSERTION}))
    assert [b.kind for b in only if isinstance(b, Breach)] == [PropertyKind.ASSERTION]


# -- given sets and free types ---------------------------------------------------------------------


def test_given_sets(tmp_path: Path) -> None:
    text = """SETS D; E = {e1, e2, e3} CONSTANTS s PROPERTIES card(D) = 2 & s <: D & card(s) = 1
    VARIABLES x INVARIANT x : E INITIALISATION x := e2
    OPERATIONS op(p, q) = PRE p : E - {x} & q : D THEN x := p END"""
    system = machine(tmp_path, text)
    found = setups(system)
    assert len({str(each["s"]) for each in found}) == len(found) == 2
    assert counts(system) == Counter({"op": 4})


def test_free_types(tmp_path: Path) -> None:
    text = """FREETYPES T = none, some(1..3), both(INTEGER * INTEGER)
    VARIABLES x INVARIANT x : T INITIALISATION x := none
    OPERATIONS put(p) = PRE p : 2..5 & p : dom(some) THEN x := some(p) END;
      pair(p) = PRE p : 1..2 THEN x := both(p |-> p) END;
      bad = x := some(7)"""
    system = machine(tmp_path, text)
    items = list(system.successors(initial(system)))
    targets = [str(system.values(i.target)[0][1]) for i in items if isinstance(i, Transition)]
    assert targets == ["some(2)", "some(3)", "both((1, 1))", "both((2, 2))"]
    assert [i.where for i in items if isinstance(i, Fault)] == ["bad"]


def test_constants_are_searched_for_once(tmp_path: Path) -> None:
    system = machine(tmp_path, "CONSTANTS c PROPERTIES c : 1..3 & 6 / (c - 2) /= 0")
    first = system.initial()
    some = [next(first)]
    again = list(system.initial())
    assert [*some, *first] == again
    assert list(system.initial()) == again
    assert sum(isinstance(i, Transition) for i in again) == len(system.solutions) == 2
    assert any(isinstance(i, Fault) for i in again)
