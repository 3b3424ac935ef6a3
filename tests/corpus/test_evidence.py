"""Models with violations: what is claimed of them, and traces made shorter, asked again."""

from __future__ import annotations

import hashlib
from typing import Final

import pytest

import secateur
from secateur.system.result import confirm
from tests.claims import wrong_claims
from tools.corpus.records import Record, corpus_folder, records

MODELS: Final = 30
SECONDS: Final = 10
MOST_TRANSITIONS: Final = 2_000


def _sample() -> list[Record]:
    """Return small models with violations, chosen by a hash of their names."""
    folder = corpus_folder()
    if not folder.is_dir():
        return []
    found = [
        r
        for r in records(folder)
        if r.tier in ("core", "tiny")
        and (r.deadlock or r.invariant_violated)
        and 10 < r.transitions < MOST_TRANSITIONS
        and r.milliseconds < 2_000
    ]
    found.sort(key=lambda r: hashlib.sha256(r.path.encode()).digest())
    invariants = [r for r in found if r.invariant_violated][: MODELS // 2]
    deadlocks = [r for r in found if r not in invariants][: MODELS - len(invariants)]
    return [*invariants, *deadlocks]


def test_there_is_a_corpus() -> None:
    if not corpus_folder().is_dir():
        pytest.skip(f"NO CORPUS at {corpus_folder()}: no explanation was checked")
    assert len(_sample()) == MODELS


@pytest.mark.parametrize("record", _sample(), ids=lambda r: r.path.rpartition("/")[2])
def test_what_is_claimed_is_so(record: Record) -> None:
    model = secateur.load(corpus_folder() / record.path)
    deep = model.check(search="df", max_seconds=SECONDS)
    short = model.check(search="df", max_seconds=SECONDS, shorten=True, untangle=True)
    assert short.violations, "a model with a violation has none"
    for plain, clear in zip(deep.violations, short.violations, strict=True):
        assert (plain.kind, plain.name) == (clear.kind, clear.name)
        assert len(clear.trace) <= len(plain.trace)
        confirm(clear)
        for violation in (plain, clear):
            if violation.explanation is not None:
                assert list(wrong_claims(model, violation)) == []
