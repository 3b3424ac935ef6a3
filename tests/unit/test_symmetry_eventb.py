"""Symmetry of Event-B models: elements of a carrier set are exchanged, unless an axiom names one."""

from __future__ import annotations

from pathlib import Path

import pytest

from secateur import load
from secateur.app.model import Model

CONTEXT = """
context people
sets PERSON
constants leader
axioms
  @axm1 leader ∈ PERSON
end
"""

MACHINE = """
machine Room
  sees people
variables waiting inside
invariants
  @inv1 waiting ⊆ PERSON
  @inv2 inside ⊆ PERSON
  @inv3 waiting ∩ inside = ∅
events
  event INITIALISATION
    then
      @act1 waiting ≔ ∅
      @act2 inside ≔ ∅
  end
  event ask
    any p
    where
      @grd1 p ∈ PERSON ∖ (waiting ∪ inside)
    then
      @act1 waiting ≔ waiting ∪ {p}
  end
  event enter
    any p
    where
      @grd1 p ∈ waiting
      @grd2 {guard}
    then
      @act1 waiting ≔ waiting ∖ {p}
      @act2 inside ≔ inside ∪ {p}
  end
  event leave
    any p
    where
      @grd1 p ∈ inside
    then
      @act1 inside ≔ inside ∖ {p}
  end
end
"""

PEOPLE = 5


def model(folder: Path, guard: str, constants: bool) -> Model:
    """Return the model with one more condition on who enters."""
    context = CONTEXT if constants else CONTEXT.split("constants", maxsplit=1)[0] + "end\n"
    machine = MACHINE.replace("{guard}", guard)
    path = folder / "Room.eventb_text"
    path.write_text(context + machine, encoding="utf-8")
    return load(path, set_sizes={"PERSON": PEOPLE})


@pytest.mark.parametrize("native", [False, True])
@pytest.mark.parametrize("strategy", ["canonical", "flood"])
def test_nobody_is_named(tmp_path: Path, native: bool, strategy: str) -> None:
    """Orbits are told by how many wait and how many are inside."""
    room = model(tmp_path, "⊤", constants=False)
    full = room.check(symmetry="none", por="none", all=True, native=native)
    merged = room.check(symmetry=strategy, por="none", all=True, native=native)
    assert full
    assert merged
    assert full.statistics.states == 3**PEOPLE
    assert merged.statistics.states == (PEOPLE + 1) * (PEOPLE + 2) // 2
    assert merged.merged is not None
    assert merged.merged.sets == (("PERSON", PEOPLE),)


def test_an_axiom_names_one(tmp_path: Path) -> None:
    """With its constant, an orbit also tells where the leader is: outside, waiting or inside."""
    room = model(tmp_path, "leader ∈ waiting ∪ inside", constants=True)
    full = room.check(symmetry="none", por="none", all=True)
    merged = room.check(symmetry="canonical", por="none", all=True)
    assert bool(full) == bool(merged)
    assert {v.kind for v in full.violations} == {v.kind for v in merged.violations}
    assert full.statistics.states == 3**PEOPLE
    assert merged.statistics.states == 3 * PEOPLE * (PEOPLE + 1) // 2
    assert merged.merged is not None
    assert merged.merged.sets == (("PERSON", PEOPLE - 1),)


def test_a_violation_is_a_real_path(tmp_path: Path) -> None:
    room = model(tmp_path, "card(inside) < 3", constants=False)
    found = room.check(symmetry="canonical", goal="card(waiting) = 2 & card(inside) = 3")
    assert [v.kind.value for v in found.violations] == ["goal"]
    assert len(found.violations[0].trace.transitions) == 1 + 5 + 3
