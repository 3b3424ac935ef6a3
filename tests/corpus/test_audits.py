"""Certificates of reduced runs of public models: accepted as they are, rejected once they are tampered with.

`make audit` does the same for more of them, with every reduction and proviso.
"""

from __future__ import annotations

import pytest

from secateur.audit.audit import Outcome
from tools.audit.certify import PLANS, certify
from tools.audit.sample import QUICK
from tools.corpus.records import corpus_folder

BY_TURNS = list(PLANS)


@pytest.mark.parametrize(("number", "path"), list(enumerate(QUICK)), ids=QUICK)
def test_certificates(number: int, path: str) -> None:
    file = corpus_folder() / path
    if not file.is_file():
        pytest.skip(f"NO CORPUS at {file}: nothing was certified; set SECATEUR_CORPUS")
    names = ["stubborn, open", BY_TURNS[1 + number % (len(BY_TURNS) - 1)]]
    seen = certify(file, 60.0, names, lambda _: None)
    assert not seen["differences"]
    runs = list(seen["runs"].values())
    assert any(run["reduced"] for run in runs)
    assert {run["outcome"] for run in runs} == {Outcome.ACCEPTED.value}
    tampered = {what for run in runs for what in run.get("tampered", {})}
    assert {"a changed digest", "a removed initial state", "a dropped state"} <= tampered
