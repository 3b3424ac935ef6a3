"""The native depth-first search proper, which the proviso `stack` asks for."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest

from secateur import load
from secateur._native import Explorer
from secateur.app.model import CheckOptions
from secateur.system.result import Result
from secateur.system.verdict import Incomplete, Violated

COUNTERS: Final = """MACHINE Counters
DEFINITIONS SET_PREF_MAXINT == 100000
CONSTANTS n PROPERTIES n = {n}
VARIABLES x, y INVARIANT x : 0..n & y : 0..3 & {invariant}
INITIALISATION x := 0 || y :: {{0, 2}}
OPERATIONS
  up = SELECT x < n THEN x := x + 1 END;
  turn = SELECT y < 3 THEN y := y + 1 END;
  back = SELECT y = 3 THEN y := 0 END
END
"""
ALONG_A_PATH: Final[CheckOptions] = {
    "por": "stubborn",
    "proviso": "stack",
    "search": "df",
    "deadlock": False,
}


def _checked(path: Path, n: int, invariant: str, options: CheckOptions) -> Result:
    file = path / "Counters.mch"
    file.write_text(COUNTERS.format(n=n, invariant=invariant))
    asked: CheckOptions = {**ALONG_A_PATH, **options}
    return load(file).check(**asked)


def test_a_violation_ends_both_engines_in_the_same_place(tmp_path: Path) -> None:
    for invariant in ("x + y < 9", "x < 6", "y < 3", "x * y /= 12", "1 / (4 - x) >= 0"):
        natively, python = (
            _checked(tmp_path, 8, invariant, {"native": native}) for native in (True, False)
        )
        assert isinstance(natively.verdict, Violated)
        assert natively.engine.name == "native"
        assert natively.statistics.states == python.statistics.states
        assert natively.statistics.transitions == python.statistics.transitions
        traces = [[v.trace.states for v in result.violations] for result in (natively, python)]
        assert traces[0] == traces[1]
        natively.violations[0].trace.replay()


@pytest.mark.parametrize("limit", [3, 4, 7, 12])
def test_a_limit_on_states(tmp_path: Path, limit: int) -> None:
    natively, python = (
        _checked(tmp_path, 8, "1 = 1", {"native": native, "max_states": limit})
        for native in (True, False)
    )
    assert isinstance(natively.verdict, Incomplete)
    assert natively.reasons == python.reasons
    assert natively.statistics.states == python.statistics.states == limit
    assert natively.statistics.transitions == python.statistics.transitions


def test_a_long_path(tmp_path: Path) -> None:
    result = _checked(tmp_path, 60_000, "1 = 1", {"native": True})
    assert result
    assert result.statistics.states > 60_000


def test_memory_is_counted(tmp_path: Path) -> None:
    # The search must last until memory is looked at.
    size = 4_000_000
    result = _checked(tmp_path, size, "1 = 1", {"native": True, "max_memory": 3_000_000})
    assert isinstance(result.verdict, Incomplete)
    assert result.statistics.states < 2 * size


def test_other_searches_have_no_path() -> None:
    for search in ("bf", "mixed", "random"):
        explorer: Any = Explorer([1], 0, 1, 0)
        explorer.search = search
        explorer.add_instance(0, 0, [], 0, 0, 0, False)
        explorer.reduce("stubborn", "stack", False, [], [])
        explorer.add_initial([0])
        with pytest.raises(ValueError, match="path"):
            explorer.run(lambda _a, _w: ([], []), lambda _p, _w: (True, []), lambda *_: [])
