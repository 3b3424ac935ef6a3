"""Checks that are proven to hold, and what groups of slots have, against all reachable states."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from random import Random
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from secateur import load
from secateur.analysis import groups
from secateur.analysis.assumptions import NOTHING, REACHABLE
from secateur.analysis.closing import Meter
from secateur.analysis.effort import USUAL, Purse
from secateur.analysis.groups import closed
from secateur.analysis.inductive import Induction, related
from secateur.analysis.reachable import Reachable, reachable, sketched
from secateur.analysis.relations import EventRelations
from secateur.analysis.solving import relations_of
from secateur.engine.native.available import why_not_native
from secateur.system.result import Result
from tests.effort import fewer
from tests.unit.analysis.coded import CodedToy, coded_toys
from tests.unit.analysis.systems import Toy, toys
from tests.unit.analysis.test_reachable import reached

seeds = st.integers(0, 2**32)


def proven(toy: Toy, relations: EventRelations) -> frozenset[int]:
    """Return the checks that are inductive together, by tables and by a solver if there is one."""
    relations.tables.most = relations.purse.effort.codes
    induction = Induction(relations.tables, Reachable(), relations.purse, relations.solver)
    return induction.of(range(len(toy.checks)))


@given(seeds)
def test_what_is_proven_holds_in_every_reachable_state(seed: int) -> None:
    toy = toys(Random(seed), actions=3)
    found = proven(toy, EventRelations(toy))
    assert all(toy.holds(check, s) for check in found for s in reached(toy))


def by_definition(toy: Toy, checks: frozenset[int]) -> frozenset[int]:
    """Return the checks that are inductive together, as the definition says."""
    held = {n for n in checks if all(toy.holds(n, s) for s in toy.first)}
    while True:
        good = [s for s in toy.states() if all(toy.holds(n, s) for n in held)]
        after = {
            result
            for s in good
            for a in range(len(toy.actions))
            if toy.guard(a, s).holds
            for result in toy.results(a, s) or ()
        }
        kept = {n for n in held if all(toy.holds(n, s) for s in after)}
        if kept == held:
            return frozenset(held)
        held = kept


@fewer(3)
@given(seeds)
def test_the_solver_proves_no_more_than_the_definition_says(seed: int) -> None:
    pytest.importorskip("z3")
    toy = coded_toys(Random(seed))
    relations = relations_of(toy)
    relations.tables.purse = Purse(USUAL)
    relations.tables.most = 0  # nothing is listed
    induction = Induction(relations.tables, Reachable(), relations.purse, relations.solver)
    everything = frozenset(range(len(toy.checks)))
    assert induction.of(everything) <= by_definition(toy, everything)


@fewer(3)
@given(seeds)
def test_what_a_proof_needs_is_enough(seed: int) -> None:
    pytest.importorskip("z3")
    rng = Random(seed)
    toy = coded_toys(rng)
    solver = relations_of(toy).solver
    assert solver is not None
    checks = range(len(toy.checks))
    assumed = frozenset(n for n in checks if rng.random() < 0.7)
    for action in range(len(toy.actions)):
        violated, needed = solver.violated(action, assumed, assumed)
        assert needed <= assumed
        assert violated >= violations(toy, action, assumed, assumed)
        kept = assumed - violated
        assert not kept & violations(toy, action, kept, needed)


def violations(
    toy: CodedToy, action: int, checks: frozenset[int], assumed: frozenset[int]
) -> frozenset[int]:
    """Return the checks that an action can violate in a state in which others hold."""
    return frozenset(
        n
        for s in toy.states()
        if toy.guard(action, s).holds and all(toy.holds(n, s) for n in assumed)
        for result in toy.results(action, s) or ()
        for n in checks
        if toy.holds(n, s) and not toy.holds(n, result)
    )


def test_checks_are_related_through_others() -> None:
    toy = toys(Random(1), actions=1)
    masks = [check.reads for check in toy.checks]
    assert related(toy, masks[0], range(len(masks))) >= {0}
    assert related(toy, 0, range(len(masks))) == frozenset()


@given(seeds)
def test_groups_have_all_that_is_reachable(seed: int) -> None:
    toy = toys(Random(seed), actions=4)
    relations = EventRelations(toy)
    tables, purse = relations.tables, relations.purse
    tables.most = USUAL.codes
    found = reachable(tables, purse)
    assert found is not None
    states = reached(toy)
    for group in combinations(range(len(toy.slots)), min(3, len(toy.slots))):
        mask = tables.space.bits(group)
        slots = frozenset(group)
        sketches = [sketched(tables, a, slots, None) for a in range(len(toy.actions))]
        codes = closed(tables.space, group, toy.first, (sketches, found), Meter(1 << 20, purse))
        assert {s & mask for s in states} <= codes


# -- models ---------------------------------------------------------------------------------------


COUNTERS: Final = """
MACHINE Counters
CONSTANTS few PROPERTIES few : 1..5 & few = 3
VARIABLES pc, n, turns, seen, other
INVARIANT pc : 0..2 & n : NAT & turns : NAT & seen : 1..9 --> 0..1 & other : 0..3
INITIALISATION pc, n, turns, other := 0, 1, 0, 0 || seen := (1..9) * {0}
OPERATIONS
    begin = SELECT pc = 0 & turns < few THEN pc := 1 END;
    work = SELECT pc = 1 THEN n := n + 1 || seen(n + 1) := 1 || pc := 2 END;
    end = SELECT pc = 2 THEN turns := turns + 1 || pc := 0 END;
    idle = SELECT other < 3 THEN other := other + 1 || seen(9) := 1 - seen(9) END
