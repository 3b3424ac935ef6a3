"""What every reduction does in a search, whatever it chooses."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from secateur import load
from secateur.engine.limits import Limits, Meter
from secateur.engine.plan import Wish, plan
from secateur.engine.pruning import CAVEAT
from secateur.engine.reduce.lookup import Lookup
from secateur.engine.reduce.obstacles import obstacles, told
from secateur.engine.reduce.process_ample import processes
from secateur.engine.reduce.protocol import ReductionRow
from secateur.engine.reduce.reduction import Reduction
from secateur.engine.reduce.registry import REDUCTIONS
from secateur.engine.search.protocol import SearchRow, Task
from secateur.engine.search.registry import ALL_SEARCHES
from secateur.system.result import Result, confirm
from secateur.system.system import (
    INITIALISATION,
    SETUP_CONSTANTS,
    Outgoing,
    PropertyKind,
    State,
    Step,
    Transition,
)
from secateur.system.verdict import Holds, Incomplete
from tests.agreement.exact_relations import ExactRelations
from tests.witnesses.judge import BOTH, DEADLOCK, INVARIANT, NEVER, Case
from tests.witnesses.models import WITNESSES, event, invariant
from tests.witnesses.tables import Tables, Tabulated

LOCKS: Final = """
MACHINE Locks
VARIABLES owner, counted
INVARIANT owner : 0..3 & counted : 1..4 --> 0..1
INITIALISATION owner := 0 || counted := (1..4) * {0}
OPERATIONS
    add(i) = SELECT i : 1..4 & owner = 0 & counted(i) = 0 THEN counted(i) := 1 END;
    lock(p) = SELECT p : 1..3 & owner = 0 THEN owner := p END;
    unlock = SELECT owner > 0 THEN owner := 0 END
