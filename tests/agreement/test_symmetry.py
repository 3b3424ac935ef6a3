"""Merged searches say of random systems and machines what full ones say.

`python -m tools.symmetry_fuzz N` does the same with systems at length.
"""

from __future__ import annotations

from itertools import permutations, product
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pynauty  # type: ignore[import-untyped]
import pytest
from hypothesis import given
from hypothesis import strategies as st

import secateur
from secateur.app.model import CheckOptions
from secateur.app.temporal.claims import Claim, Manner
from secateur.engine.limits import Limits
from secateur.engine.symmetry.canonical import canonical_form
from secateur.engine.symmetry.registry import STRATEGIES
from secateur.lang.symmetry.findings import find_symmetry
from secateur.lang.symmetry.states import MachineSymmetry
from secateur.lang.unfold import alternatives
from secateur.system.result import Result
from secateur.system.symmetry import Interchangeable
from secateur.system.temporal import TemporalResult
from tests.agreement.deep_machines import SIZES, deep_machine
from tests.agreement.reduced import Count
from tests.agreement.symmetric_machines import symmetric_machine
from tests.agreement.symmetric_systems import try_symmetric
from tests.effort import fewer, recursion_limit_kept

BATCH = 10


@pytest.mark.parametrize("first", range(0, 6 * BATCH, BATCH))
def test_random_systems(first: int) -> None:
    count = Count()
    for seed in range(first, first + BATCH):
        try_symmetric(seed, 4, count)
    assert not count.complaints, "\n".join(count.complaints)
    assert count.wrong_systems > 0


def violations(result: Result) -> set[tuple[str, str]]:
    return {(v.kind.value, v.name) for v in result.violations}


def orbits(model: Any, most: int) -> int | None:
    """Return how many orbits there are, by definition; None if there are too many states."""
    symmetry = MachineSymmetry(model.system, find_symmetry(model.typed).free)
    found: set[frozenset[Any]] = set()
    renamings = []
    sets = [each.elements for each in symmetry.sets]
    for chosen in product(*map(permutations, sets)):
        colours = list(range(symmetry.elements))
        for elements, names in zip(sets, chosen, strict=True):
            for element, name in zip(elements, names, strict=True):
                colours[element] = name
        renamings.append(colours)
    for number, state in enumerate(model.states()):
        if number == most:
            return None
        found.add(frozenset(symmetry.described(state, c) for c in renamings))
    return len(found)


@fewer(2)
@given(seed=st.integers(0, 10**6))
def test_random_machines(seed: int) -> None:
    with TemporaryDirectory() as folder, recursion_limit_kept():
        path = Path(folder) / "Random.mch"
        path.write_text(symmetric_machine(seed))
        judge_machine(secateur.load(path, set_sizes={"P": 3}))


@fewer(20)
@given(seed=st.integers(0, 10**6))
def test_random_machines_with_nested_values(seed: int) -> None:
    with TemporaryDirectory() as folder, recursion_limit_kept():
        path = Path(folder) / "Deep.mch"
        path.write_text(deep_machine(seed))
        model = secateur.load(path, set_sizes=SIZES[seed % len(SIZES)])
        limits: CheckOptions = {"all": True, "max_states": 1000, "native": True}
        asked: CheckOptions = {**limits, "symmetry": "none"}
        full = model.check(**asked)
        if full.reasons:
            return
        expected = orbits(model, 1000)
        for strategy in ("canonical", "flood"):
            asked = {**limits, "symmetry": strategy}
            merged = model.check(**asked)
            assert violations(merged) == violations(full), strategy
            assert merged.statistics.states == expected, strategy


def judge_machine(model: Any) -> None:
    """Compare all strategies, in both engines, with all states."""
    limits: CheckOptions = {"all": True, "max_states": 1500, "symmetry": "none", "native": True}
    full = model.check(**limits)
    if full.reasons:  # too many states, or something that is not known
        return
    expected = orbits(model, 1500)
    assert expected is not None
    for row in STRATEGIES:
        for native in (True, False):
            asked: CheckOptions = {**limits, "symmetry": row.name, "native": native}
            merged = model.check(**asked)
            assert merged.merged is not None, merged.notes
            where = f"{row.name}, native={native}"
            if not row.exact:
                assert violations(merged) <= violations(full), where
                continue
            assert violations(merged) == violations(full), where
            assert merged.statistics.states == expected, where
    for por in ("stubborn", "ample"):
        for native in (True, False):
            asked = {**limits, "symmetry": "canonical", "por": por, "native": native}
            asked |= {"assertions": False}
            both = model.check(**asked)
            kinds = {(k, n) for k, n in violations(full) if k != "assertion"}
            assert violations(both) == kinds, f"{por}, native={native}"
            assert both.statistics.states <= expected


