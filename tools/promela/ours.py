"""Our side: the models of the corpus, and how they are read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass
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


def labels_asked_for(program: ast.Program, proctype: str) -> frozenset[str]:
    """The labels of `proctype` that other processes ask for."""
    found = (*_remote(program.proctypes), *_remote(program.nevers), *_remote(program.ltl))
    return frozenset(remote.label for remote in found if remote.proctype == proctype)


def _remote(node: object) -> Iterator[ast.RemoteLabel]:
    if isinstance(node, ast.RemoteLabel):
        yield node
    if isinstance(node, tuple):
        for item in node:
            yield from _remote(item)
    elif is_dataclass(node) and not isinstance(node, type | ast.Variable):
        for part in fields(node):
            if part.name != "span":
                yield from _remote(getattr(node, part.name))
