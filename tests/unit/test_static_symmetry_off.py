"""`-p USE_STATIC_SYMMETRY_DETECTION FALSE`: every valuation of the constants counts."""

from pathlib import Path

import pytest

import secateur

MACHINE = """
MACHINE Constants
SETS D
CONSTANTS a, b, c, d
PROPERTIES card(D) = 6 & a : D & b : D & c : D & d : D & a /= b
VARIABLES x
INVARIANT x : D
INITIALISATION x := a
OPERATIONS Move = BEGIN x := b END
END
"""


@pytest.mark.parametrize(("wanted", "valuations"), [("TRUE", 10), ("FALSE", 1080)])
def test_valuations(tmp_path: Path, wanted: str, valuations: int) -> None:
    path = tmp_path / "Constants.mch"
    path.write_text(MACHINE)
    model = secateur.load(path, preferences={"USE_STATIC_SYMMETRY_DETECTION": wanted})
    assert sum(1 for _ in model.initial_transitions()) == valuations


def test_without_it_symmetry_reduction_merges_the_same(tmp_path: Path) -> None:
    path = tmp_path / "Constants.mch"
    path.write_text(MACHINE)
    model = secateur.load(path, preferences={"USE_STATIC_SYMMETRY_DETECTION": "FALSE"})
    for native in (True, False):
        result = model.check(symmetry="canonical", native=native, all=True)
        assert result.statistics.states == 10 + 2 * 10
    chosen = secateur.load(path)
    assert chosen.check(symmetry="none", all=True).statistics.states == 10 + 2 * 10