FORMULAS = (
    "G {card(a) < 2}",
    "F {e : a}",
    "G ([op0] => F [op0])",
    "G F (deadlock or {n = 0})",
    "WF(op0) => F {a /= {}}",
    "SF(op0) => G F [op0]",
    "G (e(op0) => X (e(op0) or {n > 0}))",
    "{n = 0} U ([op0] or deadlock)",
    "G ({#x.(x : P & x : a)} => O [op0])",
    "F G {f = P * {0}}",
)


@fewer(4)
@given(seed=st.integers(0, 10**6))
def test_random_formulas(seed: int) -> None:
    """A formula that names nobody holds of the quotient just if it holds of the whole."""
    with TemporaryDirectory() as folder, recursion_limit_kept():
        path = Path(folder) / "Random.mch"
        path.write_text(symmetric_machine(seed))
        model = secateur.load(path, set_sizes={"P": 3})
        for text in Random(seed).sample(FORMULAS, 4):
            claim = Claim(text, "ltl", text)
            limits = Limits(states=400, seconds=5.0)
            full = model.temporal([claim], limits, Manner(por="none", symmetry="none"))[0]
            for strategy, native in (("canonical", None), ("canonical", False), ("flood", False)):
                manner = Manner(symmetry=strategy, native=native)
                merged = model.temporal([claim], limits, manner)[0]
                assert merged.merged is not None
                if full.holds is not None and merged.holds is not None:
                    assert merged.holds == full.holds, (text, strategy, native)


def test_a_formula_that_names_an_element_keeps_it_apart(tmp_path: Path) -> None:
    """An atom that is not symmetric."""
    path = tmp_path / "Named.mch"
    path.write_text(
        """MACHINE Named
SETS P
VARIABLES at
INVARIANT at : P --> 0..2
INITIALISATION at := P * {0}
OPERATIONS
  Step(p) = PRE p : P & at(p) < 2 THEN at(p) := at(p) + 1 END
END
"""
    )
    model = secateur.load(path, set_sizes={"P": 3})

    def judged(text: str, symmetry: str) -> TemporalResult:
        return model.temporal([Claim(text, "ltl", text)], manner=Manner(symmetry=symmetry))[0]

    named = judged("F {at(P1) = 1 & at(P2) = 0}", "canonical")
    assert named.holds is judged("F {at(P1) = 1 & at(P2) = 0}", "none").holds is False
    assert "P1 is named in {at(P1) = 1 & at(P2) = 0} of the formula" in str(named.remark)
    partly = judged("F {at(P1) = 2}", "canonical")
    assert partly.holds is True
    assert partly.merged is not None
    assert partly.merged.sets == (("P", 2),)
    everybody = judged("!x.({x : P} => F {at(x) = 2})", "canonical")
    assert everybody.holds is True
    assert everybody.merged is None
    unseen = judged("F {at = P * {2}}", "canonical")
    assert unseen.holds is True
    assert unseen.states == 10
    assert "compares" in str(judged("F changed({at})", "canonical").remark)


def test_a_loop_of_the_quotient_is_unrolled(tmp_path: Path) -> None:
    """Handing over leads back to the same orbit at once, and to the same state after three rounds."""
    path = tmp_path / "Round.mch"
    path.write_text(
        """MACHINE Round
SETS P
CONSTANTS next
PROPERTIES next : P >->> P & closure1(next) = P * P
VARIABLES here, steps
INVARIANT here : P & steps : 0..1
INITIALISATION here :: P || steps := 0
OPERATIONS
  Hand = SELECT steps = 0 THEN here := next(here) || steps := 1 END;
  Rest = SELECT steps = 1 THEN steps := 0 END
END
"""
    )
    model = secateur.load(path, set_sizes={"P": 3})
    claim = Claim("never", "ltl", "F G {steps = 0}")
    for native in (None, False):
        found = model.temporal([claim], manner=Manner(symmetry="canonical", native=native))[0]
        assert found.holds is False
        assert found.states == 2
        assert found.evidence is not None
        assert found.evidence.loop == 6