END
"""

PROMISED: Final = """
MACHINE Promised
VARIABLES x, y, z
INVARIANT x : 0..1 & y : 0..1 & z : 0..1 & {invariant}
INITIALISATION x {initially} || y := 0 || z := 0
OPERATIONS
    w = SELECT y = 0 THEN y := 1 END;
    a = SELECT {guard} THEN {action} END;
    e = SELECT (y = 0 & z = 1 => 10 / x > 1) & z = 1 THEN skip END
END
"""

needs_native = pytest.mark.skipif(
    why_not_native() is not None, reason=f"no native engine: {why_not_native()}"
)


def checked(tmp_path: Path, text: str, por: str) -> Result:
    path = tmp_path / "model.mch"
    path.write_text(text, encoding="utf-8")
    return load(path).check(
        por=por, deadlock=True, invariant=False, assertions=False, goal=False, all=True
    )


@needs_native
def test_counters_bound_each_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`n` stays small because `turns` does: without that, `work` might write where `idle` does."""
    full = checked(tmp_path, COUNTERS, "none")
    reduced = checked(tmp_path, COUNTERS, "stubborn")
    assert len(full.violations) == len(reduced.violations) == 1
    assert reduced.statistics.states < full.statistics.states / 2
    monkeypatch.setattr(groups, "MOST_GROUPS", 0)
    assert checked(tmp_path, COUNTERS, "stubborn").statistics.states > reduced.statistics.states


@needs_native
@pytest.mark.parametrize(
    ("parts", "forgotten"),
    [
        (("x = 1", ":= 1", "x = 1 & z = 0", "x, z := 0, 1"), "_violated"),
        (("x = 1", ":: {0, 1}", "z = 0", "z := 1"), "_initially"),
    ],
    ids=["preserved by every action", "true at the beginning"],
)
def test_an_invariant_that_is_not_inductive_is_not_relied_on(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    parts: tuple[str, str, str, str],
    forgotten: str,
) -> None:
    """The division by zero is met only if `a` comes before `w`; forgotten, it is missed."""
    invariant, initially, guard, action = parts
    text = PROMISED.format(invariant=invariant, initially=initially, guard=guard, action=action)
    kinds = {v.kind for v in checked(tmp_path, text, "none").violations}
    assert {v.kind for v in checked(tmp_path, text, "stubborn").violations} == kinds
    if forgotten == "_violated":
        monkeypatch.setattr(Induction, forgotten, lambda *_: frozenset())
    else:
        monkeypatch.setattr(Induction, forgotten, lambda _, checks: sorted(checks))
    assert {v.kind for v in checked(tmp_path, text, "stubborn").violations} != kinds


def test_nothing_is_looked_for_where_nothing_may_be_assumed() -> None:
    toy = toys(Random(3), actions=3)
    relations = EventRelations(toy, assumptions=NOTHING)
    relations.faults(0)
    assert not relations.inductive
    assert EventRelations(toy, assumptions=REACHABLE).inductive == frozenset()
