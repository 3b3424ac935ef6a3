"""Counting as ProB does where it ends a run at a state error."""

from __future__ import annotations

from random import Random

import pytest

from secateur.system.system import PropertyKind
from tests.contract.toy import Toy
from tools.corpus.outcome import Grade, Outcome, Status, may_be_unfinished
from tools.corpus.unfinished import Graph, Order, until_error

# 0 -> 1 -> 3, 0 -> 2 -> 4
TREE = {0: [("a", 1), ("b", 2)], 1: [("a", 3)], 2: [("a", 4)], 3: [("a", 0)], 4: [("a", 0)]}


@pytest.mark.parametrize(
    ("faulty", "order", "counts"),
    [
        (0, Order.BREADTH_FIRST, (0, 3)),
        (2, Order.BREADTH_FIRST, (2, 5)),
        (2, Order.DEPTH_FIRST, (3, 6)),
        (2, Order.DEPTH_FIRST_REVERSED, (1, 4)),
        (3, Order.DEPTH_FIRST, (2, 5)),
    ],
)
def test_the_state_with_the_error_is_not_counted_but_its_transitions_are(
    faulty: int, order: Order, counts: tuple[int, int]
) -> None:
    assert until_error(Graph(Toy(TREE, faults={faulty: ["a"]})), order, Random(0)) == counts


def test_at_random_both_ways_are_gone() -> None:
    graph = Graph(Toy(TREE, faults={4: ["a"]}))
    found = {until_error(graph, Order.MIXED, Random(seed)) for seed in range(50)}
    assert len(found) > 1
    assert until_error(graph, Order.BREADTH_FIRST, Random(0)) in found


def test_violations_of_other_kinds_do_not_end_the_run() -> None:
    broken = {n: [(PropertyKind.INVARIANT, "p")] for n in TREE}
    for order in Order:
        assert until_error(Graph(Toy(TREE, breached=broken)), order, Random(0)) is None


@pytest.mark.parametrize(
    ("grade", "faults", "loaded", "tier", "wanted"),
    [
        (Grade.COUNTS, ["op: division by zero"], True, "core", True),
        (Grade.COUNTS, [], True, "core", False),
        (Grade.TIMEOUT, None, True, "tiny", True),
        (Grade.TIMEOUT, None, False, "tiny", False),
        (Grade.EQUAL, ["op: division by zero"], True, "tiny", False),
        (Grade.VERDICT, ["op: division by zero"], True, "convention", True),
        (Grade.VERDICT, ["op: division by zero"], True, "error", False),
    ],
)
def test_which_records_may_be_of_unfinished_runs(
    grade: Grade, faults: list[str] | None, loaded: bool, tier: str, wanted: bool
) -> None:
    outcome = Outcome("m.mch", tier, Status.EXPLORED, loaded, faults=faults, grade=grade)
    assert may_be_unfinished(outcome) is wanted
