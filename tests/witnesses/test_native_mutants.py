"""What is forgotten is noticed natively, too: provisos, and what relations say."""

from __future__ import annotations

from typing import Final

import pytest

from secateur.engine.native.available import why_not_native
from secateur.engine.plan import plan
from tests.agreement.exact_relations import ExactRelations
from tests.agreement.native_products import AVAILABLE
from tests.agreement.native_searches import NativeSearch, has_twin, judge_natively
from tests.witnesses.judge import NEVER, Case, truth
from tests.witnesses.models import WITNESSES
from tests.witnesses.mutants import MUTANTS

pytestmark = pytest.mark.skipif(not AVAILABLE, reason=f"no native engine: {why_not_native()}")

CARELESS: Final = ("C2r", "C2r in best", "C2o", "C2v", "C2s", "C2ol", "C3'")
"""Mutants whose proviso allows everything."""
MISTAKEN: Final = tuple(n for n, m in MUTANTS.items() if m.relations is not ExactRelations)
"""Mutants whose relations are wrong."""


@pytest.mark.parametrize("name", [*CARELESS, *MISTAKEN])
def test_what_is_forgotten_is_noticed(name: str) -> None:
    mutant = MUTANTS[name]
    witness = WITNESSES[mutant.witness]
    planned = plan(mutant.wish)
    expected = truth(witness.system, witness.kinds)
    sound = Case(witness.system, ExactRelations(witness.system), witness.kinds)
    assert has_twin(planned, sound.apply(planned))
    assert judge_natively(sound, mutant.wish, expected) is None

    case = Case(witness.system, mutant.relations(witness.system), witness.kinds)
    reduction = case.apply(planned)
    assert reduction is not None
    if name in CARELESS:
        reduction.names = (reduction.names[0], "none")
        reduction.proviso = None
    told = NativeSearch(case, planned, NEVER).run(reduction)
    assert (told.names, told.deadlocks) != (expected.names, len(expected.deadlocks))
