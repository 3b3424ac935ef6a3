"""Which statements are called unreached: those at which no process has ever been, as in Spin."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.unit.promela.explored import loaded
from tools.promela import spin

CASES = {
    "exit of a loop in atomic": (
        """byte x; active proctype P() {
atomic { do
:: x < 2 -> x++
:: x == 2 -> break
od };
x = 7 }""",
        {},
    ),
    "exit of a loop in d_step": (
        """byte x, y; active proctype P() {
d_step { do
:: x < 2 -> x++
:: x > 1 -> break
od };
y = 7 }""",
        {},
    ),
    "statement that blocks": (
        "byte x; active proctype A() {\nx = 1;\nx == 2;\nx = 3\n}",
        {"A": ["x = 3", "-end-"]},
    ),
    "option that is never taken": (
        "byte x; active proctype A() {\nif\n:: x == 0\n:: x == 5 ->\nx = 2\nfi }",
        {"A": ["x = 2"]},
    ),
    "left in the middle of atomic": (
        "byte x; active proctype P() { atomic {\nx = 1;\nx == 5;\nx = 2\n} }",
        {"P": ["x = 2", "-end-"]},
    ),
    "created later": (
        "byte x; proctype P() {\nx == 3;\nx = 4\n} init {\nrun P()\n}",
        {"P": ["x = 4", "-end-"]},
    ),
    "never created": (
        "byte x; proctype P() {\nx = 4\n}\nactive proctype Q() {\nx = 1\n}",
        {"P": ["x = 4", "-end-"]},
    ),
    "rendezvous into atomic": (
        """chan c = [0] of {byte}; byte x; active proctype A() {
c!1
}
active proctype B() { byte v;
atomic { c?v;
x == 3;
x = 2
}
}""",
        {"B": ["x = 2", "-end-"]},
    ),
    "d_step that gets stuck": (
        """byte x, y; active proctype P() { atomic {
x = 1;
d_step { y = 2;
x == 5;
x = 4 } };
y = 1
}""",
        {"P": ["x = 4", "y = 1", "-end-"]},
    ),
}


@pytest.mark.parametrize(("text", "expected"), CASES.values(), ids=CASES)
def test_where_no_process_has_been(
    text: str, expected: dict[str, list[str]], tmp_path: Path
) -> None:
    found = loaded(tmp_path, text).check(all=True, coverage=True).coverage
    assert found is not None
    told = {unit.name: [t for t, _ in unit.unreached] for unit in found.units if unit.unreached}
    assert told == expected


def test_a_statement_of_several_places_is_one(tmp_path: Path) -> None:
    text, _ = CASES["exit of a loop in atomic"]
    found = loaded(tmp_path, text).check(coverage=True).coverage
    assert found is not None
    assert [unit.statements for unit in found.units] == [5]


@pytest.mark.parametrize("name", [name for name in CASES if name != "d_step that gets stuck"])
def test_spin_says_the_same(name: str, tmp_path: Path) -> None:
    if spin.missing() is not None:
        pytest.skip("NO SPIN on this machine: nothing was compared")
    text, expected = CASES[name]
    (tmp_path / "m.pml").write_text(text, encoding="utf-8")
    figures = spin.run(tmp_path / "m.pml", spin.Search(breadth_first=False, options=("-c0",)))
    lines = ["", *text.splitlines()]
    told = {
        (unit, "-end-" if lines[line].startswith("}") else lines[line])
        for unit, _, line in figures.unreached
    }
    assert told == {(unit, each) for unit, listed in expected.items() for each in listed}
