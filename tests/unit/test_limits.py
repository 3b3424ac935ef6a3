"""Limits: which are none, and how they are told."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import pytest

import secateur
from secateur.app.pictures.graph import gather
from secateur.app.refine import refine
from secateur.engine.limits import Limits, memory_reached

MACHINE = """MACHINE Counter
VARIABLES n INVARIANT n : 0..3 INITIALISATION n := 0
OPERATIONS inc = PRE n < 3 THEN n := n + 1 END
END"""

BAD: list[Limits] = [
    Limits(seconds=-1),
    Limits(seconds=0),
    Limits(seconds=math.nan),
    Limits(memory=0),
    Limits(states=0),
    Limits(states=-5),
]


@pytest.mark.parametrize(
    ("limit", "size"),
    [
        (1, "1 byte"),
        (1000, "1000 bytes"),
        (1024, "1 KB"),
        (1536 * 1024, "1.5 MB"),
        (200 * 2**20, "200 MB"),
        (2**31, "2048 MB"),
    ],
)
def test_memory_is_told_in_a_fitting_unit(limit: int, size: str) -> None:
    assert memory_reached(limit) == f"the limit of {size} of memory was reached"


@pytest.mark.parametrize("limits", BAD, ids=str)
@pytest.mark.parametrize(
    "use",
    [
        lambda model, limits: model.check(
            max_states=limits.states, max_seconds=limits.seconds, max_memory=limits.memory
        ),
        lambda model, limits: model.temporal(None, limits),
        gather,
    ],
    ids=["check", "temporal", "gather"],
)
def test_what_allows_nothing_is_refused(
    tmp_path: Path, use: Callable[[secateur.Model, Limits], object], limits: Limits
) -> None:
    file = tmp_path / "Counter.mch"
    file.write_text(MACHINE, encoding="utf-8")
    with pytest.raises(secateur.InputError) as caught:
        use(secateur.load(file), limits)
    assert [str(d.code) for d in caught.value.diagnostics] == ["SEC302"]


@pytest.mark.parametrize("seconds", [-1, 0, math.nan])
@pytest.mark.parametrize("read", [secateur.load, refine])
def test_that_is_so_before_anything_is_read(
    tmp_path: Path, read: Callable[..., object], seconds: float
) -> None:
    with pytest.raises(secateur.InputError) as caught:
        read(tmp_path / "nowhere.mch", max_seconds=seconds)
    assert [str(d.code) for d in caught.value.diagnostics] == ["SEC302"]


def test_no_number_is_told_as_such(tmp_path: Path) -> None:
    with pytest.raises(secateur.InputError) as caught:
        secateur.load(tmp_path / "nowhere.mch", max_seconds=math.nan)
    assert caught.value.diagnostics[0].message == "the limit on seconds is nan, which is no number"
