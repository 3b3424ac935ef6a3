"""Permutations must keep the constants: those that do not would lose a violation."""

from pathlib import Path

import pytest

import secateur
from secateur.lang.symmetry.solutions import Solutions, Stabiliser
from secateur.system.verdict import Holds, Violated

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
