"""A process that is created once has one number; which one, only a run tells."""

from __future__ import annotations

from pathlib import Path

from tests.unit.promela.explored import explored, loaded

ONCE = """
chan c = [0] of { byte }; chan d = [0] of { byte };
active proctype R() { byte x; end: do :: atomic { c?x; d!x } od }
active proctype Root() { run S() }
active proctype Short() { skip }
proctype S() { byte y; c!1; d?y; c!2; d?y }
"""
"""S is process 2 if Short is gone by then, and else process 3."""

TWICE = ONCE.replace("{ run S() }", "{ byte n; do :: n < 2 -> run S(); n++ :: else -> break od }")


def _met(folder: Path, text: str) -> list[str]:
    """Return the steps in which two processes S take part."""
    model = loaded(folder, text)
    assert model.check(all=True, por="none", symmetry="none").exhaustive
    names = {variable.name for variable in model.typed.variables}
    assert {"S_2", "S_3"} <= names
    return [o.name for o in model.typed.operations if "S_2" in o.name and "S_3" in o.name]


def test_what_is_created_once_meets_none_of_its_kind(tmp_path: Path) -> None:
    assert _met(tmp_path, ONCE) == []
    found = explored(tmp_path, ONCE)
    assert not found.kinds


def test_what_is_created_in_a_loop_does(tmp_path: Path) -> None:
    assert _met(tmp_path, TWICE)


HANDED_OVER = """
chan c = [0] of { byte }; byte x, y;
active proctype P() {
  atomic { if :: x = 0 :: x = 1 :: x = 2 :: x = 3 fi; if :: y == 1 -> c!x :: else fi; x = 9 }
}
active proctype Q() {
  byte z, k;
  y = 1;
  atomic {
    c?z;
    if :: k = 1 :: k = 2 :: k = 3 :: k = 4 :: k = 5 :: k = 6 :: k = 7 :: k = 8 :: k = 9 :: k = 10
    :: k = 11 :: k = 12 fi
  }
}
"""
"""4 ways of P, each with 12 of Q if there is a message."""


def test_a_sequence_is_cut_first_where_another_process_takes_over(tmp_path: Path) -> None:
    model = loaded(tmp_path, HANDED_OVER)
    inner = model.typed.inner
    assert len(inner) == 4
    assert all("-> Q_1" in name for name in inner)
