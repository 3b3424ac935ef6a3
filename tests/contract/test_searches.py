"""Every search of the registry, against the definition of reachability."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given

from secateur.engine.limits import Interrupted, Limits, Meter, Stop
from secateur.engine.search.protocol import SearchRow, Task
from secateur.engine.search.registry import ALL_SEARCHES
from secateur.source import Source, Span
from secateur.system.result import confirm
from secateur.system.system import Fault, Gap, PropertyKind, State, Transition
from secateur.system.verdict import Holds, Incomplete, Violated
from tests.contract.toy import Toy, distances, reachable, toys

every_search = pytest.mark.parametrize("row", ALL_SEARCHES, ids=lambda row: row.name)
NEVER: frozenset[PropertyKind] = frozenset()
INVARIANT = PropertyKind.INVARIANT


def ring(size: int) -> Toy:
    """Return a cycle of `size` states."""
    return Toy({n: [("a", (n + 1) % size)] for n in range(size)})


def expected_kinds(toy: Toy) -> set[tuple[PropertyKind, str]]:
    """Return kind and name of everything wrong with `toy`, from the definitions."""
    states, _ = reachable(toy)
    wrong = {b for s in states for b in toy.breached.get(s, ())}
    wrong |= {(PropertyKind.WELL_DEFINEDNESS, w) for s in states for w in toy.faults.get(s, ())}
    stuck = [s for s in states if s >= 0 and not toy.edges.get(s) and not toy.faults.get(s)]
    if stuck:
        wrong.add((PropertyKind.DEADLOCK, "no operation is enabled"))
    return wrong


@every_search
@given(toy=toys())
def test_visits_what_is_reachable_and_finds_all_that_is_wrong(row: SearchRow, toy: Toy) -> None:
    result = row.search(Task(toy, ends=NEVER))
    states, transitions = reachable(toy)
    assert result.statistics.states == len(states)
    assert result.statistics.transitions == transitions
    assert result.statistics.waiting == 0
    assert {(v.kind, v.name) for v in result.violations} == expected_kinds(toy)
    assert result.exhaustive
    assert bool(result) == (not expected_kinds(toy))
    for violation in result.violations:
        confirm(violation)


@every_search
@given(toy=toys())
def test_stops_at_the_first_violation_and_its_trace_replays(row: SearchRow, toy: Toy) -> None:
    result = row.search(Task(toy))
    assert bool(result.violations) == bool(expected_kinds(toy))
    for violation in result.violations:
        confirm(violation)
        assert (violation.kind, violation.name) in expected_kinds(toy)
        if row.shortest and violation.kind is not PropertyKind.WELL_DEFINEDNESS:
            last = violation.trace.states[-1]
            assert isinstance(last, int)
            assert len(violation.trace) == distances(toy)[last]


@every_search
@given(toy=toys())
def test_answers_alike_twice(row: SearchRow, toy: Toy) -> None:
    first, second = (row.search(Task(toy, ends=NEVER, seed=7)) for _ in range(2))
    assert first.verdict == second.verdict
    assert first.statistics == second.statistics


@every_search
@given(toy=toys())
def test_each_kind_can_be_left_unchecked(row: SearchRow, toy: Toy) -> None:
    for kind in PropertyKind:
        if kind is PropertyKind.WELL_DEFINEDNESS:
            continue
        result = row.search(Task(toy, frozenset(PropertyKind) - {kind}, ends=NEVER))
        assert kind not in {v.kind for v in result.violations}


@every_search
def test_counts_how_often_a_property_fails(row: SearchRow) -> None:
    toy = Toy(ring(4).edges, breached={1: [(INVARIANT, "p")], 3: [(INVARIANT, "p")]})
    (violation,) = row.search(Task(toy, ends=NEVER)).violations
    assert violation.count == 2


@every_search
def test_a_limit_on_states_is_exact(row: SearchRow) -> None:
    limited = Task(ring(10), meter=Meter(Limits(states=4)))
    result = row.search(limited)
    assert result.statistics.states == 4
    assert result.verdict == Incomplete(("the limit of 4 states was reached",))
    enough = Task(ring(10), meter=Meter(Limits(states=10)))
    assert row.search(enough).verdict == Holds()


@every_search
def test_limits_on_time_and_memory_are_reasons(row: SearchRow) -> None:
    result = row.search(Task(ring(10), meter=Meter(Limits(seconds=1e-9))))
    assert "seconds" in str(result.verdict)
    result = row.search(Task(ring(10), meter=Meter(Limits(memory=1), started=-1.0)))
    assert "memory" in str(result.verdict)


@every_search
def test_a_stop_from_outside_returns_what_was_found(row: SearchRow) -> None:
    stop = Stop()

    class Stopping(Toy):
        def successors(self, state: State) -> Iterable[Transition | Fault | Gap]:
            if state == 3:
                stop.reason = "interrupted by the user"
            if state == 5:
                raise Interrupted
            return super().successors(state)

    result = row.search(Task(Stopping(ring(10).edges), meter=Meter(stop=stop)))
    assert result.verdict == Incomplete(("interrupted by the user",))
    assert 4 <= result.statistics.states <= 5


@every_search
def test_a_gap_makes_the_verdict_incomplete_once(row: SearchRow) -> None:
    toy = Toy(ring(3).edges, gaps={0: ["c"], 2: ["c"]})
    assert row.search(Task(toy)).verdict == Incomplete(("c: x cannot be enumerated",))


@every_search
def test_a_gap_is_no_deadlock(row: SearchRow) -> None:
    toy = Toy({}, gaps={0: ["c"]})
    assert isinstance(row.search(Task(toy)).verdict, Incomplete)


@every_search
def test_a_violation_beside_a_gap_is_a_violation(row: SearchRow) -> None:
    toy = Toy(ring(3).edges, gaps={0: ["c"]}, breached={2: [(INVARIANT, "p")]})
    verdict = row.search(Task(toy, ends=NEVER)).verdict
    assert isinstance(verdict, Violated)
    assert not verdict.exhaustive
    assert verdict.reasons == ("c: x cannot be enumerated",)


@every_search
def test_no_initial_state_is_never_vacuously_fine(row: SearchRow) -> None:
    kinds = frozenset(PropertyKind) - {PropertyKind.DEADLOCK}
    for toy in (Toy({}, first=()), Toy({}, constants={-1: []})):
        (violation,) = row.search(Task(toy, kinds)).violations
        assert violation.name == "no initial state"
        assert violation.message == "the toy has no initial state"
        confirm(violation)


@every_search
def test_constants_that_cannot_be_initialised_are_a_deadlock(row: SearchRow) -> None:
    toy = Toy(ring(2).edges, constants={-1: [], -2: [0]})
    (violation,) = row.search(Task(toy, ends=NEVER)).violations
    assert violation.kind is PropertyKind.DEADLOCK
    assert violation.trace.states == (-1,)


@every_search
def test_only_violations_of_the_kinds_asked_for_end_the_search(row: SearchRow) -> None:
    toy = Toy(
        {n: [("a", n + 1)] for n in range(9)},
        breached={n: [(INVARIANT, "p")] for n in range(9)},
        faults={4: ["b"], 7: ["c"]},
    )
    ends = frozenset({PropertyKind.WELL_DEFINEDNESS})
    verdict = row.search(Task(toy, ends=ends)).verdict
    assert isinstance(verdict, Violated)
    assert not verdict.exhaustive
    assert {v.name for v in verdict.violations} == {"p", "b"}
    result = row.search(Task(toy, ends=frozenset({PropertyKind.REFINEMENT})))
    assert result.exhaustive
    assert result.statistics.states == 10
    assert {v.name for v in result.violations} == {"p", "b", "c", "no operation is enabled"}


@every_search
def test_an_operation_can_be_ill_defined_in_several_places(row: SearchRow) -> None:
    text = Source("Toy", "1 / x + 2 / y")

    class Twice(Toy):
        def successors(self, state: State) -> Iterable[Transition | Fault | Gap]:
            assert state == 0
            places = [Span(text, 0, 5), Span(text, 8, 13)]
            return [Fault("a", "division by zero", place) for place in places]

    found = row.search(Task(Twice({}), ends=NEVER)).violations
    assert [(v.name, str(v.span)) for v in found] == [("a", "Toy:1:1"), ("a", "Toy:1:9")]
    for violation in found:
        confirm(violation)


@every_search
def test_statistics(row: SearchRow) -> None:
    statistics = row.search(Task(ring(4))).statistics
    assert dict(statistics.operations) == {"INITIALISATION": 1, "a": 4, "b": 0, "c": 0}
    assert statistics.never_enabled == ("b", "c")
    n, even = statistics.coverage
    assert (n.name, n.distinct, n.least, n.greatest) == ("n", 4, 0, 3)
    assert (even.name, even.distinct, even.least) == ("even", 2, None)
