"""Searches that a heuristic guides."""

from __future__ import annotations

import pytest

from secateur.engine.heuristics.protocol import HeuristicRow
from secateur.engine.heuristics.registry import HEURISTICS
from secateur.engine.plan import Wish, plan
from secateur.engine.search.astar import AStar, astar
from secateur.engine.search.protocol import Task
from secateur.system.system import PropertyKind, State
from tests.agreement.exact_relations import ExactRelations
from tests.agreement.random_systems import RandomSystem, random_system
from tests.contract.toy import Toy
from tests.witnesses.judge import INVARIANT, truth
from tests.witnesses.models import WITNESSES

SYSTEMS = 60


def without_faults() -> list[RandomSystem]:
    """Return random systems in which only invariants can go wrong."""
    systems = [random_system(seed) for seed in range(SYSTEMS)]
    fine = [s for s in systems if not s.flavour.undefined and s.checks]
    return [s for s in fine if truth(s, INVARIANT).wrong]


@pytest.mark.parametrize("por", ["none", "upset"])
def test_the_way_that_an_admissible_heuristic_finds_is_a_shortest_one(por: str) -> None:
    for system in without_faults():
        planned = plan(Wish(search="astar", por=por, heuristic="invariant"))
        reduction = planned.pruning.applied(system, ExactRelations(system), INVARIANT)
        guide = planned.pruning.guide(system, INVARIANT)
        task = Task(system, INVARIANT, reduction=reduction, heuristic=guide)
        result = planned.search.search(task)
        assert len(result.violations[0].trace) == truth(system, INVARIANT).distance


def test_a_shorter_way_found_later_counts() -> None:
    """The heuristic makes the long way look good; its end is reopened, and so is what follows."""
    edges = {
        0: [("a", 1), ("a", 5)],
        1: [("a", 2)],
        2: [("a", 3)],
        3: [("a", 4)],
        5: [("a", 3)],
        4: [("a", 6)],
        6: [],
    }
    toy = Toy(edges, breached={6: [(PropertyKind.INVARIANT, "p")]})

    def guide(state: State) -> float:
        return {5: 2.5, 4: 9.0}.get(int(str(state)), 0.0)

    result = astar(Task(toy, INVARIANT, heuristic=guide))
    assert result.trace is not None
    assert result.trace.states == (0, 5, 3, 4, 6)
    assert result.statistics.transitions == 8
    result.trace.replay()


def test_a_worse_way_changes_nothing() -> None:
    """Figure 2 as printed would set g although f does not improve."""
    queue = AStar(lambda state: 0.0)
    queue.push("root")
    assert queue.pop() == "root"
    assert queue.improves("root", "near")
    queue.push("near")
    assert queue.improves("near", "far")
    queue.push("far")
    assert not queue.improves("far", "near")
    assert not queue.improves("near", "far")
    assert len(queue) == 2
    assert [queue.pop(), queue.pop()] == ["near", "far"]
    assert len(queue) == 0


def test_a_better_way_moves_a_waiting_state_forward() -> None:
    queue = AStar(lambda state: 0.0)
    queue.push("root")
    queue.pop()
    for before, after in (("root", "a"), ("a", "b"), ("b", "c"), ("root", "d"), ("b", "e")):
        queue.improves(before, after)
        queue.push(after)
    assert queue.improves("root", "e")
    queue.push("e")
    assert len(queue) == 5
    assert [queue.pop() for _ in range(5)] == ["a", "d", "e", "b", "c"]


@pytest.mark.parametrize("row", HEURISTICS, ids=lambda row: row.name)
def test_heuristics_are_never_negative(row: HeuristicRow) -> None:
    for system in (random_system(seed) for seed in range(20)):
        estimate = row.build(system)
        assert all(estimate(state) >= 0 for state in system.states)


def test_the_number_of_actions_leads_to_deadlocks() -> None:
    system = WITNESSES["counters"].system
    planned = plan(Wish(search="best", por="none", heuristic="deadlock"))
    kinds = frozenset({PropertyKind.DEADLOCK})
    task = Task(system, kinds, heuristic=planned.pruning.guide(system, kinds))
    result = planned.search.search(task)
    assert result.violations
    assert result.statistics.states < 64


def test_the_best_first_search_goes_where_the_heuristic_says() -> None:
    system = WITNESSES["counters"].system
    planned = plan(Wish(search="best", por="none"))
    task = Task(system, INVARIANT, heuristic=planned.pruning.guide(system, INVARIANT))
    result = planned.search.search(task)
    assert result.violations
    full = plan(Wish(search="bf", por="none")).search.search(Task(system, INVARIANT))
    assert result.statistics.states < full.statistics.states
