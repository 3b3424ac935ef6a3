"""The engine counts what Spin counts: states, transitions and whether there are errors.

All figures are those of Spin 6.5.2, depth-first and in full (`spin -a -o1 -o2 -o3`, compiled with
`-DNOREDUCE -DSAFETY -DNOCLAIM`).
"""

from __future__ import annotations

from pathlib import Path

import pytest

import secateur
from tests.unit.promela.models import counted_by_spin

CHANNELS_WITH_OTHER_NUMBERS = """
mtype = { a, b, c, d, e };
chan q = [0] of { chan };
chan r = [1] of { chan };
byte x;
active proctype S() { q!e; q!r; q!b }
active proctype R() { chan v; q?e; q?v; v!d; q?v; v == b -> x = 1; r?d; x = 2 }
"""
RENDEZVOUS_IN_D_STEP = """
chan c = [0] of { byte };
byte x;
active proctype A() { c!2; c!3; c!4 }
active proctype B() {
  d_step { c?x -> x = x + 1 };
  d_step { c?3 -> x = 9 };
  d_step { if :: c?5 -> x = 1 :: c?4 -> x = 2 fi; x++ }
}
active proctype C() { c?x; x = 0 }
"""
LAST = """
byte x;
chan c = [0] of { byte };
active proctype A() { x = 1; c!1; atomic { x = 2; x = _last + 5 } }
active proctype B() { c?x; if :: _last == 0 -> x = 3 :: _last == 1 -> x = 4 fi }
"""
TIMEOUT_IN_ATOMIC = """
byte x;
active proctype A() { atomic { x = 1; timeout -> x = 2; x = 3 }; x = 4 }
active proctype B() { x == 3 -> x = 5; (x == 7) }
"""
BITS_IN_MESSAGES = """
chan c = [2] of { bit, bool };
byte x, y;
active proctype A() { c!2,3; c!1,0 }
active proctype B() { c?x,y; if :: x == 2 -> x = 5 :: y == 3 -> x = 6 :: else fi; c?x,y }
"""
A_BIT_THAT_IS_ALL = "chan c = [1] of { bit }; byte x; active proctype P() { c!2; c?0; x = 1 }"
PROVIDED_IN_D_STEP = """
byte g = 1;
active proctype P() provided (g > 0) { d_step { g--; g = 0; g = 2 }; g = 3 }
"""
CASES = {
    "a d_step is not asked again whether it may go on": (PROVIDED_IN_D_STEP, 4, 4, ""),
    "a bit that is all of a message": (A_BIT_THAT_IS_ALL, 2, 2, "deadlock"),
    "numbers that are no channels": (CHANNELS_WITH_OTHER_NUMBERS, 11, 11, ""),
    "rendezvous in d_step": (RENDEZVOUS_IN_D_STEP, 16, 18, "deadlock"),
    "last": (LAST, 19, 20, ""),
    "timeout in atomic": (TIMEOUT_IN_ATOMIC, 9, 9, "deadlock"),
    "bits in messages": (BITS_IN_MESSAGES, 10, 12, ""),
}
CUT = """
chan c = [8] of { byte };
byte x, n;
active proctype A() {
  atomic { do :: c?x -> n = (n + x) % 4 :: n == 0 && x > 0 -> break od };
  x = 7
}
active proctype B() { byte i; do :: i < 8 -> c!i; i++ :: else -> break od }
"""


def _searched(text: str, folder: Path) -> tuple[int, int, str]:
    file = folder / "model.pml"
    file.write_text(text, encoding="utf-8")
    result = secateur.load(file).check(all=True, por="none", symmetry="none", engine="explicit")
    kinds = sorted({violation.kind.value for violation in result.violations})
    return result.statistics.states, result.statistics.transitions, " ".join(kinds)


@pytest.mark.parametrize(("text", "states", "transitions", "errors"), CASES.values(), ids=CASES)
def test_what_the_engine_counts_is_what_spin_counts(
    text: str, states: int, transitions: int, errors: str, tmp_path: Path
) -> None:
    assert _searched(text, tmp_path) == (states, transitions, errors)


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        pytest.param(text, counts, id=name)
        for name, text, search, counts in counted_by_spin()
        if search == "dfs"
    ],
)
def test_the_engine_counts_like_the_interpreter(
    text: str, counts: tuple[int, ...], tmp_path: Path
) -> None:
    stored, matched, _, errors = counts
    states, transitions, kinds = _searched(text, tmp_path)
    assert (states, transitions, kinds != "") == (stored, stored + matched, errors > 0)


def test_a_sequence_that_is_cut_gives_way_where_it_cannot_go_on(tmp_path: Path) -> None:
    # Spin has 148 states, and no invalid end state.
    file = tmp_path / "model.pml"
    file.write_text(CUT, encoding="utf-8")
    model = secateur.load(file)
    for native in (False, True):
        result = model.check(por="none", symmetry="none", engine="explicit", native=native)
        assert not result.violations
        inside = sum(result.statistics.fresh.get(name, 0) for name in model.typed.inner)
        assert inside > 0
        assert result.statistics.states - inside == 148
        assert f"{inside} of the states are inside of" in " ".join(result.notes)


@pytest.mark.parametrize(
    ("body", "holds"),
    [
        ("progress: x = 1; x = 2; x == 5", True),
        ("progress: x = 1; x = 2", True),
        ("do :: x == 0 -> progress: x = 1 :: x == 1 -> x = 2 :: x == 2 -> x = 1 od", False),
        ("do :: x == 0 -> progress: x = 1 :: x == 1 -> x = 0 :: x == 1 -> break od", True),
        ("x = 1; accept: x == 5", False),
    ],
)
def test_labels_mean_what_they_mean_to_spin(body: str, holds: bool, tmp_path: Path) -> None:
    # A run that comes to an end makes no wrong cycle, but it stays where it is accepted.
    file = tmp_path / "model.pml"
    file.write_text(f"byte x; active proctype A() {{ {body} }}", encoding="utf-8")
    (result,) = secateur.load(file).temporal()
    assert result.holds is holds
