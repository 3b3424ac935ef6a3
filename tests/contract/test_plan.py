"""Plans are lawful or refused with a way out."""

from __future__ import annotations

from dataclasses import replace

import pytest

from secateur.engine.limits import Limits
from secateur.engine.plan import Wish, plan
from secateur.engine.provisos.protocol import ProvisoRow
from secateur.engine.provisos.registry import PROVISOS
from secateur.engine.reduce.protocol import Preserved, Question
from secateur.engine.reduce.registry import REDUCTIONS
from secateur.engine.search.protocol import SearchRow
from secateur.engine.search.registry import ALL_SEARCHES
from secateur.source import InputError
from secateur.system.system import PropertyKind


@pytest.mark.parametrize("row", ALL_SEARCHES, ids=lambda row: row.name)
def test_every_search_can_be_planned(row: SearchRow) -> None:
    assert plan(Wish(row.name)).search is row


@pytest.mark.parametrize(
    ("wish", "code"),
    [
        (Wish("zigzag"), 300),
        (Wish("bf", ratio=0.5), 301),
        (Wish("mixed", ratio=1.5), 302),
        (Wish(stop_at=frozenset({"accident"})), 302),
        (Wish(stop_at=frozenset({"goal"}), unchecked=frozenset({PropertyKind.GOAL})), 301),
        (Wish(stop_at=frozenset({"goal"}), collect=True), 301),
        (Wish(compress=True, fingerprint=True), 301),
        (Wish("df", compress=True), 301),
        (Wish("random", fingerprint=True), 301),
        (Wish(limits=Limits(states=0)), 302),
        (Wish(limits=Limits(seconds=-1)), 302),
        (Wish(por="amble"), 303),
        (Wish(proviso="queue"), 304),
        (Wish(search="astar", heuristic="hunch"), 305),
        (Wish(choice="largest"), 302),
        (Wish(por="upset", proviso="open"), 301),
        (Wish(por="process-ample", choice="random"), 301),
        (Wish(search="bf", heuristic="goal"), 301),
        (Wish(search="bf", por="ample", proviso="stack"), 306),
        (Wish(search="mixed", por="auto", proviso="stack"), 306),
        (Wish(por="ample", proviso="none"), 306),
        (Wish(por="ample", proviso="open", fingerprint=True, native=True), 306),
        (Wish(por="ample", proviso="open", compress=True), 301),
        (Wish(por="ample", proviso="reliance", threads=2), 301),
    ],
)
def test_what_makes_no_sense_is_refused_with_a_way_out(wish: Wish, code: int) -> None:
    with pytest.raises(InputError) as refusal:
        plan(wish)
    (diagnostic,) = refusal.value.diagnostics
    assert diagnostic.code.number == code
    assert diagnostic.help


def test_what_ends_a_search() -> None:
    assert plan(Wish()).ends == frozenset(PropertyKind)
    assert plan(Wish(collect=True)).ends == frozenset()
    assert plan(Wish(stop_at=frozenset({"goal"}))).ends == {PropertyKind.GOAL}


def test_what_misses_errors_must_be_asked_for_twice() -> None:
    planned = plan(Wish(por="ample", proviso="none", experiment=True))
    assert planned.pruning.proviso is not None
    assert planned.pruning.proviso.name == "none"


@pytest.mark.parametrize(
    ("question", "search", "expected"),
    [
        (Question(deadlocks=True), "bf", ("upset", None)),
        (Question(deadlocks=True, checks=(0,)), "bf", ("upset", None)),
        (Question(deadlocks=True, faults=(0,)), "bf", ("upset", None)),
        (Question(deadlocks=False, checks=(0,)), "astar", ("upset", None)),
        (Question(deadlocks=False, checks=(0,)), "df", ("best", "reliance")),
        (Question(deadlocks=False), "bf", ("none", None)),
    ],
)
def test_a_reduction_is_chosen_for_what_is_asked(
    question: Question, search: str, expected: tuple[str, str | None]
) -> None:
    row, proviso = plan(Wish(search=search)).pruning.rows_for(question)
    assert (row.name, proviso and proviso.name) == expected


def test_a_proviso_that_is_asked_for_is_used() -> None:
    question = Question(deadlocks=False, checks=(0,))
    row, proviso = plan(Wish(proviso="static")).pruning.rows_for(question)
    assert (row.name, proviso and proviso.name) == ("best", "static")


def test_fingerprints_rely_on_no_state() -> None:
    question = Question(deadlocks=False, checks=(0,))
    wish = Wish(fingerprint=True, native=True)
    row, _ = plan(wish).pruning.rows_for(question)
    assert row.name == "upset"
    _, proviso = plan(replace(wish, por="ample")).pruning.rows_for(question)
    assert proviso is not None
    assert proviso.name == "static"


@pytest.mark.parametrize("row", PROVISOS, ids=lambda row: row.name)
def test_beside_fingerprints_a_proviso_asks_for_no_states(row: ProvisoRow) -> None:
    wish = Wish(por="ample", proviso=row.name, fingerprint=True, native=True, experiment=True)
    if not row.needs_states:
        assert plan(wish).pruning.proviso is row
        return
    with pytest.raises(InputError) as refusal:
        plan(wish)
    assert {d.code.number for d in refusal.value.diagnostics} == {306}


@pytest.mark.parametrize("wish", [Wish(compress=True), Wish(threads=2)])
def test_nobody_is_asked_what_was_found_where_that_cannot_be_told(wish: Wish) -> None:
    question = Question(deadlocks=False, checks=(0,))
    _, proviso = plan(replace(wish, por="stubborn")).pruning.rows_for(question)
    assert proviso is not None
    assert proviso.name == "static"


def test_every_proviso_but_none_preserves_what_every_reduction_does() -> None:
    for reduction in REDUCTIONS:
        assert {Preserved.DEADLOCK, Preserved.REACH} <= reduction.preserves
    for proviso in PROVISOS:
        assert (Preserved.REACH in proviso.preserves) == (proviso.name != "none")
