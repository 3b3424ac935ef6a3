"""Constants that are large functions and sets: rules, until somebody needs their elements."""

from __future__ import annotations

from collections.abc import Callable

import secateur

Explore = Callable[..., secateur.Result]


def test_functions_of_two_bytes_are_typed_without_a_table(explore: Explore) -> None:
    result = explore(
        """MACHINE Bytes CONSTANTS BIT, BYTE, WORD, both, join, add
        PROPERTIES BIT = 0..1 & BYTE = 1..8 --> BIT & WORD = 0..65535 &
          both = {0 |-> 0, 1 |-> 1} &
          join : BYTE * BYTE --> BYTE &
          join = %(a, b).(a : BYTE & b : BYTE | %i.(i : 1..8 | both((a(i) + b(i)) mod 2))) &
          add : BIT * WORD * WORD --> WORD &
          add = %(c, v, w).(c : BIT & v : WORD & w : WORD | (c + v + w) mod 65536)
        VARIABLES n INVARIANT n : WORD INITIALISATION n := 65535
        OPERATIONS next = PRE n /= 3 THEN n := add(0, n, 1) END
        END"""
    )
    assert not result.reasons
    assert result.statistics.states == 6


def test_a_sparse_set_is_applied_without_being_listed(explore: Explore) -> None:
    result = explore(
        """MACHINE Carry CONSTANTS MSG, shift
        PROPERTIES MSG = 1..8 --> 0..1 &
          shift = {a, b, c | a : MSG & b : MSG & c : MSG & c(1) = 1 &
                             !r.(r : 2..8 => c(r) = (a(r - 1) + b(r - 1) + c(r - 1)) mod 2)}
        VARIABLES m INVARIANT m : MSG INITIALISATION m := (1..8) * {0}
        OPERATIONS step = m := shift(m, (1..8) * {1})
        END"""
    )
    assert not result.reasons
    assert not result.violations
    assert result.statistics.states > 2


def test_a_lambda_over_sets_of_sets_is_a_rule(explore: Explore) -> None:
    result = explore(
        """MACHINE Clauses SETS L = {p, q, r, s, t} CONSTANTS without
        PROPERTIES without =
          %(F, x).(F : POW(POW(L)) & F <: POW(L) & x : L | {c | c : F & x /: c})
        VARIABLES f INVARIANT f <: POW(L) INITIALISATION f := {{p}, {p, q}, {r}}
        OPERATIONS drop(x) = PRE x : L THEN f := without(f, x) END
        END"""
    )
    assert not result.reasons
    assert result.statistics.states == 7


def test_of_an_infinite_and_a_finite_set_the_finite_one_is_gone_through(explore: Explore) -> None:
    result = explore(
        """MACHINE Sequences CONSTANTS S, s
        PROPERTIES S = UNION(n).(n : 0..3 | 1..n --> {8, 9}) \\/ (NATURAL +-> {7}) &
          s : S & s : 1..card({8, 9}) >->> {8, 9}
        END"""
    )
    assert not result.reasons
    assert result.statistics.states == 4


def test_a_rule_that_is_ill_defined_somewhere_is_still_a_constant(explore: Explore) -> None:
    result = explore(
        """MACHINE Even CONSTANTS S
        PROPERTIES S = {x | x : INTEGER & x mod 2 = 0}
        VARIABLES v INVARIANT v : S INITIALISATION v := 0
        OPERATIONS up = PRE v < 4 THEN v := v + 2 END
        END"""
    )
    assert result.statistics.states == 4
    assert not result.reasons


def test_large_identities_and_products_are_typed_by_their_rules(explore: Explore) -> None:
    result = explore(
        """MACHINE Rules CONSTANTS n, same
        PROPERTIES n = 10000000 & same = id(1..n)
        ASSERTIONS same : 1..n >->> 1..n; same : -1..n <-> 0..n; same /: 1..n --> 2..n;
          same : iseq(INTEGER); same : perm(1..n); same /: perm(0..n); same : seq1(NATURAL1);
          %x.(x : 1..300000 | x) : seq(INTEGER); %x.(x : 0..300000 | x) /: seq(INTEGER);
          card(same) = n; (1..n) * (1..3) : 1..n <-> 1..5;
          prj2(1..n, 1..n) : (1..n) * (1..n) --> 0..n
        END"""
    )
    assert not result.reasons
    assert {v.kind.value for v in result.violations} <= {"deadlock"}


def test_a_listed_function_is_looked_up(explore: Explore) -> None:
    result = explore(
        """MACHINE Segments CONSTANTS seg, part, offset
        PROPERTIES seg = 64..62143 & part = %s.(s : seg | s / 64) & offset = %s.(s : seg | s mod 64)
        ASSERTIONS part : seg -->> 1..970; part >< offset : seg >->> (1..970) * (0..63);
          part[{64, 65, 128}] = {1, 2}; part[{0}] = {}
        END"""
    )
    assert not result.reasons
    assert {v.kind.value for v in result.violations} <= {"deadlock"}


def test_a_comprehension_that_computes_its_last_identifier_has_a_plain_domain(
    explore: Explore,
) -> None:
    result = explore(
        """MACHINE Graphs
        ASSERTIONS dom(dom({x, y, r | x : INTEGER & y : INTEGER & r : INTEGER & r = x + y})) = INTEGER;
          dom({x, r | x : NATURAL & x + 1 = r}) = NATURAL;
          dom({x, r | x : 1..200000 & r = x * x}) = 1..200000;
          card({x, r | x : 1..200000 & r = x mod 2}) = 200000;
          dom({x, r | x : 1..9 & r : 1..9 & r = x + 1}) = 1..8;
          dom({x, r | x : 1..9 & r = x + 1 & r = 2 * x}) = {1}
        END"""
    )
    assert not result.reasons
    assert {v.kind.value for v in result.violations} <= {"deadlock"}
