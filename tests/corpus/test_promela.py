"""The models of the corpus that are written in Promela are read, names and types included.

Files that are parts of models (headers, claims) and files that are none may be refused, but
only with a complaint.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from secateur.lang.promela.frontend import read_program, sniff
from secateur.lang.promela.parse import parse
from secateur.lang.promela.preprocess import preprocess
from secateur.lang.promela.resolve import resolve
from secateur.source import InputError, Source
from secateur.source.read import read_source
from tools.corpus.records import corpus_folder

PARTS = {".h", ".never", ".ltl"}
NO_MODELS = {
    "README",
    "README.txt",
    "README.tests",
    "README_tests.txt",
    "examples",
    "spinja-prev",
    "pathfinder.1",
}
REFUSED = {
    "patterns.pml": "SEC367",  # one of its formulas has '&' for '&&'; Spin refuses the file, too
}


def _folder() -> Path:
    folder = corpus_folder() / "promela"
    if not folder.is_dir():
        pytest.skip(f"NO CORPUS at {folder}: nothing was read; set SECATEUR_CORPUS")
    return folder


def test_every_model_is_read() -> None:
    wrong = []
    for path in sorted(p for p in _folder().rglob("*") if p.is_file()):
        part = path.suffix in PARTS or path.name in NO_MODELS
        try:
            read_program(path)
            found = message = ""
        except InputError as error:
            found = str(error.diagnostics[0].code)
            message = f"{error.diagnostics[0].span}: {error}"
        if found != REFUSED.get(path.name, "") and not part:
            wrong.append(f"{path}: {found} {message}")
        if part and not found:
            wrong.append(f"{path}: read, though it is no model")
    assert not wrong, "\n".join(wrong)


def test_every_model_is_recognised() -> None:
    for path in sorted(p for p in _folder().rglob("*") if p.is_file()):
        if path.suffix not in PARTS and path.name not in NO_MODELS:
            assert sniff(read_source(path).text), path


def test_claims_go_with_their_models() -> None:
    folder = _folder() / "case-studies" / "giop"
    models = [read_source(path) for path in sorted(folder.glob("*.pr"))]
    for claim in sorted((folder / "never").glob("*.never")):
        text = read_source(claim).text
        assert any(_fits(model, text) for model in models), claim


def _fits(model: Source, claim: str) -> bool:
    """Whether a model can be read with this claim at its end."""
    joined = Source(model.name, f"{model.text}\n{claim}")
    try:
        program = resolve(parse(preprocess(joined)), "joined", joined)
    except InputError:
        return False
    return len(program.nevers) == 1