END
"""

every_reduction = pytest.mark.parametrize("row", REDUCTIONS, ids=lambda row: row.name)
every_search = pytest.mark.parametrize("search", ALL_SEARCHES, ids=lambda row: row.name)


def reduced(system: Tables, wish: Wish, kinds: frozenset[PropertyKind]) -> Reduction | None:
    """Return a reduction as planned, with exact relations."""
    return plan(wish).pruning.applied(system, ExactRelations(system), kinds)


def search(system: Tables, wish: Wish, kinds: frozenset[PropertyKind]) -> Result:
    """Search for all errors."""
    task = Task(system, kinds, NEVER, reduction=reduced(system, wish, kinds))
    return plan(wish).search.search(task)


@every_reduction
@every_search
def test_answers_alike_twice(row: ReductionRow, search: SearchRow) -> None:
    system = WITNESSES["counters"].system
    wish = Wish(search=search.name, por=row.name, seed=3)
    if row.chooses:
        wish = replace(wish, choice="random")
    case = Case(system, ExactRelations(system), BOTH)
    planned = plan(wish)
    first, second = (case.run(planned, case.apply(planned)) for _ in range(2))
    assert first.verdict == second.verdict
    assert first.statistics == second.statistics


@every_reduction
def test_limits_make_the_verdict_incomplete(row: ReductionRow) -> None:
    system = Tabulated(
        {"x": 4, "y": 4},
        [event(n, lambda v, n=n: v[n] < 3, to=lambda v, n=n: {n: v[n] + 1}) for n in "xy"],  # type: ignore[misc]
        invariant(lambda v: v["x"] + v["y"] < 7),
    )
    reduction = reduced(system, Wish(por=row.name), BOTH)
    task = Task(system, BOTH, meter=Meter(Limits(states=2)), reduction=reduction)
    result = plan(Wish()).search.search(task)
    assert isinstance(result.verdict, Incomplete)
    assert result.statistics.states == 2


@every_search
def test_without_a_proviso_nothing_ever_holds(search: SearchRow) -> None:
    system = WITNESSES["b, ignored for ever"].system
    wish = Wish(search=search.name, por="ample", proviso="none", experiment=True)
    reduction = reduced(system, wish, INVARIANT)
    result = search.search(Task(system, INVARIANT, reduction=reduction))
    assert result.verdict == Incomplete((CAVEAT,))


def test_deadlocks_need_no_proviso() -> None:
    system = WITNESSES["b, ignored for ever"].system
    wish = Wish(por="ample", proviso="none", experiment=True)
    assert search(system, wish, DEADLOCK).verdict == Holds()


class Telling(Tabulated):
    """Steps have results, and constants are set up first: of both a reduction knows nothing."""

    constants = "constants"

    def initial(self) -> Iterable[Outgoing]:
        return [Transition(Step(SETUP_CONSTANTS), self.constants)]

    def is_initialised(self, state: State) -> bool:
        return state != self.constants

    def may_end(self, state: State) -> bool:  # noqa: ARG002
        return False

    def successors(self, state: State) -> Iterable[Outgoing]:
        if state == self.constants:
            return [Transition(Step(INITIALISATION), self.pack(v)) for v in self.start]
        told: list[Outgoing] = []
        for item in super().successors(state):
            assert isinstance(item, Transition)
            told += [
                Transition(replace(item.step, results=(("r", r),)), item.target) for r in (1, 2)
            ]
        return told

    def values(self, state: State) -> list[tuple[str, int]]:
        return [] if state == self.constants else list(super().values(state))

    def shown(self, state: State) -> list[tuple[str, int]]:
        return self.values(state)


@every_search
@every_reduction
def test_traces_are_told_by_the_system(row: ReductionRow, search: SearchRow) -> None:
    witness = WITNESSES["3, D1 of up-sets"].system
    assert isinstance(witness, Tabulated)
    system = Telling(witness.domains, witness.events, invariant(lambda v: v["x"] != 2))
    reduction = reduced(system, Wish(search=search.name, por=row.name), INVARIANT)
    result = search.search(Task(system, INVARIANT, reduction=reduction))
    (violation,) = result.violations
    confirm(violation)
    assert violation.trace.steps[0].operation == SETUP_CONSTANTS
    assert violation.trace.steps[-1].results


def test_what_was_saved_is_counted() -> None:
    system = WITNESSES["counters"].system
    reduction = reduced(system, Wish(por="stubborn"), DEADLOCK)
    assert reduction is not None
    assert reduction.names == ("stubborn", None)
    task = Task(system, DEADLOCK, NEVER, reduction=reduction)
    result = plan(Wish()).search.search(task)
    tally = reduction.tally
    assert (tally.expanded, result.statistics.states) == (10, 10)
    assert tally.reduced == 6
    assert tally.taken == 9
    assert tally.happening == 3 * 3 + 2 * 3 + 3
    assert dict(tally.reasons) == {"a strong stubborn set": 6, "everything that happens": 4}


def test_what_stood_in_the_way_is_told() -> None:
    system = WITNESSES["n1, mutually disabling"].system
    lookup = Lookup(system, ExactRelations(system))
    assert obstacles(lookup) == []
    lookup.dependents(0)
    (obstacle,) = obstacles(lookup)
    assert (obstacle.first, obstacle.second) == ("a", "b")
    assert (obstacle.pairs, obstacle.all_pairs, obstacle.example) == (1, 1, (0, 1))
    assert told(lookup) == "a disables b"


def test_instances_are_counted_where_they_disable_others(tmp_path: Path) -> None:
    path = tmp_path / "Locks.mch"
    path.write_text(LOCKS, encoding="utf-8")
    result = load(path).check(por="stubborn", invariant=False, native=False)
    (reduction,) = result.reductions
    assert reduction.why_little == "the 3 instances of lock disable every add"


def test_a_process_is_a_value_of_the_common_parameter() -> None:
    system = WITNESSES["003, waiting for another process"].system
    assert processes(system.actions) == ((0, 2, 3), (1,))
    assert processes(WITNESSES["counters"].system.actions) == ((0,), (1,), (2,))
    assert processes(WITNESSES["f, instances"].system.actions) == ((0,), (1,), (2,), (3,))
