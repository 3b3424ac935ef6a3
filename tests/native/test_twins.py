"""Each reduction with a native twin visits as many states there as in Python."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from secateur import load
from secateur.app.model import CheckOptions
from secateur.engine.native.pruning import METHODS, PROVISOS

RING: Final = """MACHINE Ring
SETS PHASE = {idle, waiting, busy}
CONSTANTS n PROPERTIES n = 3
VARIABLES phase, token, work
INVARIANT phase : 1..n --> PHASE & token : 1..n & work : 1..n --> 0..2
  & !p.(p : 1..n & phase(p) = busy => token = p)
INITIALISATION phase := (1..n) * {idle} || token := 1 || work := (1..n) * {0}
OPERATIONS
  ask(p) = PRE p : 1..n & phase(p) = idle & work(p) = 2 THEN phase(p) := waiting END;
  enter(p) = PRE p : 1..n & phase(p) = waiting & token = p THEN phase(p) := busy END;
  leave(p) = PRE p : 1..n & phase(p) = busy THEN
      phase(p) := idle || work(p) := 0 || token := (p mod n) + 1 END;
  labour(p) = PRE p : 1..n & work(p) < 2 THEN work(p) := work(p) + 1 END;
  pass(p) = PRE p : 1..n & token = p & phase(p) = idle THEN token := (p mod n) + 1 END
END
"""


@pytest.mark.parametrize("por", sorted(METHODS))
@pytest.mark.parametrize("kind", ["deadlock", "invariant"])
def test_each_method(tmp_path: Path, por: str, kind: str) -> None:
    _compare(tmp_path, {"por": por}, kind)


@pytest.mark.parametrize("proviso", sorted(p for p in PROVISOS if p not in (None, "none")))
def test_each_proviso(tmp_path: Path, proviso: str) -> None:
    search = "df" if proviso == "stack" else "bf"
    options: CheckOptions = {"por": "stubborn", "proviso": proviso, "search": search}
    _compare(tmp_path, options, "invariant")


@pytest.mark.parametrize("por", sorted(METHODS - {"upset"}))
def test_each_method_along_a_path(tmp_path: Path, por: str) -> None:
    _compare(tmp_path, {"por": por, "proviso": "stack", "search": "df"}, "invariant")


def test_a_static_proviso_needs_no_states(tmp_path: Path) -> None:
    options: CheckOptions = {"por": "stubborn", "proviso": "static"}
    alone = _states(tmp_path, {**options, "native": True}, "invariant")
    assert _states(tmp_path, {**options, "native": True, "threads": 2}, "invariant") == alone
    assert _states(tmp_path, {**options, "native": True, "compress": True}, "invariant") == alone


def _compare(path: Path, options: CheckOptions, kind: str) -> None:
    natively = _states(path, {**options, "native": True}, kind)
    assert natively == _states(path, {**options, "native": False}, kind)
    full = _states(path, {"por": "none", "native": True}, kind)
    assert natively <= full


def _states(path: Path, options: CheckOptions, kind: str) -> tuple[int, int]:
    file = path / "Ring.mch"
    file.write_text(RING)
    asked: CheckOptions = {
        **options,
        "all": True,
        "deadlock": kind == "deadlock",
        "invariant": kind == "invariant",
    }
    result = load(file).check(**asked)
    assert result
    return result.statistics.states, result.statistics.transitions


@pytest.mark.parametrize("por", sorted(METHODS))
def test_a_machine_without_operations(tmp_path: Path, por: str) -> None:
    file = tmp_path / "Still.mch"
    file.write_text("MACHINE Still VARIABLES x INVARIANT x : 0..3 INITIALISATION x :: 0..3 END")
    result = load(file).check(por=por, native=True, deadlock=False)
    assert result
    assert result.statistics.states == 4
