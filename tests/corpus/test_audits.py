"""Certificates of reduced runs of public models: accepted as they are, rejected once they are tampered with.

`make audit` does the same for more of them, with every reduction and proviso.
"""

from __future__ import annotations

import pytest

from secateur.audit.audit import Outcome
from tools.audit.certify import PLANS, certify
from tools.audit.sample import QUICK
from tools.audit.tamper import TAMPERINGS
from tools.corpus.records import corpus_folder

BY_TURNS = list(PLANS)


@pytest.mark.parametrize(("number", "path"), list(enumerate(QUICK)), ids=QUICK)
def test_certificates(number: int, path: str) -> None:
    file = corpus_folder() / path
    if not file.is_file():
        pytest.skip(f"NO CORPUS at {file}: nothing was certified; set SECATEUR_CORPUS")
    names = [BY_TURNS[(number * 2 + i) % len(BY_TURNS)] for i in range(2)] + ["upset, deadlocks"]
    seen = certify(file, 60.0, names, lambda _: None)
    assert not seen["differences"]
    runs = list(seen["runs"].values())
    assert any(run["reduced"] for run in runs)
    assert {run["outcome"] for run in runs} == {Outcome.ACCEPTED.value}
    tampered = {what for run in runs for what in run.get("tampered", {})}
    assert len(tampered) >= len(TAMPERINGS) - 2, "not each certificate offers every occasion"
