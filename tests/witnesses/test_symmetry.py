"""What symmetry reduction must not do, and that it is noticed if it does.

Permutations must keep the constants; a proviso must ask about the states that are explored.
"""

from itertools import permutations
from pathlib import Path

import pytest

import secateur
from secateur.engine.plan import Plan, Wish, plan
from secateur.engine.provisos.protocol import Move, View
from secateur.engine.provisos.static import Static
from secateur.engine.reduce.reduction import Reduction
from secateur.engine.symmetry.canonical import CANONICAL
from secateur.lang.symmetry.solutions import Solutions, Stabiliser
from secateur.system.verdict import Holds, Violated
from tests.agreement.exact_relations import ExactRelations
from tests.agreement.reduced import Count
from tests.agreement.symmetric_systems import (
    MergedCase,
    SymmetricSystem,
    symmetric_system,
    try_symmetric,
)
from tests.witnesses.judge import INVARIANT

MACHINE = """MACHINE Chosen
SETS S = {s1, s2}
CONSTANTS c
PROPERTIES c : S
VARIABLES x
INVARIANT x <: S & PROMISED
INITIALISATION x := {}
OPERATIONS add(e) = PRE e : S & x = {} THEN x := x \\/ {e} END
END
"""


def verdicts(tmp_path: Path, strategy: str) -> list[type]:
    """Return what is said of two invariants that do not hold."""
    found: list[type] = []
    for invariant in ("c /: x", "x <: {c}"):
        path = tmp_path / "Chosen.mch"
        path.write_text(MACHINE.replace("PROMISED", invariant))
        model = secateur.load(path)
        result = model.check(symmetry=strategy, native=True, deadlock=False)
        found.append(type(result.verdict))
    return found


@pytest.mark.parametrize("strategy", ["none", "canonical", "flood"])
def test_a_constant_that_picks_an_element_tells_it_apart(tmp_path: Path, strategy: str) -> None:
    assert verdicts(tmp_path, strategy) == [Violated, Violated]


@pytest.mark.parametrize("strategy", ["canonical", "flood"])
def test_permuting_variables_only_would_be_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, strategy: str
) -> None:
    def whatever_constants_are(self: Solutions, number: int) -> Stabiliser:
        return self._find(-1)

    monkeypatch.setattr(Solutions, "stabiliser", whatever_constants_are)
    assert Holds in verdicts(tmp_path, strategy)


class AsksAboutOthers(MergedCase):
    """A reduction whose proviso asks about states that others stand for: it has never seen them."""

    def apply(self, planned: Plan) -> Reduction | None:
        reduction = super().apply(planned)
        assert reduction is not None
        proviso = reduction.proviso
        assert proviso is not None

        def asked(moves: tuple[Move, ...], view: View) -> bool:
            others = [Move(m.action, tuple(self._other(r) for r in m.results)) for m in moves]
            return proviso(tuple(others), view)

        reduction.proviso = asked
        return reduction

    def _other(self, state: int) -> int:
        system = self.system
        own = range(system.count)
        for renamed in permutations(own):
            look = system.described(state, renamed)
            if look != system.described(state, own):
                return next(s for s in system.states if system.described(s, own) == look)
        return state


@pytest.mark.parametrize("proviso", ["open", "visited"])
@pytest.mark.parametrize("por", ["stubborn", "ample"])
def test_a_proviso_is_about_the_states_that_are_explored(por: str, proviso: str) -> None:
    """Each process may step forward or back; one that has gone forward may do what is forbidden.

    If what leads back seems to be new each time, somebody steps to and fro for ever.
    """
    system: SymmetricSystem = symmetric_system(177)
    relations = ExactRelations(system)
    planned = plan(Wish(por=por, proviso=proviso))
    found = []
    for kind in (MergedCase, AsksAboutOthers):
        case = kind(system, relations, INVARIANT, CANONICAL)
        found.append(bool(case.run(planned, case.apply(planned)).violations))
    assert found == [True, False]


def _complaints() -> list[str]:
    """Return what is wrong with a system whose elements take turns, under many plans."""
    count = Count()
    try_symmetric(TURNS, 200, count)
    return count.complaints


TURNS = 23829
"""The seed of a system with a cycle that comes back to a state with other names."""


def test_sticky_actions_are_symmetric() -> None:
    assert not _complaints()


def test_that_they_are_makes_a_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Static, "respect_symmetry", lambda _: None)
    found = _complaints()
    assert found
    assert all(" static " in complaint for complaint in found)
