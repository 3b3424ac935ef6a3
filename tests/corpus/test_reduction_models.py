"""Models of the paper on reductions that the corpus has in the same instance.

Their state spaces are those that a reduction is compared with: they must be exact.  Two of
them take minutes and are explored only if SECATEUR_SLOW is set.
"""

from __future__ import annotations

import os

import pytest

from secateur.app.load import load
from tools.corpus.records import corpus_folder

MODELS = "prob-examples/B/Ivo/BenchmarksPOR"


def counts(file: str) -> tuple[int, int]:
    """Return the numbers of states and transitions; skip if there is no corpus."""
    path = corpus_folder() / MODELS / file
    if not path.is_file():
        pytest.skip(f"NO CORPUS at {path}: nothing was compared; set SECATEUR_CORPUS")
    found = load(path).check(all=True)
    assert found.exhaustive
    return found.statistics.states, found.statistics.transitions


@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("Concurrent/phil_mch_v1_mch.eventb", (81, 233)),
        ("Concurrent/phil_mch_v2_mch.eventb", (2350, 4527)),
        ("Concurrent/fact_m_v3_mch.eventb", (812, 2173)),
        ("MechanicalPressMachine/press_6_mch.eventb", (176, 697)),
    ],
)
def test_small_models(file: str, expected: tuple[int, int]) -> None:
    assert counts(file) == expected


@pytest.mark.slow
@pytest.mark.skipif("SECATEUR_SLOW" not in os.environ, reason="takes minutes: set SECATEUR_SLOW")
@pytest.mark.parametrize(
    ("file", "expected"),
    [
        ("Concurrent_Program_Development/conc_1_mch_finite.eventb", (128_562, 290_557)),
        ("other/ConcurrentCounters.mch", (110_812, 325_003)),
    ],
)
def test_large_models(file: str, expected: tuple[int, int]) -> None:
    assert counts(file) == expected
