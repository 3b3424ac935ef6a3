"""Rows of the comparison of reductions with Spin's: kept in a file, and limited in time."""

from __future__ import annotations

from pathlib import Path

from tools.promela.rows import INVALID, SLOW, Asked, Kept, Limits, Row, Side
from tools.promela.ways import ours_of

ASKED = Asked(("best",), Limits(10.0, 5.0))
COUNTERS = """
byte a, b, c;
active proctype A() { do :: a < 255 -> a++ :: else -> break od }
active proctype B() { do :: b < 255 -> b++ :: else -> break od }
active proctype C() { do :: c < 255 -> c++ :: else -> break od }
"""


def _model(folder: Path, text: str = "init { skip }") -> Path:
    file = folder / "model.pml"
    file.write_text(text, encoding="utf-8")
    return file


def _row(model: Path, note: str = "") -> Row:
    best = Side(3, frozenset({"deadlock"}), note)
    return Row(model, Side(5, frozenset({"deadlock"})), {"best": best}, Side(5), Side(4), Side(4))


def test_a_run_goes_on_with_what_is_kept(tmp_path: Path) -> None:
    file, model = tmp_path / "rows", _model(tmp_path)
    Kept(file, ASKED).put(_row(model))
    with file.open("a", encoding="utf-8") as text:
        text.write('{"key": "half of a l')
    assert Kept(file, ASKED).get(model) == _row(model)
    assert Kept(file, Asked(("stubborn",), ASKED.limits)).get(model) is None
    assert Kept(file, Asked(("best",), ASKED.limits, deadlocks=True)).get(model) is None
    model.write_text("init { skip; skip }", encoding="utf-8")
    assert Kept(file, ASKED).get(model) is None


def test_what_was_too_slow_is_tried_again_with_more_time(tmp_path: Path) -> None:
    file, model = tmp_path / "rows", _model(tmp_path)
    Kept(file, ASKED).put(_row(model, SLOW))
    assert Kept(file, ASKED).get(model) == _row(model, SLOW)
    assert Kept(file, Asked(("best",), Limits(11.0, 5.0))).get(model) is None
    Kept(file, ASKED).put(_row(model))
    assert Kept(file, Asked(("best",), Limits(11.0, 5.0))).get(model) == _row(model)


def test_a_way_that_is_too_slow_does_not_keep_the_next_from_being_tried(tmp_path: Path) -> None:
    found = ours_of(_model(tmp_path, COUNTERS), ["none", "best"], 1.0, {})
    assert found["none"].note == SLOW
    assert not found["best"].note
    assert found["best"].states < 5_000


def test_a_broken_promise_is_no_verdict(tmp_path: Path) -> None:
    """Spin calls its own reduction invalid where `xr` or `xs` does not hold."""
    row = Row(_model(tmp_path), Side(5), {"best": Side(3)}, Side(5), Side(4, frozenset({INVALID})))
    assert row.differing == []
    wrong = Row(_model(tmp_path), Side(5), {"best": Side(3, frozenset({"deadlock"}))})
    assert wrong.differing == ["best"]
