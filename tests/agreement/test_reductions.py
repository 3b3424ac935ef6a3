"""Reduced searches say of random systems what the full search says.

`python -m tools.por_fuzz N` does the same at length.
"""

from __future__ import annotations

import pytest

from secateur.analysis.relations import EventRelations
from tests.agreement.reduced import Count, measure, try_system

BATCH = 30


@pytest.mark.parametrize("first", range(0, 6 * BATCH, BATCH))
def test_random_systems(first: int) -> None:
    count = Count()
    for seed in range(first, first + BATCH):
        try_system(seed, 8, count)
    assert not count.complaints, "\n".join(count.complaints)
    assert count.wrong_systems > BATCH


def test_with_the_relations_that_the_analysis_finds() -> None:
    count = Count()
    for seed in range(1000, 1000 + BATCH):
        try_system(seed, 8, count, EventRelations)
    assert not count.complaints, "\n".join(count.complaints)


def test_random_systems_are_worth_the_trouble() -> None:
    """Every reduction leaves something out, and no more states are left by the better ones."""
    count = Count()
    for seed in range(40):
        measure(seed, count)
    states = count.states
    for name in ("deadlock", "invariant"):
        full = states[f"{name} none"]
        for por in ("ample", "process-ample", "stubborn", "upset", "best"):
            assert states[f"{name} {por}"] < full, f"{name} {por}"
    assert states["deadlock stubborn"] <= states["deadlock ample"]
    assert states["invariant upset"] < states["invariant ample"]
