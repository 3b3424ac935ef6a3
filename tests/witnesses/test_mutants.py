"""Each condition of each theorem is needed: forgotten, its witness notices."""

from __future__ import annotations

import pytest

from secateur.engine.limits import Meter
from secateur.engine.plan import plan
from secateur.engine.provisos.open_liveness import open_liveness
from secateur.engine.provisos.open_set import open_set
from secateur.engine.provisos.protocol import Move, View
from secateur.engine.search.breadth_first import BreadthFirst
from secateur.engine.search.consistency import consistency_checking
from secateur.engine.search.protocol import ROOT, Task
from secateur.system.system import State
from tests.agreement.exact_relations import ExactRelations
from tests.witnesses.judge import NEVER, Case, difference, truth
from tests.witnesses.models import WITNESSES
from tests.witnesses.mutants import AMPLE, MUTANTS, STUBBORN, Mutant, proviso


@pytest.mark.parametrize("mutant", MUTANTS.values(), ids=MUTANTS)
def test_what_is_forgotten_is_noticed(mutant: Mutant) -> None:
    witness = WITNESSES[mutant.witness]
    planned = plan(mutant.wish)
    expected = truth(witness.system, witness.kinds)

    sound = Case(witness.system, ExactRelations(witness.system), witness.kinds, witness.heuristic)
    assert difference(sound, sound.run(planned, sound.apply(planned)), expected) is None

    case = Case(witness.system, mutant.relations(witness.system), witness.kinds, witness.heuristic)
    reduction = case.apply(planned)
    assert reduction is not None
    changed = mutant.change(reduction)
    changed.needs_stack = reduction.needs_stack
    assert difference(case, case.run(planned, changed), expected) is not None


class Dropping(BreadthFirst):
    """States with an error are not expanded."""

    def __init__(self, violating: frozenset[State]) -> None:
        super().__init__()
        self._violating = violating

    def push(self, state: State) -> None:
        if state is ROOT or state not in self._violating:
            super().push(state)


@pytest.mark.parametrize("closed", [True, False])
def test_what_is_never_expanded_must_not_be_relied_on(closed: bool) -> None:
    """Our searches expand every state; one that does not must count the others as closed."""
    witness = WITNESSES["b, two errors"]
    case = Case(witness.system, ExactRelations(witness.system), witness.kinds)
    bad = frozenset(s for s in case.system.states if list(case.system.breaches(s, witness.kinds)))

    def holds(moves: tuple[Move, ...], view: View) -> bool:
        known = view.closed | bad if closed else view.closed
        return open_set(moves, View(view.visited, None, known))

    planned = plan(AMPLE)
    reduction = case.apply(planned)
    assert reduction is not None
    task = Task(
        case.system, witness.kinds, NEVER, meter=Meter(), reduction=proviso(holds)(reduction)
    )
    result = consistency_checking(task, Dropping(bad))
    assert {v.name for v in result.violations} == ({"p = 0", "b = 0"} if closed else {"p = 0"})


def test_one_open_result_is_not_enough_for_liveness() -> None:
    """With {a, b} taken at first, the path e a a a … is lost: a goes back, b does not."""
    system = WITNESSES["b, C2o and liveness"].system
    start, after = system.pack({}), system.pack({"y": 1})
    moves = (Move(0, (start,)), Move(1, (after,)))
    view = View({start}, closed={start})
    assert open_set(moves, view)
    assert not open_liveness(moves, view)


def test_a_strong_stubborn_set_is_not_a_weak_one() -> None:
    """The set {a, k} would lose a path from p to q (inconsistent labelling)."""
    witness = WITNESSES["e, inconsistent labels"]
    case = Case(witness.system, ExactRelations(witness.system), witness.kinds)
    names = [action.operation for action in case.system.actions]
    for wish in (AMPLE, STUBBORN):
        reduction = case.apply(plan(wish))
        assert reduction is not None
        here = reduction.look(case.system.pack({}))
        assert here is not None
        for choice in reduction.reducer.choices(here):
            assert {names[a] for a in choice.actions} != {"a", "k"}
