"""How many values variables can have, as far as the text says."""

from __future__ import annotations

from pathlib import Path

import pytest

import secateur
from secateur.maths.print import show

COUNTER = """
byte i, j, n; byte a[3];
active proctype P() {
  i = 1;
  do :: i <= 5 -> a[i % 3] = i; i++ :: i > 5 -> break od;
  j = i
}
"""
"""It is increased at another place than that where the limit is looked at."""

SHARED = """
byte n;
active [2] proctype P() { do :: n < 5 -> n++ :: n == 5 -> n = 0 od }
"""
"""Another process may have increased it since it was looked at."""

SENT = """
chan c = [0] of { byte };
byte got;
proctype R(byte x) { byte y; do :: c?y; got = x + y od }
proctype S() { byte i; do :: i < 3 -> i++; c!i :: i >= 3 -> i = 0 od }
init { atomic { run R(4); run S() } }
"""
"""What is received is written by a step of who sends it, what is passed by one of who creates."""

INDEX = """
byte i, j; byte used[4]; byte got[3];
active proctype P() {
  do :: used[i] != 0 -> i++ :: used[i] == 0 -> break od;
  used[i] = 1; j = i
}
active proctype Q() { used[0] = 1; used[1] = 1; used[2] = 1; used[3] = 1 }
"""
"""Where an index has been used it is within its array: otherwise that was an error."""

SHIFTED = """
byte i, j, k, used[3];
active proctype P() {
  do :: i + 1 < 3 -> i++ :: i + 1 >= 3 -> break od;
  do :: used[j + 1] == 0 -> j++ :: j > 0 -> break od;
  do :: k < 5 || used[k] == 0 -> k++ :: k >= 5 -> break od
}
"""
"""Comparisons are about more than a variable; and what is not looked at in any case tells nothing."""


def _typing(folder: Path, text: str) -> tuple[secateur.Model, dict[str, str]]:
    file = folder / "ranges.pml"
    file.write_text(text, encoding="utf-8")
    model = secateur.load(file)
    said = (show(each).partition(" : ") for each in model.typed.typing)
    return model, {name: values for name, _, values in said}


def test_a_counter_is_bounded_where_it_is_compared(tmp_path: Path) -> None:
    _, typing = _typing(tmp_path, COUNTER)
    assert typing["i"] == typing["j"] == "0 .. 7"
    assert typing["a"] == "0 .. 2 --> 0 .. 7"


def test_what_others_write_is_not(tmp_path: Path) -> None:
    _, typing = _typing(tmp_path, SHARED)
    assert typing["n"] == "0 .. 255"


def test_a_process_has_its_own(tmp_path: Path) -> None:
    _, typing = _typing(tmp_path, SENT)
    assert typing["S_2.i"] == "0 .. 3"
    assert typing["R_1.y"] == "0 .. 3"
    assert typing["got"] == "0 .. 7"


def test_an_index_that_was_used_is_within_its_array(tmp_path: Path) -> None:
    _, typing = _typing(tmp_path, INDEX)
    assert typing["i"] == "0 .. 7"  # 4, where it is looked at and is an error
    assert typing["j"] == "0 .. 3"


def test_a_comparison_tells_of_the_variable_in_it(tmp_path: Path) -> None:
    _, typing = _typing(tmp_path, SHIFTED)
    assert typing["i"] == "0 .. 3"
    assert typing["j"] == "0 .. 3"
    assert typing["k"] == "0 .. 255"


@pytest.mark.parametrize("text", [COUNTER, SHARED, SENT, INDEX, SHIFTED])
def test_no_value_is_outside(tmp_path: Path, text: str) -> None:
    model, typing = _typing(tmp_path, text)
    found = model.check(all=True, por="none").statistics.coverage
    for each in found:
        if isinstance(each.least, int) and isinstance(each.greatest, int):
            low, high = map(int, typing[each.name].split(" .. "))
            assert low <= each.least <= each.greatest <= high
