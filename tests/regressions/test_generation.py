"""Values that are found by taking other values apart, rather than by enumeration."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import secateur
from secateur.system.system import PropertyKind

Explore = Callable[..., secateur.Result]


def transitions(result: secateur.Result) -> int:
    assert not result.reasons
    return result.statistics.transitions


def test_a_known_sequence_is_cut_in_every_way(explore: Explore) -> None:
    result = explore(
        """MACHINE Cut OPERATIONS
          two(p, q) = PRE p ^ q = [1, 2, 3] THEN skip END;
          middle(p) = PRE conc([[1, 2], p, [7]]) = [1, 2, 50, 60, 7] THEN skip END;
          head(p, q) = PRE p -> q = [40, 50] THEN skip END;
          around(p, q) = PRE p ^ [3, 3] ^ q = [3, 3, 3] THEN skip END;
          none(p, q) = PRE p ^ [4] ^ q = [1, 2] THEN skip END
        END"""
    )
    assert dict(result.statistics.operations) | {"none": 0} == {
        "INITIALISATION": 1,
        "two": 4,
        "middle": 1,
        "head": 1,
        "around": 2,
        "none": 0,
    }


def test_operators_are_undone(explore: Explore) -> None:
    result = explore(
        """MACHINE Undo CONSTANTS k, m, n, r, s, a, b
        PROPERTIES k + 3 = 100 & 200 - m = k & {n} = {5} & r~ = {1 |-> 2} &
          rev(s) = [7, 8] & [a, 30] = [1, b]
        END"""
    )
    assert transitions(result) == 2


def test_bounds_written_as_numbers_count_when_loops_are_weighed(explore: Explore) -> None:
    result = explore(
        """MACHINE Chain
        PROPERTIES !(x, y, z).(x : NATURAL & y : NATURAL & z : NATURAL &
          x < y & y < z & x > 19000 & z < 19004 & 2 * x + 6 = 2 * z => x = 19001)
        END"""
    )
    assert transitions(result) >= 1


def test_disequalities_do_not_make_loops_short(explore: Explore) -> None:
    letters = ["a", "b", "c", "d", "e", "f", "g"]
    ranges = " & ".join(f"{x} : 0..9" for x in letters)
    apart = " & ".join(f"{x} /= {y}" for x in letters for y in letters if x < y)
    result = explore(
        f"""MACHINE Apart CONSTANTS {", ".join(letters)}
        PROPERTIES {ranges} & {apart} & a + b + c + d + e + f = 39 & a < b & b < c & c < d &
          d < e & e < f & g = 0
        END"""
    )
    assert result.statistics.operations["SETUP_CONSTANTS"] == 1


def test_what_a_callee_says_of_its_results_is_no_demand(explore: Explore) -> None:
    result = explore(
        """MACHINE Callee OPERATIONS
          x, y <-- halve(v) = PRE v : NAT & x : NAT & y : NAT THEN x := v / 2 || y := v END
        END""",
        """MACHINE Caller INCLUDES Callee VARIABLES a, b INVARIANT a : 0..4 & b : 0..4
        INITIALISATION a := 2 || b := 0
        OPERATIONS step = BEGIN a, b <-- halve(a) END END""",
    )
    assert not result.violations
    assert result.statistics.states == 4


def test_a_finite_set_that_was_solved_for_equals_the_listed_one(explore: Explore) -> None:
    result = explore(
        """MACHINE Inside CONSTANTS c
        PROPERTIES c = {1} & {{s | s <: 1..3 & {2 |-> 1, 3 |-> 2}[s] /\\ s = {}}} =
          {{{}, {1}, {2}, {3}, {1, 3}}}
        END"""
    )
    assert transitions(result) == 2


def test_sequences_of_a_known_length_are_listed(explore: Explore) -> None:
    result = explore(
        """MACHINE Bytes CONSTANTS bits, byte
        PROPERTIES bits = seq1(0..1) & byte = {b | b : bits & size(b) = 4} & card(byte) = 16
        OPERATIONS pick(p) = PRE p : seq(0..1) & card(p) = 3 & p(1) = 1 THEN skip END
        END"""
    )
    assert transitions(result) == 2 + 4


def test_an_infinite_relation_is_asked_rather_than_gone_through(explore: Explore) -> None:
    result = explore(
        """MACHINE Divisors CONSTANTS d
        PROPERTIES d = {x, y | x : NATURAL1 & y : NATURAL1 & y < x & x mod y = 0}
        OPERATIONS divide(q) = PRE q : 1..20 & 20 |-> q : d THEN skip END
        END"""
    )
    assert transitions(result) == 2 + 5


def test_equal_rules_are_equal_without_being_listed(explore: Explore) -> None:
    result = explore(
        """MACHINE Rules CONSTANTS bits, byte, zero, width, f, both
        PROPERTIES bits = seq1(0..1) & width = %b.(b : bits | size(b)) &
          byte = {b | b : bits & width(b) = 2} & zero : byte & zero = f(2) &
          f = %n.(n : NATURAL1 | (1..n) * {0}) & both : (0..1) * (0..1) --> 0..1 &
          !(a, b).(a : 0..1 & b : 0..1 => (both(a, b) = 1 <=> (a = 1 & b = 1))) &
          %n.(n : NATURAL1 | (1..n) * {0}) = %n.(n : NATURAL1 | (1..n) * {0})
        END"""
    )
    assert transitions(result) == 2


def test_infinite_functions_are_united_without_a_search(explore: Explore) -> None:
    result = explore(
        """MACHINE United CONSTANTS s
        PROPERTIES s = %x.(x : seq1(NATURAL) & x(1) > 0 | TRUE) \\/
          %y.(y : seq1(NATURAL) & y(1) = 0 | FALSE)
        ASSERTIONS s([0, 4]) = FALSE; s[{[1], [22, 33]}] = {TRUE}
        END"""
    )
    assert transitions(result) == 2
    assert not [v for v in result.violations if v.kind is PropertyKind.ASSERTION]


def test_least_and_greatest_elements_enclose_a_set(explore: Explore) -> None:
    result = explore(
        """MACHINE Ends DEFINITIONS SET_PREF_MAXINT == 10000
        CONSTANTS s, t
        PROPERTIES s : POW1(NATURAL) & card(s) = 3 & min(s) = 990 & max(s) <= 993 &
          t : POW1(NATURAL) & max(t) = max(s) & min(s) = min(t) & card(t) = 2
        END"""
    )
    assert result.statistics.operations["SETUP_CONSTANTS"] == 3


def test_a_vast_problem_goes_to_the_solver_at_once(explore: Explore) -> None:
    names = [f"x{i}" for i in range(800)]
    chain = " & ".join(f"({a} = TRUE => {b} = TRUE)" for a, b in pairwise(names))
    types = " & ".join(f"{x} : BOOL" for x in names)
    result = explore(
        f"MACHINE Vast CONSTANTS {', '.join(names)} PROPERTIES {types} & {chain} & x0 = TRUE END"
    )
    assert result.statistics.operations["SETUP_CONSTANTS"] == 1


def test_a_set_over_an_infinite_one_is_not_cut_at_maxint(explore: Explore) -> None:
    """That the plan took the other set for a finite one is no reason to overlook a gap."""
    multiples = "{i, j | i : INTEGER & j : INTEGER & #k.(k : 0..j & j = i * k)}"
    result = explore(
        f"""MACHINE Divisors CONSTANTS D, G
          PROPERTIES D = {multiples} & G = {{x, r | x : INTEGER & r : INTEGER & r |-> x : D}}
          VARIABLES x INVARIANT x : BOOL & 50 |-> 10 : G INITIALISATION x := TRUE
          OPERATIONS again = skip
        END"""
    )
    assert not result.violations
