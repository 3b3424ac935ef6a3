"""Threads that ask the evaluator do not disturb each other.

How many steps an evaluation may take is counted in one place: with two evaluations under way, one
ran out of the steps that were meant for the other.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import secateur
from secateur.engine.native.available import why_not_native

pytestmark = pytest.mark.skipif(
    why_not_native() is not None, reason=f"no native engine: {why_not_native()}"
)

MODEL = """
MACHINE Race
VARIABLES a, b, c
INVARIANT a : 0..255 & b : 0..255 & c : 0..255
  & card({q | q : perm(0..4) & q(1) > a + b + c - 300}) > 1
INITIALISATION a, b, c := 0, 0, 0
OPERATIONS
  up_a = SELECT a < 12 THEN a := a + 1 END;
  up_b = SELECT b < 12 THEN b := b + 1 END;
  up_c = SELECT c < 12 THEN c := c + 1 END
END
"""


@pytest.fixture
def eager_threads() -> Iterator[None]:
    """Let threads take turns often, so that what can go wrong does."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("eager_threads")
def test_evaluations_of_several_threads(tmp_path: Path) -> None:
    file = tmp_path / "Race.mch"
    file.write_text(MODEL)
    result = secateur.load(file).check(native=True, threads=2, deadlock=False)
    assert result
    assert result.exhaustive
    assert result.statistics.states == 13 * 13 * 13
