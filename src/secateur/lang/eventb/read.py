"""Any Event-B input to a project: the format is told by what a file is and holds."""

from __future__ import annotations

from pathlib import Path

from secateur.lang.eventb import package
from secateur.lang.eventb.ast import Project
from secateur.lang.eventb.codes import NO_PROJECT
from secateur.source import fail
from secateur.source.read import read_source


def read_project(path: Path) -> Project:
    """Return the project at `path`: a directory, an archive or a file; raise InputError."""
    source = read_source(path)
    if package.is_package(source.text):
        return package.read_project(source)
    raise fail(NO_PROJECT, f"'{path}' holds no Event-B")
