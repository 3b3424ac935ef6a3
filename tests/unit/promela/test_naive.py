"""The naive interpreter counts what Spin counts."""

from __future__ import annotations

import pytest

from tests.naive.promela import Found, halfway, stable, unreached
from tests.unit.promela.models import counted_by_spin, program_of

_SEARCHES = {"dfs": stable, "bfs": halfway}


def _counts(found: Found) -> tuple[int, ...]:
    return found.stored, found.matched, found.atomic, sum(found.errors.values())


@pytest.mark.parametrize(
    ("text", "search", "counts"),
    [pytest.param(*case, id=f"{name}, {case[1]}") for name, *case in counted_by_spin()],
)
def test_what_is_counted_is_what_spin_counts(
    text: str, search: str, counts: tuple[int, ...]
) -> None:
    assert _counts(_SEARCHES[search](program_of(text))) == counts


def test_without_atomic_and_rendezvous_both_searches_are_one() -> None:
    program = program_of(
        "byte x; active [2] proctype P() { do :: x < 4 -> x++ :: x > 1 -> x-- :: break od }"
    )
    assert _counts(stable(program)) == _counts(halfway(program))


def test_where_processes_have_been_is_remembered() -> None:
    program = program_of("byte x; active proctype P() { x = 1; x == 2; x = 3 }")
    assert stable(program).reached == {("P", 1), ("P", 2)}


def test_where_nobody_has_been_is_said() -> None:
    program = program_of(
        "byte x; active proctype P() { L: if :: x == 0 -> x = 1 :: x == 9 -> x = 2; skip fi;"
        " goto L; x = 3 } proctype Q() { x = 4 }"
    )
    assert unreached(program, stable(program)) == {
        ("P", 4),
        ("P", 9),
        ("P", 10),
        ("Q", 1),
        ("Q", 2),
    }


def test_a_search_that_is_cut_short_says_so() -> None:
    program = program_of("int x; active proctype P() { do :: x++ od }")
    found = stable(program, states=10)
    assert not found.complete
    assert found.stored == 10


@pytest.mark.parametrize(
    ("statement", "error"),
    [
        ("x = a[x + 3]", "invalid array index"),
        ("x = 1 / x", "division by zero"),
        ("c!1", "uninitialized channel"),
        ("d_step { x = 1; x == 2; x = 3 }", "block in d_step"),
        ("d_step { do :: x = 1 od }", "endless d_step"),
        ("d_step { r!1; x = 1 }", "rendezvous in d_step"),
        ("r?[1]", "polled rendezvous channel"),
        ("r?<x>", "polled rendezvous channel"),
        ("assert(x == 1)", "assertion violated"),
    ],
)
def test_faults_are_errors(statement: str, error: str) -> None:
    declared = "byte x, a[3]; chan c; chan r = [0] of {byte};"
    program = program_of(f"{declared} active proctype P() {{ {statement} }}")
    assert error in stable(program).errors
