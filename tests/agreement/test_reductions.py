"""Reduced searches say of random systems what the full search says.

`python -m tools.por_fuzz N` does the same at length.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from secateur.analysis.relations import EventRelations
from secateur.engine.plan import plan
from secateur.engine.provisos.ranking import sticky_actions
from tests.agreement.random_systems import RandomSystem
from tests.agreement.reduced import (
    CLASSES,
    Count,
    different_wishes,
    measure,
    reachable_only,
    try_system,
    wrong_ranking,
)
from tests.witnesses.judge import Case, described, difference, truth, with_seed

BATCH = 30


@pytest.mark.parametrize("first", range(0, 6 * BATCH, BATCH))
def test_random_systems(first: int) -> None:
    count = Count()
    for seed in range(first, first + BATCH):
        try_system(seed, 8, count)
    assert not count.complaints, "\n".join(count.complaints)
    assert count.wrong_systems > BATCH


def test_with_the_relations_that_the_analysis_finds() -> None:
    count = Count()
    for seed in range(1000, 1000 + BATCH):
        try_system(seed, 8, count, EventRelations)
    assert not count.complaints, "\n".join(count.complaints)


def test_with_what_is_proven_of_the_reachable_states() -> None:
    count = Count()
    for seed in range(2000, 2000 + 2 * BATCH):
        try_system(seed, 8, count, reachable_only)
    assert not count.complaints, "\n".join(count.complaints)


class Shy(RandomSystem):
    """A system that cannot tell the results of some actions here and there; successors can."""

    def __init__(self, random: Random) -> None:
        super().__init__(random)
        self.shy = [
            {s & action.reads for s in self.states if random.random() < 0.15}
            for action in self.actions
        ]

    def results(self, action: int, state: int) -> tuple[int, ...] | None:
        """Look it up, unless it cannot be told."""
        if state & self.actions[action].reads in self.shy[action]:
            return None
        return super().results(action, state)


class Fixing(RandomSystem):
    """A system whose actions say which bits have one value after them."""

    def __init__(self, random: Random) -> None:
        super().__init__(random)
        for a, action in enumerate(self.actions):
            results = [r for found in self.outcomes[a].values() for r in found or ()]
            fixed = action.may_write
            for r in results:
                fixed &= ~(r ^ results[0])
            value = results[0] & fixed if results else 0
            self.actions[a] = replace(action, fixed=fixed, fixed_to=value)


def test_rankings_of_what_is_not_tried_out() -> None:
    """Where an action has too many values, what it fixes must do."""
    calm = wild = 0
    for seed in range(400):
        system = Fixing(Random(seed))
        sticky = sticky_actions(system, most=0)
        assert wrong_ranking(system, sticky) is None, seed
        calm += len(system.actions) - len(sticky)
        wild += len(sticky)
    assert calm > 100
    assert wild > 100


def test_no_fault_is_passed_unnoticed() -> None:
    """Relations are about states before the first fault: behind it, a search is in doubt."""
    passed = doubtful = 0
    for seed in range(60):
        system = Shy(Random(seed))
        for kinds in CLASSES.values():
            case = Case(system, reachable_only(system), kinds)
            expected = truth(system, kinds)
            for wish in Random(seed).sample(different_wishes(case), 6):
                planned = plan(with_seed(wish, seed))
                reduction = case.apply(planned)
                complaint = difference(case, case.run(planned, reduction), expected)
                if reduction is not None and reduction.tally.trapped:
                    doubtful += 1
                else:
                    passed += 1
                    assert complaint is None, f"{seed} {described(wish)}: {complaint}"
    assert passed > 100
    assert doubtful > 100


def test_random_systems_are_worth_the_trouble() -> None:
    """Every reduction leaves something out, and no more states are left by the better ones."""
    count = Count()
    for seed in range(40):
        measure(seed, count)
    states = count.states
    for name in ("deadlock", "invariant"):
        full = states[f"{name} none"]
        for por in ("ample", "process-ample", "stubborn", "upset", "best"):
            assert states[f"{name} {por}"] < full, f"{name} {por}"
    assert states["deadlock stubborn"] <= states["deadlock ample"]
    assert states["invariant upset"] < states["invariant ample"]
