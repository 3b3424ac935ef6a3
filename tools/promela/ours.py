"""Our side: the models of the corpus, and how they are read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from secateur.lang.promela import ast
from secateur.lang.promela.frontend import read_program
from tools.corpus.records import corpus_folder

_NO_MODELS: Final = (".h", ".never", ".txt", ".tests", ".ltl")


def program(model: Path, defines: Sequence[str] = ()) -> ast.Program:
    """A model with its names resolved."""
    named = (define.removeprefix("-D").partition("=") for define in defines)
    return read_program(model, {name: value or "1" for name, _, value in named})


def folder() -> Path:
    """Where the models of the corpus are."""
    return corpus_folder() / "promela"


def corpus() -> list[Path]:
    """The files of the corpus that are models of their own."""
    return [
        path
        for path in sorted(folder().rglob("*"))
        if path.is_file() and path.suffix not in _NO_MODELS and "README" not in path.name
    ]
