"""Both engines agree on a sample of the corpus; `make agreement` runs over all of it."""

from __future__ import annotations

from functools import partial

import pytest

from secateur.engine.native.available import why_not_native
from tools.corpus.records import corpus_folder, records, sample
from tools.corpus.runner import Job, Limits, run_all
from tools.engines.compare import compare

SECONDS = 10.0

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not corpus_folder().is_dir(), reason=f"no corpus at {corpus_folder()}"),
    pytest.mark.skipif(
        why_not_native() is not None, reason=f"no native engine: {why_not_native()}"
    ),
]


@pytest.mark.parametrize("formalism", ["b", "eventb"])
def test_engines_agree_on_a_sample(formalism: str) -> None:
    folder = corpus_folder()
    chosen = sample([r for r in records(folder) if r.formalism == formalism], 20)
    jobs = [Job(r, partial(compare, folder / r.path, SECONDS)) for r in chosen]
    compared = 0
    for record, seen in run_all(jobs, Limits(6 * SECONDS, 6.0, 1)):
        assert "error" not in seen, (record.path, seen)
        assert not seen.get("differences"), (record.path, seen)
        compared += "times" in seen
    assert compared >= 10
