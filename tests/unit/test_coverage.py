"""What makes no difference in a model, and what its states are spent on."""

from __future__ import annotations

from pathlib import Path

import pytest

import secateur
from secateur.engine.growing import Growing
from secateur.system.result import Result

MODEL = """
MACHINE Vac
SETS P = {a, b}
DEFINITIONS
  ASSERT_LTL_1 == "G({n > 7} => F {n = 0})";
  ASSERT_LTL_2 == "G([never] => F {n = 0})";
  ASSERT_LTL_3 == "G({n > 3} => F {n = 0})"
VARIABLES n, who, fixed, s
INVARIANT
  n : 0..5 & who : P & fixed : BOOL & s <: P & (n > 9 => who = a) & (n > 4 => who : P) &
  !x.(x : s & n < 0 => x = a) & !x.(x : s & n = 0 => x : P)
INITIALISATION n := 0 || who := a || fixed := TRUE || s := {}
OPERATIONS
  up(p) = PRE p : P & n < 5 & n >= 0 & who = p THEN n := n + 1 || who :: P END;
  down = SELECT n > 0 & fixed = TRUE THEN n := n - 1 END;
  add(p) = PRE p : P & p /: s THEN s := s \\/ {p} END;
  never = SELECT n > 10 THEN skip END
END
"""

VACUOUS = {
    ("guard of up", "n >= 0", "never false"),
    ("guard of down", "fixed = TRUE", "never false"),
    ("invariant n > 9 => who = a", "n > 9", "never true"),
    ("invariant !x.(x : s & n < 0 => x = a)", "#x.(x : s & n < 0)", "never true"),
    ("formula ASSERT_LTL_1", "n > 7", "never true"),
    ("formula ASSERT_LTL_2", "[never]", "never true"),
}


@pytest.fixture
def model(tmp_path: Path) -> secateur.Model:
    file = tmp_path / "Vac.mch"
    file.write_text(MODEL)
    return secateur.load(file)


@pytest.mark.parametrize("native", [False, True])
def test_what_makes_no_difference(model: secateur.Model, native: bool) -> None:
    result = model.check(coverage=True, native=native)
    found = result.coverage
    assert found is not None
    assert {(v.where, v.text, v.what) for v in found.vacuities} == VACUOUS
    assert found.exhaustive
    assert found.constant == ("fixed",)
    assert not found.unknown
    assert {v.name: v.without for v in found.statistics.coverage} == {
        "n": 8,
        "who": 24,
        "fixed": 48,
        "s": 12,
    }
    assert sum(found.statistics.fresh.values()) == found.statistics.states == 48


def test_both_engines_count_alike(model: secateur.Model) -> None:
    def counted(result: Result) -> tuple[object, ...]:
        statistics = result.statistics
        return dict(statistics.fresh), statistics.coverage, dict(statistics.operations)

    assert counted(model.check(native=False)) == counted(model.check(native=True))


def test_what_was_not_seen_yet_is_not_final(model: secateur.Model) -> None:
    found = model.check(coverage=True, max_states=5).coverage
    assert found is not None
    assert not found.exhaustive


def test_growth_is_noticed_and_standing_still_is_not() -> None:
    growing = Growing()
    states, said = 4_000, []
    for turn in range(8):
        assert growing.due(states)
        values = [("n", 10 * turn), ("k", turn % 3), ("s", frozenset(range(turn))), ("x", True)]
        said.append(growing.look(states, values))
        assert not growing.due(states)
        states *= 2
    assert [bool(s) for s in said] == [False] * 5 + [True] + [False] * 2
    assert set(growing.alarms) == {"n", "s"}


ENDLESS = """
MACHINE Endless
VARIABLES n, k
INVARIANT n : NATURAL & k : 0..3
INITIALISATION n := 0 || k := 0
OPERATIONS
  up = n := n + 1;
  turn = k := (k + 1) mod 4
END
"""


@pytest.mark.parametrize("native", [False, True])
def test_an_endless_search_says_what_grows(tmp_path: Path, native: bool) -> None:
    file = tmp_path / "Endless.mch"
    file.write_text(ENDLESS)
    heard: list[str] = []
    result = secateur.load(file).check(
        max_states=20_000_000 if native else 300_000,
        max_seconds=20,
        native=native,
        por="none",
        watcher=lambda progress: heard.append(progress.alarm) if progress.alarm else None,
    )
    assert not result.exhaustive
    assert any(note.startswith("n grows (") for note in result.notes)
    assert any(alarm.startswith("n grows (") for alarm in heard)
    assert not any("k grows" in note for note in result.notes)
