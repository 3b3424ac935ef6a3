"""What the comparison of reduced with full searches says of models that it did not compare."""

from __future__ import annotations

import json
from pathlib import Path

from tools.corpus.runner import Seen
from tools.por.__main__ import finished, not_compared
from tools.por.compare import CLASSES, compare

MODEL = """MACHINE Two
VARIABLES a, b
INVARIANT a : 0..3 & b : 0..3
INITIALISATION a := 0 || b := 0
OPERATIONS
  up = SELECT a < 3 THEN a := a + 1 END;
  on = SELECT b < 3 THEN b := b + 1 END
END
"""


def compared(folder: Path, text: str, seconds: float = 60.0) -> tuple[Seen, list[str]]:
    file = folder / "Two.mch"
    file.write_text(text)
    told: list[Seen] = []
    seen = compare(file, "best", seconds, told.append)
    return {**seen, "path": "Two.mch"}, [str(each["at"]) for each in told]


def test_both_classes_are_compared(tmp_path: Path) -> None:
    seen, told = compared(tmp_path, MODEL)
    assert seen["classes"].keys() == CLASSES.keys()
    for row in seen["classes"].values():
        assert row["full"] == 16
        assert row["reduced"] < 16
        assert not row["differences"]
    assert not not_compared([seen])
    assert told == [
        "loading",
        "deadlock in full",
        "deadlock reduced",
        "invariant in full",
        "invariant reduced",
    ]


def test_a_model_without_time_is_named(tmp_path: Path) -> None:
    seen, _ = compared(tmp_path, MODEL, 1e-9)
    assert not seen["classes"]
    lines = not_compared([seen])
    assert [line.split(": ")[0] for line in lines] == [
        "NOT COMPARED Two.mch, deadlock",
        "NOT COMPARED Two.mch, invariant",
    ]
    assert all("in full" in line and "seconds" in line for line in lines)


def test_a_model_that_is_not_loaded_is_named(tmp_path: Path) -> None:
    seen, _ = compared(tmp_path, "MACHINE")
    lines = not_compared([seen])
    assert len(lines) == len(CLASSES)
    assert all(": not loaded: " in line for line in lines)


def test_what_was_being_done_when_a_process_was_ended_is_told() -> None:
    row = {"full": 2, "reduced": 1}
    killed = {"path": "m", "at": "invariant reduced", "status": "timeout"}
    seen: Seen = {**killed, "classes": {"deadlock": row}, "unfinished": {}}
    assert not_compared([seen]) == ["NOT COMPARED m, invariant: timeout at invariant reduced"]


def test_only_what_was_compared_in_every_way_is_finished(tmp_path: Path) -> None:
    outcomes = tmp_path / "por.jsonl"
    rows = [
        {"path": "a", "classes": {name: {} for name in CLASSES}},
        {"path": "b", "classes": {"deadlock": {}}},
        {"path": "c", "status": "timeout"},
    ]
    outcomes.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert list(finished(outcomes)) == ["a"]
