"""What a comparison with Spin calls equal, explained or different."""

from __future__ import annotations

from pathlib import Path

from tools.promela.compare import Row, Side, engine

NONE: frozenset[str] = frozenset()
MODEL = Path("model")
CHOICE = "if :: y = 0 :: y = 1 :: y = 2 fi;"
BRANCHES = f"byte x, y; active proctype P() {{ atomic {{ {CHOICE * 8} x = y }} }}"
"""There are 6,561 ways through the sequence, so that it is cut where they meet."""


def test_transitions_that_are_taken_again() -> None:
    mine = Side(10, 20, NONE, 0.0, again=3)
    assert Row(MODEL, mine, Side(10, 20, NONE, 0.0)).verdict == "="
    assert Row(MODEL, mine, Side(10, 23, NONE, 0.0)).verdict == "explained"
    assert Row(MODEL, mine, Side(10, 22, NONE, 0.0)).verdict == "DIFFERS"
    assert Row(MODEL, mine, Side(11, 23, NONE, 0.0)).verdict == "DIFFERS"
    assert Row(MODEL, mine, Side(10, 23, frozenset({"end"}), 0.0)).verdict == "DIFFERS"
    assert Row(MODEL, mine, Side(10, 23, NONE, 0.0, note="incomplete")).verdict == "-"


def test_what_is_come_to_again_is_counted_in_our_own_run(tmp_path: Path) -> None:
    model = tmp_path / "branches.pml"
    model.write_text(BRANCHES, encoding="utf-8")
    found = engine(model, 20.0)
    assert not found.note
    assert found.states == 7
    assert found.again > 0
