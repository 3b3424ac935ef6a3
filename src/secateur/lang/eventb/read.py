"""Any Event-B input to a project: the format is told by what a file is and holds."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path, PurePath
from typing import Final

from secateur.lang.eventb import archive, package, rodin, text
from secateur.lang.eventb.ast import Project
from secateur.lang.eventb.codes import NO_PROJECT
from secateur.lang.eventb.folder import Folder, directory
from secateur.lang.eventb.gather import (
    rodin_component,
    rodin_project,
    text_component,
    text_project,
)
from secateur.source import InputError, fail
from secateur.source.codes import NO_SUCH_FILE
from secateur.source.read import read_source

_IN_WORDS: Final = re.compile(r"^\s*(?:context|machine)\s+\w", re.MULTILINE | re.IGNORECASE)
_CLAUSES: Final = re.compile(r"^\s*(?:events|axioms|invariants)\b", re.MULTILINE | re.IGNORECASE)
_CLASSICAL: Final = re.compile(r"^\s*(?:OPERATIONS|INVARIANT|PROPERTIES)\b", re.MULTILINE)


def sniff(text_: str) -> bool:
    """Whether the text of a file looks like Event-B in some format."""
    if package.is_package(text_) or "<org.eventb.core." in text_:
        return True
    in_words = _IN_WORDS.search(text_) and _CLAUSES.search(text_)
    return bool(in_words) and not _CLASSICAL.search(text_)


def read_project(path: Path) -> Project:
    """Return the project at `path`: a directory, an archive or a file; raise InputError."""
    if path.is_dir():
        return _choose(path, _directories(path))
    suffix = path.suffix.lower()
    if suffix == ".zip":
        if not path.exists():
            raise fail(NO_SUCH_FILE, f"there is no file '{path}'")
        return _choose(path, archive.folders(path, (*rodin.SUFFIXES, *text.SUFFIXES)))
    if suffix in rodin.SUFFIXES and path.exists():
        return rodin_component(directory(path.parent), path.name)
    source = read_source(path)
    if package.is_package(source.text):
        return package.read_project(source)
    return text_component(directory(path.parent), source, path.name)


def _directories(path: Path) -> list[Folder]:
    """Return `path` if it holds components, or else the directories in it that do."""
    here = directory(path)
    if _has(here, rodin.SUFFIXES) or _has(here, text.SUFFIXES):
        return [here]
    below = [directory(p) for p in sorted(path.iterdir()) if p.is_dir()]
    return [f for f in below if _has(f, rodin.SUFFIXES) or _has(f, text.SUFFIXES)]


def _has(folder: Folder, suffixes: Sequence[str]) -> bool:
    return any(PurePath(n).suffix.lower() in suffixes for n in folder.names)


def _choose(path: Path, folders: Sequence[Folder]) -> Project:
    if len(folders) != 1:
        raise _not_one(path, folders)
    found = folders[0]
    return rodin_project(found) if _has(found, rodin.SUFFIXES) else text_project(found)


def _not_one(path: Path, folders: Sequence[Folder]) -> InputError:
    if not folders:
        help_ = "a Rodin project has files .bum and .buc; a classical B model is named by its file, .mch"
        return fail(NO_PROJECT, f"'{path}' holds no Event-B component", None, help_)
    listed = ", ".join(PurePath(f.label).name for f in folders)
    return fail(NO_PROJECT, f"'{path}' holds several projects: {listed}", None, "name one of them")
