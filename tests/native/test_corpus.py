"""Models of the corpus, in every way in which states are kept; also for the sanitizers."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("secateur._native", reason="NOT TESTED: the native module is not built")

import secateur
from bench.cases import CORPUS, Case, corpus

MOST_STATES = 150_000

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not CORPUS.is_dir(), reason=f"NOT TESTED: there is no {CORPUS}"),
]


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"threads": 2},
        {"compress": True},
        {"compress": True, "threads": 2},
        {"fingerprint": True},
    ],
    ids=str,
)
@pytest.mark.parametrize("case", [c for c in corpus() if c.states < MOST_STATES], ids=str)
def test_counts_are_those_of_the_records(case: Case, options: dict[str, Any]) -> None:
    result = secateur.load(case.model).check(all=True, native=True, **options)
    counted = result.statistics
    assert (counted.states, counted.transitions) == (case.states, case.transitions)
    assert result.engine.name == "native"
