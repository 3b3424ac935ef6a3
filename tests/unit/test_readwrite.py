"""Read and write sets."""

from __future__ import annotations

from pathlib import Path

import pytest

from secateur.lang.options import LoadOptions
from secateur.lang.readwrite import of_operation
from secateur.lang.registry import load

MACHINE = """
MACHINE M
CONSTANTS k PROPERTIES k : 1..2
VARIABLES a, b, c, f, r
INVARIANT a : INTEGER & b : INTEGER & c : INTEGER & f : 1..3 --> INTEGER & r : struct(x:INTEGER)
INITIALISATION a, b, c := 0, 0, 0 || f := %i.(i : 1..3 | 0) || r := rec(x:0)
OPERATIONS
  op(p) = BODY
END
"""


@pytest.mark.parametrize(
    ("body", "reads", "writes"),
    [
        ("PRE p : 1..3 THEN skip END", "", ""),
        ("PRE p : 1..3 THEN a := b + p END", "b", "a"),
        ("PRE p : 1..k THEN a := 1 END", "k", "a"),
        ("PRE p : 1..3 THEN a, b := b, a END", "ab", "ab"),
        ("PRE p : 1..3 THEN f(p) := a END", "af", "f"),
        ("PRE p : 1..3 THEN f(b) := 1 END", "bf", "f"),
        ("PRE p : 1..3 THEN r'x := a END", "ar", "r"),
        ("PRE p : 1..3 THEN a :: 1..b END", "b", "a"),
        ("PRE p : 1..3 THEN a : (a : 1..b) END", "b", "a"),
        ("PRE p : 1..3 THEN a : (a = a$0 + 1) END", "a", "a"),
        ("PRE p : 1..3 THEN ANY c WHERE c : 1..b THEN a := c END END", "b", "a"),
        ("PRE p : 1..3 THEN VAR b IN b := 1; a := b END END", "", "a"),
        ("PRE p : 1..3 THEN LET b BE b = c IN a := b END END", "c", "a"),
        ("PRE p : 1..3 THEN SELECT a > 0 THEN b := 1 WHEN c > 0 THEN skip END END", "ac", "b"),
        ("PRE p : 1..3 THEN IF a > 0 THEN b := 1 ELSE c := 1 END END", "a", "bc"),
        (
            "PRE p : 1..3 THEN CASE a OF EITHER 1 THEN b := 1 OR 2 THEN c := 1 END END END",
            "a",
            "bc",
        ),
        ("PRE p : 1..3 THEN CHOICE a := 1 OR b := c END END", "c", "ab"),
        ("PRE p : 1..3 THEN a := 1 || b := c END", "c", "ab"),
        (
            "PRE p : 1..3 THEN WHILE a < 3 DO a := a + 1 INVARIANT b > 0 VARIANT 3 - c END END",
            "abc",
            "a",
        ),
        ("PRE p : 1..3 & !b.(b : 1..3 => b < c) THEN ASSERT a > 0 THEN skip END END", "ac", ""),
    ],
)
def test_operations(tmp_path: Path, body: str, reads: str, writes: str) -> None:
    file = tmp_path / "M.mch"
    file.write_text(MACHINE.replace("BODY", body))
    model = load(file, LoadOptions())
    declared = {b.name for b in (*model.constants, *model.variables)}
    found = of_operation(model.operations[0], model.callable)
    assert found.reads & declared == set(reads)
    assert found.writes == set(writes)
