"""Counterexamples of corpus models, written and executed again."""

from __future__ import annotations

from pathlib import Path

import pytest

import secateur
from secateur.app.evidence import Run, gather
from secateur.app.replay import replay
from secateur.report.formats.registry import format_named
from tools.corpus.records import corpus_folder, records, sample

SIZE = 8


def test_counterexamples_are_executed_again(tmp_path: Path) -> None:
    folder = corpus_folder()
    if not folder.is_dir():
        pytest.skip(f"NO CORPUS at {folder}: no trace was executed again; set SECATEUR_CORPUS")
    executed = 0
    for record in sample((r for r in records(folder) if r.invariant_violated), SIZE):
        path = folder / record.path
        model = secateur.load(path)
        result = model.check(native=False, max_seconds=5)
        evidence = gather(model, Run("check", path, (), dict, str), result)
        for name in ("itf", "prob2trace"):
            row = format_named(name)
            assert row is not None
            text = row.write(evidence)
            if text is None:
                continue
            file = tmp_path / name
            file.write_text(text, encoding="utf-8")
            found = replay(model, file)
            assert found, f"{record.path}: {found.obstacle}"
            assert found.trouble, record.path
            assert result.trace is not None
            assert found.trace.transitions == result.trace.transitions, record.path
            executed += 1
    assert executed > SIZE
