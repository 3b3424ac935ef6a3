"""Audits accept what sound reductions have done, and reject what is done with a condition forgotten."""

from __future__ import annotations

import pytest

from secateur.audit.audit import Outcome, audit
from secateur.engine.plan import plan
from secateur.engine.pruning import RANDOM
from tests.agreement.exact_relations import ExactRelations
from tests.witnesses.certified import certify
from tests.witnesses.judge import Case, described, lawful_plans
from tests.witnesses.models import WITNESSES, Witness
from tests.witnesses.mutants import MUTANTS, Mutant

SEARCHES = ("bf", "df", "astar")
"""Where provisos make a difference: a queue, a path, and states that are opened again."""


@pytest.mark.parametrize("witness", WITNESSES.values(), ids=WITNESSES)
def test_sound_runs_are_accepted(witness: Witness) -> None:
    case = Case(witness.system, ExactRelations(witness.system), witness.kinds, witness.heuristic)
    for wish, planned in lawful_plans().items():
        if wish.search not in SEARCHES or wish.choice == RANDOM or case.apply(planned) is None:
            continue
        found = audit(certify(case, planned), witness.system)
        assert found.outcome is Outcome.ACCEPTED, (described(wish), found)


@pytest.mark.parametrize("mutant", MUTANTS.values(), ids=MUTANTS)
def test_what_is_forgotten_is_rejected(mutant: Mutant) -> None:
    witness = WITNESSES[mutant.witness]
    planned = plan(mutant.wish)
    case = Case(witness.system, mutant.relations(witness.system), witness.kinds, witness.heuristic)
    found = audit(certify(case, planned, mutant.change), witness.system)
    assert found.outcome is Outcome.REJECTED
    assert found.reason
