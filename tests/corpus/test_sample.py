"""A fair sample of the corpus: small models, chosen by a hash of their names.

What differs and is explained in docs/corpus.md may differ; anything else may not.  How
many time out depends on the machine and on what else it does: a few may.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tools.corpus.outcome import Grade, read_outcomes
from tools.corpus.records import ROOT, corpus_folder
from tools.corpus.table import describe

SIZE = 60
SECONDS = 20
TIMEOUTS = 6


def test_sample_is_as_recorded(tmp_path: Path) -> None:
    folder = corpus_folder()
    if not folder.is_dir():
        pytest.skip(f"NO CORPUS at {folder}: nothing was compared; set SECATEUR_CORPUS")
    results = tmp_path / "results.jsonl"
    options = ["--sample", str(SIZE), "--seconds", str(SECONDS), "--output", str(results)]
    command = [sys.executable, "-m", "tools.corpus", *options]
    done = subprocess.run(command, check=False, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    page = (ROOT / "docs" / "corpus.md").read_text(encoding="utf-8")
    explained = set(re.findall(r"\w+", page))
    outcomes = list(read_outcomes(results))
    assert len(outcomes) == SIZE
    wrong = [
        f"{o.grade}: {describe(o)}"
        for o in outcomes
        if o.grade not in (Grade.EQUAL, Grade.UNFINISHED, Grade.TIMEOUT)
        and Path(o.path).stem not in explained
    ]
    assert not wrong, "\n".join(wrong)
    late = [describe(o) for o in outcomes if o.grade is Grade.TIMEOUT]
    assert len(late) <= TIMEOUTS, "\n".join(late)
