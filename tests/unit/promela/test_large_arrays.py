"""Arrays with very many elements: what is written to all of them is written at once."""

from __future__ import annotations

from pathlib import Path

import pytest

import secateur
from secateur.lang.promela import terms
from secateur.lang.promela.variants import Write
from secateur.lang.promela.view import UNCHANGED, View
from tests.unit.promela.explored import Explored, explored

X = terms.variable("x", terms.Width(8))
WRITES = (
    Write("a", terms.number(1), terms.number(0)),
    Write("x", terms.number(2)),
    Write("a", terms.number(3), terms.number(7)),
    Write("a", terms.number(4), terms.number(0)),
)


def _one_by_one(writes: tuple[Write, ...]) -> View:
    view = UNCHANGED
    for write in writes:
        ((condition, view),) = view.write(write.name, write.value, write.index)
        assert condition is terms.TRUE
    return view


def test_what_is_written_at_once_is_what_is_written_one_by_one() -> None:
    assert UNCHANGED.surely(WRITES) == (_one_by_one(WRITES), len(WRITES))


def test_an_index_that_is_not_known_is_left_to_be_told_apart() -> None:
    unsure = Write("a", terms.number(5), X)
    assert UNCHANGED.surely((*WRITES, unsure, *WRITES)) == (_one_by_one(WRITES), len(WRITES))
    ((_, before),) = UNCHANGED.write("a", terms.number(5), X)
    assert before.surely(WRITES) == (before, 0)


def test_an_array_of_a_process_may_be_large(tmp_path: Path) -> None:
    text = "active proctype P() { byte b[4000] = 3; b[1] = 1; assert(b[1] + b[3999] == 4) }"
    assert explored(tmp_path, text) == Explored(4, 4, frozenset())


@pytest.mark.parametrize(
    ("body", "kinds"),
    [
        ("f(1), f(2), f(i) := 2, 3, 2", {"welldefinedness"}),
        ("f(i), f(1), f(2) := 2, 2, 3", {"welldefinedness"}),
        ("f(1), f(1) := 2, 3", {"welldefinedness"}),
        ("f(1), f(2) := 2, 3", set()),
    ],
)
def test_elements_assigned_twice_are_told_by_compiled_code(
    tmp_path: Path, body: str, kinds: set[str]
) -> None:
    file = tmp_path / "m.mch"
    file.write_text(
        "MACHINE m VARIABLES f, i INVARIANT f : 1..3 --> 0..5 & i : 1..3 "
        "INITIALISATION f := (1..3) * {0} || i := 1 "
        f"OPERATIONS op = {body}; next = SELECT i < 3 THEN i := i + 1 END END",
        encoding="utf-8",
    )
    result = secateur.load(file).check(native=True, all=True)
    assert result.engine.name == "native"
    assert {v.kind.value for v in result.violations} == kinds
