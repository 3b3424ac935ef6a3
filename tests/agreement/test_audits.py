"""Random systems: what sound reductions do is accepted, and whatever leads to a wrong verdict is not."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from secateur.audit.audit import Outcome, audit
from secateur.audit.certificate import Claimed
from secateur.engine.plan import plan
from secateur.system.relations import Relations
from tests.agreement.exact_relations import ExactRelations
from tests.agreement.random_systems import RandomSystem, random_system
from tests.agreement.reduced import reachable_only
from tests.witnesses.certified import certify
from tests.witnesses.judge import BOTH, DEADLOCK, INVARIANT, Case, Truth, lawful_plans, truth
from tests.witnesses.mutants import MUTANTS
from tests.witnesses.tables import Tables

BATCH = 25


class ByConjuncts(ExactRelations):
    """Exact relations in which "it has a result" is not true only where that alone is missing."""

    def __init__(self, system: Tables) -> None:
        super().__init__(system)
        for a, action in enumerate(system.actions):
            guards = {s: system.guard(a, s) for s in system.states}
            bit = len(action.guard)
            untrue = {s for s, g in guards.items() if (g.false | g.undefined) >> bit & 1}
            self._untrue[a][-1] = untrue


CLASSES = (DEADLOCK, INVARIANT, BOTH)


@pytest.mark.parametrize("first", range(0, 2 * BATCH, BATCH))
@pytest.mark.parametrize("relations", [ByConjuncts, reachable_only])
def test_sound_runs_are_accepted(
    first: int, relations: Callable[[RandomSystem], Relations]
) -> None:
    reduced = 0
    plans = list(lawful_plans().values())
    for seed in range(first, first + BATCH):
        system = random_system(seed)
        random = Random(seed)
        case = Case(system, relations(system), random.choice(CLASSES))
        for planned in random.sample(plans, 6):
            if case.apply(planned) is None:
                continue
            certificate = certify(case, planned)
            found = audit(certificate, system)
            assert found.outcome is not Outcome.REJECTED, (seed, found)
            reduced += found.reduced > 0
    assert reduced > BATCH


def _as_it_is(expected: Truth, said: Claimed) -> bool:
    """Whether just that is said to be wrong which is."""
    names = {name for kind, name in said.violations if kind != "deadlock"}
    deadlocks = any(kind == "deadlock" for kind, _ in said.violations)
    return names == expected.names and deadlocks == bool(expected.deadlocks)


def test_lawful_ends_are_no_deadlocks() -> None:
    plans = list(lawful_plans().values())
    fewer = 0
    for seed in range(BATCH):
        system = random_system(seed)
        random = Random(seed)
        before = truth(system, DEADLOCK)
        system.ends = frozenset(s for s in sorted(before.deadlocks) if random.random() < 0.6)
        expected = truth(system, DEADLOCK)
        assert expected.deadlocks == before.deadlocks - system.ends
        fewer += expected.deadlocks < before.deadlocks
        case = Case(system, ByConjuncts(system), DEADLOCK)
        for planned in random.sample(plans, 6):
            if case.apply(planned) is None:
                continue
            certificate = certify(case, planned)
            said = {kind for kind, _ in certificate.claimed.violations}
            assert ("deadlock" in said) == bool(expected.deadlocks), seed
            assert audit(certificate, system).outcome is not Outcome.REJECTED, seed
    assert fewer


@pytest.mark.parametrize("bound", [20_000, 1])
def test_a_wrong_verdict_is_never_accepted(bound: int) -> None:
    """With conditions forgotten; what cannot be shown within a bound is at most not rejected."""
    wrong = 0
    for seed in range(500, 500 + BATCH):
        system = random_system(seed)
        kinds = Random(seed).choice(CLASSES)
        expected = truth(system, kinds)
        for name, mutant in MUTANTS.items():
            case = Case(system, mutant.relations(system), kinds)
            planned = plan(mutant.wish)
            if case.apply(planned) is None:
                continue
            try:
                certificate = certify(case, planned, mutant.change)
            except AssertionError:  # a change that fits another reduction, or no proviso to change
                continue
            if _as_it_is(expected, certificate.claimed):
                continue
            wrong += 1
            found = audit(certificate, system, bound)
            assert found.outcome is not Outcome.ACCEPTED, (seed, name)
            assert bound == 1 or found.outcome is Outcome.REJECTED, (seed, name)
    assert wrong > BATCH // 2
