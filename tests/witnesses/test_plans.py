"""Every witness with every lawful plan: what is wrong is found."""

from __future__ import annotations

import pytest

from secateur.engine.native.available import why_not_native
from secateur.engine.plan import Wish
from tests.agreement.exact_relations import ExactRelations
from tests.agreement.native_products import AVAILABLE
from tests.agreement.native_searches import judge_natively
from tests.agreement.reduced import different_wishes
from tests.witnesses.judge import (
    BOTH,
    DEADLOCK,
    INVARIANT,
    Case,
    described,
    judge,
    lawful_wishes,
    truth,
    with_seed,
)
from tests.witnesses.models import WITNESSES, Witness


@pytest.mark.parametrize("witness", WITNESSES.values(), ids=WITNESSES)
def test_every_lawful_plan_finds_what_is_wrong(witness: Witness) -> None:
    relations = ExactRelations(witness.system)
    for kinds in (DEADLOCK, INVARIANT, BOTH):
        case = Case(witness.system, relations, kinds, witness.heuristic)
        expected = truth(witness.system, kinds)
        for number, wish in enumerate(different_wishes(case)):
            complaint = judge(case, with_seed(wish, number), expected)
            assert complaint is None, f"{described(wish)}: {complaint}"


@pytest.mark.skipif(not AVAILABLE, reason=f"no native engine: {why_not_native()}")
@pytest.mark.parametrize("witness", WITNESSES.values(), ids=WITNESSES)
def test_every_native_twin_finds_the_same(witness: Witness) -> None:
    relations = ExactRelations(witness.system)
    for kinds in (DEADLOCK, INVARIANT, BOTH):
        case = Case(witness.system, relations, kinds, witness.heuristic)
        expected = truth(witness.system, kinds)
        for number, wish in enumerate(different_wishes(case)):
            complaint = judge_natively(case, with_seed(wish, number), expected)
            assert complaint is None, f"{described(wish)}: {complaint}"


@pytest.mark.parametrize("witness", WITNESSES.values(), ids=WITNESSES)
def test_something_is_wrong_with_each(witness: Witness) -> None:
    assert truth(witness.system, witness.kinds).wrong


def test_there_are_many_lawful_plans() -> None:
    wishes = lawful_wishes()
    assert len(wishes) > 100
    assert Wish(search="df", por="process-ample", proviso="stack") in wishes
    assert not [w for w in wishes if w.proviso == "stack" and w.search != "df"]
