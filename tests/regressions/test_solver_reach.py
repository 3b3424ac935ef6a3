"""What the solver must find the bounds of by itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import secateur
from secateur.system.verdict import Holds

Explore = Callable[..., secateur.Result]


def test_a_half_line_and_a_comparison_bound_a_quantifier(explore: Explore) -> None:
    result = explore(
        """MACHINE Half CONSTANTS n, f
        PROPERTIES n : 19..20 & f : 1..n --> NATURAL & !x.(x : NATURAL1 & x <= n => f(x) = x)
        END"""
    )
    assert not result.reasons
    assert result.statistics.states == 4


def test_sequences_over_sets_without_a_common_element_are_empty(explore: Explore) -> None:
    result = explore(
        """MACHINE Apart CONSTANTS a, b
        PROPERTIES a = card({x | x : seq(0..1) & x : seq(2..3)}) & a = 1 &
          b = card({x | x : seq1(0..1) & x : seq1(2..3)}) & b = 0
        END"""
    )
    assert not result.reasons
    assert result.statistics.states == 2


def test_sets_of_numbers_without_end_are_cut_inside_a_function(explore: Explore) -> None:
    result = explore(
        """MACHINE Cut CONSTANTS f
        PROPERTIES f : 1..2 --> POW(NATURAL1) & !i.(i : 1..2 => card(f(i)) = 2 & 1 : f(i))
        END"""
    )
    assert result.reasons  # not all sets were tried
    assert result.statistics.states == 8


def test_the_last_element_of_a_sequence_without_bound_is_tried(explore: Explore) -> None:
    result = explore(
        """MACHINE Front OPERATIONS
          add(x) = PRE x /= [] & front(x) = [1, 2] THEN skip END
        END"""
    )
    assert result.reasons
    assert dict(result.statistics.operations)["add"] == 5


def test_partial_injections_with_many_arguments(explore: Explore) -> None:
    result = explore(
        """MACHINE Many SETS ID = {aa, bb, cc, dd, ee, ff} CONSTANTS f
        PROPERTIES f : POW(ID) >+> ID & !y.(y : ID & y /= aa => {y} : dom(f) & f({y}) = y)
        END"""
    )
    assert not [r for r in result.reasons if "has no bound" in str(r)]
    assert result.statistics.states == 2 * 60


def test_strings_without_bound_are_those_of_the_model_and_two_more(explore: Explore) -> None:
    result = explore(
        """MACHINE Texts VARIABLES t INVARIANT t : STRING INITIALISATION t := "a"
        OPERATIONS
          put(x) = PRE x : STRING & x /= "b" THEN skip END;
          some(s) = PRE s : POW(STRING) & card(s) = 2 THEN skip END
        END"""
    )
    assert any("a few strings" in str(reason) for reason in result.reasons)
    counts = dict(result.statistics.operations)
    assert (counts["put"], counts["some"]) == (3, 6)


def test_numbers_beyond_the_window_are_tried_at_their_bound(explore: Explore) -> None:
    result = explore(
        """MACHINE Beyond OPERATIONS
          far(x, y) = PRE x > 100 & y < -100 & x + y /= 7 THEN skip END
        END"""
    )
    assert result.reasons
    assert dict(result.statistics.operations)["far"] == 1


def test_a_partial_function_that_is_applied_too_far_is_not_passed_over(tmp_path: Path) -> None:
    """No image is so large, but where there is none, the guard has no value."""
    path = tmp_path / "Far.mch"
    path.write_text("""MACHINE Far VARIABLES x INVARIANT x : 0..3 INITIALISATION x := 0
OPERATIONS
  op = ANY h WHERE h : 1..7 +-> 0..5 & card(h) = 3 & h(1) > 7 THEN x := 1 END;
  stay = skip
END""")
    assert not isinstance(secateur.load(path).check(all=True).verdict, Holds)
