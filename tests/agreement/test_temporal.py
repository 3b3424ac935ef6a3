"""Temporal formulas about random systems: all ways to judge them say what the definition says.

`python -m tools.ltl_fuzz N` does the same at length.
"""

from __future__ import annotations

import pytest

from tests.agreement.temporal import Count, try_seed

BATCH = 8


@pytest.mark.parametrize("first", range(0, 4 * BATCH, BATCH))
def test_random_formulas(first: int) -> None:
    count = Count()
    for seed in range(first, first + BATCH):
        try_seed(seed, 6, count)
    assert not count.complaints, "\n".join(count.complaints)
    assert count.pairs / 5 < count.violated < count.pairs * 4 / 5
    assert count.reduced
