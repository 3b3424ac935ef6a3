"""A conjunct that is never true does not hide one before it that has no value.

Whether an instance of an operation can happen was told by conjuncts that look at no bit of the
state, wherever in the guard they stand: reduced searches said `holds`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import secateur

MACHINE = """
MACHINE Behind
VARIABLES f, l, h
INVARIANT f : 0..2 +-> 0..3 & l : 0..9 & h : 0..0
INITIALISATION f := {{0 |-> 1}} || l := 5 || h := 0
OPERATIONS
  go = {operation};
  on = SELECT l = 5 THEN l := 5 END
END
"""
OPERATIONS = (
    "SELECT f(l) = 1 & h = 2 THEN l := 0 END",
    "SELECT f(l) = 1 THEN ANY p WHERE p : 5..4 THEN l := 0 END END",
    "SELECT f(l) = 1 THEN ANY p WHERE p : 0..1 & p > 5 THEN l := 0 END END",
    "SELECT f(l) = 1 THEN ANY p WHERE p : 0..1 & h = 2 THEN l := p END END",
)
PROMELA = """
byte s; byte a[3]; byte h, l = 255;
active proctype P() { if :: h == 0 -> skip :: (a[l] != s && h == 2) -> skip fi }
"""
MODELS = [("b.mch", MACHINE.format(operation=o)) for o in OPERATIONS] + [("p.pml", PROMELA)]


@pytest.mark.parametrize(("name", "text"), MODELS)
@pytest.mark.parametrize("por", ["none", "ample", "stubborn", "upset", "best"])
@pytest.mark.parametrize("native", [False, None])
def test_it_is_found(tmp_path: Path, name: str, text: str, por: str, native: bool | None) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    result = secateur.load(path).check(all=True, por=por, native=native)
    assert [v.kind.value for v in result.violations] == ["welldefinedness"]


@pytest.mark.parametrize(("name", "text"), MODELS)
def test_it_is_found_in_sets_of_states(tmp_path: Path, name: str, text: str) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    result = secateur.load(path).check(all=True, engine="symbolic")
    assert [v.kind.value for v in result.violations] == ["welldefinedness"]
