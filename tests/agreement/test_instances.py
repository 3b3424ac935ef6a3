"""The instances of an operation do what the operation does, on random machines and on real ones."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from secateur import load
from tests.agreement.machines import machines
from tests.effort import recursion_limit_kept
from tools.corpus.records import corpus_folder, records, sample
from tools.engines.unfolded import compare_instances

MOST_STATES = 60


@given(machines())
@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_random_machines(tmp_path: Path, text: str) -> None:
    path = tmp_path / "random.mch"
    path.write_text(text)
    with recursion_limit_kept():
        found = compare_instances(load(path).system, MOST_STATES)
    assert not found.differences, text


@pytest.mark.slow
@pytest.mark.skipif(not corpus_folder().is_dir(), reason=f"no corpus at {corpus_folder()}")
@pytest.mark.parametrize("formalism", ["b", "eventb"])
def test_sample_of_the_corpus(formalism: str) -> None:
    folder = corpus_folder()
    chosen = sample([r for r in records(folder) if r.formalism == formalism], 15)
    for record in chosen:
        found = compare_instances(load(folder / record.path).system, MOST_STATES)
        assert not found.differences, (record.path, found.differences[:3])
