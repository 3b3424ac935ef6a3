"""States of a few bits more than a word are narrowed to what their variables need, if that is enough.

What is met after that may need more: then it is provided for, and the exploration begins anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

import secateur
from secateur.engine.native import explore
from secateur.engine.native.available import why_not_native
from secateur.lang.slots.layout import Layout
from secateur.lang.slots.shapes import Dense, Shape
from secateur.lang.slots.spaces import Range
from secateur.lang.slots.tightened import narrowed
from secateur.system.result import Result

pytestmark = pytest.mark.skipif(
    why_not_native() is not None, reason=f"no native engine: {why_not_native()}"
)

OTHERS = ("d", "e", "f", "g", "h", "i")
MODEL = f"""
MACHINE Narrow
VARIABLES a, b, c, {", ".join(OTHERS)}
INVARIANT a : 0..255 & b : 0..255 & c : 0..255 & {" & ".join(f"{x} : 0..255" for x in OTHERS)}
  & (LAST)
INITIALISATION a := 0 || b := 0 || c := 0 || {" || ".join(f"{x} := {n}" for n, x in enumerate(OTHERS))}
OPERATIONS
  up_a = SELECT a < 60 THEN a := a + 1 END;
  up_b = SELECT b < 60 THEN b := b + 1 END;
  up_c = SELECT c < 120 THEN c := c + 1 END;
  late = SELECT a = 60 & b = 60 & c = 120 & d = 0 THEN d := LATE END
END
"""
STATES = 61 * 61 * 121


def checked(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    narrow: bool = True,
    late: int = 0,
    last: str = "1 = 1",
    threads: int = 1,
) -> Result:
    monkeypatch.setattr(explore, "_MANY", 1_000)
    if not narrow:
        monkeypatch.setattr(explore._Run, "_may_narrow", lambda *_: False)
    file = folder / "Narrow.mch"
    file.write_text(MODEL.replace("LATE", str(late)).replace("LAST", last))
    return secateur.load(file).check(
        native=True, por="none", symmetry="none", deadlock=False, threads=threads
    )


@pytest.mark.parametrize("threads", [1, 2])
def test_states_become_narrower(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, threads: int
) -> None:
    narrow = checked(tmp_path, monkeypatch, threads=threads)
    wide = checked(tmp_path, monkeypatch, narrow=False, threads=threads)
    assert wide
    assert narrow
    assert narrow.exhaustive
    assert narrow.statistics.states == wide.statistics.states == STATES
    assert narrow.statistics.transitions == wide.statistics.transitions
    assert narrow.statistics.coverage == wide.statistics.coverage
    assert narrow.engine.memory is not None
    assert wide.engine.memory is not None
    assert narrow.engine.memory < wide.engine.memory


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("late", [7, 200])
def test_what_is_met_later_is_provided_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, late: int, threads: int
) -> None:
    result = checked(tmp_path, monkeypatch, late=late, threads=threads)
    assert result
    assert result.exhaustive
    assert result.statistics.states == STATES + 1
    (d,) = [v for v in result.statistics.coverage if v.name == "d"]
    assert d.distinct == 2


def test_an_error_beyond_what_was_seen_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = checked(tmp_path, monkeypatch, late=200, last="d < 200")
    assert not result
    (violation,) = result.violations
    assert len(violation.trace) == 60 + 60 + 120 + 2


def test_no_more_variables_are_narrowed_than_it_takes() -> None:
    byte = Dense(Range(0, 255))
    shapes = {f"x{i}": byte for i in range(9)}
    seen = {name: {0, 1} for name in shapes} | {"x3": {0}, "x4": set(range(100))}

    def is_a_word(found: Mapping[str, Shape]) -> bool:
        return Layout(found, 1).words == 1

    found = narrowed(shapes, seen, is_a_word)
    assert found is not None
    assert [name for name in shapes if found[name] != byte] == ["x0", "x1"]
    assert found["x0"] == Dense(Range(0, 1))
    assert narrowed(shapes, {"x4": range(255)}, is_a_word) is None


def test_bits_that_are_there_are_used() -> None:
    shapes = {"x": Dense(Range(0, 2**63)), "y": Dense(Range(0, 100))}
    found = narrowed(shapes, {"x": {7, 75}}, lambda found: Layout(found, 1).words == 1)
    assert found is not None
    assert found["x"] == Dense(Range(7, 7 + 127))
