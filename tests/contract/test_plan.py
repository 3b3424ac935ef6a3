"""Plans are lawful or refused with a way out."""

from __future__ import annotations

import pytest

from secateur.engine.limits import Limits
from secateur.engine.plan import Wish, plan
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
