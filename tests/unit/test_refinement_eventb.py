"""Refinement in Event-B, one step of the chain after the other."""

from __future__ import annotations

from pathlib import Path

import pytest

from secateur.app.refine import refine
from secateur.source import InputError
from secateur.system.refinement import RefinementResult
from secateur.system.system import PropertyKind
from secateur.system.verdict import Incomplete

M0 = """MACHINE M0
VARIABLES n
INVARIANTS @inv n ∈ 0‥4
EVENTS
  EVENT INITIALISATION THEN @act n ≔ 0 END
  EVENT inc ANY d WHERE @grd d ∈ 1‥2 @room n + d ≤ 4 THEN @act n ≔ n + d END
  EVENT reset WHEN @grd n = 4 THEN @act n ≔ 0 END
END"""

M1 = """MACHINE M1
REFINES M0
VARIABLES k left
INVARIANTS @glue n = 2 ∗ k @nat left ∈ 0‥2
VARIANT left
EVENTS
  EVENT INITIALISATION THEN @act k ≔ 0 @left left ≔ 2 END
  EVENT inc REFINES inc WHEN @grd k < 2 WITH @d d = 2 THEN @act k ≔ k + 1 END
  EVENT reset REFINES reset WHEN @grd k = 2 THEN @act k ≔ 0 END
  CONVERGENT EVENT tick WHEN @grd left > 0 THEN @act left ≔ left − 1 END
END"""

M2 = """MACHINE M2
REFINES M1
VARIABLES k left
EVENTS
  EVENT INITIALISATION THEN @act k ≔ 0 @left left ≔ 2 END
  EVENT inc REFINES inc WHEN @grd k < 2 THEN @act k ≔ k + 1 END
END"""


def check(folder: Path, *machines: str, deadlock: bool = False) -> list[RefinementResult]:
    """Return the result of each step of a chain of machines."""
    for number, text in enumerate(machines):
        (folder / f"M{number}.eventb").write_text(text)
    return refine(folder / f"M{len(machines) - 1}.eventb", deadlock=deadlock)


def test_a_chain(tmp_path: Path) -> None:
    steps = check(tmp_path, M0, M1, M2)
    assert all(steps)
    assert [(s.abstract, s.concrete) for s in steps] == [("M0", "M1"), ("M1", "M2")]
    assert steps[0].levels == (("M0", ("n",)), ("M1", ("k", "left")))
    assert len(refine(tmp_path / "M2.eventb", component="M1")) == 1


@pytest.mark.parametrize(
    ("right", "wrong", "kind", "name"),
    [
        ("k = 2 THEN", "k ≥ 1 THEN", PropertyKind.REFINEMENT, "M0.reset.grd"),
        ("WITH @d d = 2", "WITH @d d = 1", PropertyKind.INVARIANT, "M1.glue"),
        ("WITH @d d = 2", "WITH @d d = 3", PropertyKind.REFINEMENT, "M0.inc.grd"),
        (
            "left ≔ left − 1",
            "left ≔ left",
            PropertyKind.VARIANT,
            "M1.tick decreases the variant",
        ),
        ("THEN @act k ≔ 0 @left", "THEN @act k ≔ 1 @left", PropertyKind.INVARIANT, "M1.glue"),
    ],
    ids=["guard", "gluing", "witness", "variant", "initialisation"],
)
def test_what_is_no_refinement(
    tmp_path: Path, right: str, wrong: str, kind: PropertyKind, name: str
) -> None:
    assert right in M1
    (step,) = check(tmp_path, M0, M1.replace(right, wrong))
    assert (kind, name) in [(v.kind, v.name) for v in step.result.violations]


def test_new_events_refine_skip(tmp_path: Path) -> None:
    kept = """MACHINE M1
REFINES M0
VARIABLES n
EVENTS
  EVENT INITIALISATION THEN @act n ≔ 0 END
  EVENT jump WHEN @grd n < 4 THEN @act n ≔ 4 END
END"""
    (step,) = check(tmp_path, M0, kept)
    assert step.result.violations[0].name == "M0.skip leaves n unchanged"


def test_deadlocks_where_asked(tmp_path: Path) -> None:
    assert check(tmp_path, M0, M1, deadlock=True)[0]
    (_, step) = check(tmp_path, M0, M1, M2, deadlock=True)
    assert step.result.violations[0].name == "deadlock, though M1 could do reset"


def test_invariants_of_the_abstraction_are_its_own_matter(tmp_path: Path) -> None:
    (step,) = check(tmp_path, M0.replace("n ∈ 0‥4", "n ∈ 0‥1"), M1)
    assert step


def test_without_an_initial_state_nothing_is_shown(tmp_path: Path) -> None:
    (tmp_path / "C.eventb").write_text("CONTEXT C CONSTANTS c AXIOMS @axm c ∈ ∅ ∧ c = 1 END")
    sees = M1.replace("REFINES M0", "REFINES M0 SEES C")
    (step,) = check(tmp_path, M0, sees)
    assert isinstance(step.result.verdict, Incomplete)
    assert "no initial state" in step.result.reasons[0]


def test_what_refines_nothing(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        check(tmp_path, M0)
    (complaint,) = caught.value.diagnostics
    assert str(complaint.code) == "SEC292"
