"""Diagrams of steps for which there is no room are told, and tried with more."""

from __future__ import annotations

from pathlib import Path

import pytest

import secateur
from secateur.app.temporal import set_views
from secateur.app.temporal.claims import Manner

MULTIPLIED = """
byte n, m, k;
active proctype P() {
  do :: n = (n * m + k) % 251; m = (m * n + 7) % 240 :: k = (k * n) % 230 od
}
ltl p { [] (n < 252) }
"""


@pytest.mark.parametrize(
    ("rooms", "holds", "reasons"),
    [
        ((64,), None, ("there is no room for more than 64 nodes of diagrams",)),
        ((64, 1 << 16), True, ()),
    ],
)
def test_no_room_for_the_steps_of_a_formula(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    rooms: tuple[int, ...],
    holds: bool | None,
    reasons: tuple[str, ...],
) -> None:
    monkeypatch.setattr(set_views, "ROOMS", rooms)
    file = tmp_path / "multiplied.pml"
    file.write_text(MULTIPLIED, encoding="utf-8")
    (found,) = secateur.load(file).temporal(manner=Manner(engine="symbolic"))
    assert (found.holds, found.reasons) == (holds, reasons)