class Relation:
    """A relation between elements, as a symmetry of its only state sees it."""

    def __init__(self, size: int, pairs: frozenset[tuple[int, int]]) -> None:
        self.elements = size
        self.pairs = pairs

    @property
    def sets(self) -> list[Any]:
        """All elements."""
        return [Interchangeable("S", tuple(range(self.elements)))]

    def described(self, _: object, colour: Any) -> Any:
        """Return the pairs in the colours of their parts."""
        return tuple(sorted((colour[a], colour[b]) for a, b in self.pairs))


def graph(size: int, pairs: frozenset[tuple[int, int]]) -> pynauty.Graph:
    adjacent: dict[int, list[int]] = {}
    for a, b in sorted(pairs):
        adjacent.setdefault(a, []).append(b)
    return pynauty.Graph(size, directed=True, adjacency_dict=adjacent)


@given(seed=st.integers(0, 10**6))
def test_canonical_forms_are_those_of_isomorphic_graphs(seed: int) -> None:
    random = Random(seed)
    size = random.randint(2, 6)
    share = random.choice((0.2, 0.4, 0.5))
    one = frozenset((a, b) for a in range(size) for b in range(size) if random.random() < share)
    names = random.sample(range(size), size)
    other = frozenset((names[a], names[b]) for a, b in one)
    if random.random() < 0.5 and other:
        gone = random.choice(sorted(other))
        other = other - {gone} | {(random.randrange(size), random.randrange(size))}
    forms = [canonical_form(Relation(size, pairs), None) for pairs in (one, other)]
    alike = pynauty.isomorphic(graph(size, one), graph(size, other))
    assert (forms[0] == forms[1]) == alike


def test_rings_that_markers_cannot_tell_apart(tmp_path: Path) -> None:
    """One ring of six, two of three: the same to everybody who looks at neighbours only."""
    path = tmp_path / "Rings.mch"
    path.write_text(
        """MACHINE Rings
SETS N
VARIABLES r, done
INVARIANT r : N <-> N & done : BOOL
  & (done = TRUE => closure1(r) = N * N)
INITIALISATION r := {} || done := FALSE
OPERATIONS
  Draw = ANY s WHERE done = FALSE & s : N >->> N & id(N) /\\ s = {} & s /\\ s~ = {}
         THEN r := s || done := TRUE END
END
"""
    )
    model = secateur.load(path, set_sizes={"N": 6})
    for native in (True, False):
        exact = model.check(symmetry="canonical", native=native, deadlock=False, all=True)
        assert exact.statistics.states == 3  # nothing drawn, one ring, two rings
        assert violations(exact) == {("invariant", "done = TRUE => closure1(r) = N * N")}
        marked = model.check(symmetry="markers", native=native, deadlock=False, all=True)
        assert marked.statistics.states == 2
        assert not marked.exhaustive


ALIKE = """MACHINE Alike
SETS P
VARIABLES e, n, m
INVARIANT e : P & n : 0..3 & m : 0..2 & m /= 2
INITIALISATION e :: P || n := 0 || m := 0
OPERATIONS
  a0 = SELECT n = 0 THEN n := 2 END;
  a1 = SELECT n = 1 THEN n := 2 || e :: P END;
  a2 = SELECT n = 0 THEN n := 1 || e :: P END;
  a3 = SELECT n = 2 THEN n := 3 END;
  a4 = SELECT n = 2 THEN n := 1 || e :: P END;
  b0 = SELECT m = 0 THEN m := 1 END;
  b1 = SELECT m = 2 THEN m := 2 END;
  b2 = SELECT m = 0 THEN m := 0 END;
  b3 = SELECT m = 1 THEN m := 1 END
END
"""


def test_several_results_that_are_one_up_to_symmetry_are_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever continues a path, another state can rely on what stands for all of them."""
    # Choices are not taken apart, so that an action has several results.
    monkeypatch.setattr(alternatives._Unfolding, "_becomes_element", lambda *_: None)
    path = tmp_path / "Alike.mch"
    path.write_text(ALIKE)
    model = secateur.load(path, set_sizes={"P": 3})
    limits: CheckOptions = {"symmetry": "canonical", "proviso": "reliance", "deadlock": False}
    for por in ("stubborn", "ample"):
        for native in (True, False):
            asked: CheckOptions = {**limits, "por": por, "native": native}
            result = model.check(**asked)
            assert result, (por, native)
            assert result.statistics.states == 5, (por, native)
