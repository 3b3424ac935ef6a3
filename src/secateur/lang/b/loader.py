"""Components from files: each is read and parsed once."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from secateur.lang.b.ast import Component, Kind
from secateur.lang.b.codes import MISSING_COMPONENT
from secateur.lang.b.parse import parse_component
from secateur.source import Span, fail
from secateur.source.read import read_source

SUFFIXES: Final = (".mch", ".ref", ".imp", ".sys", ".mod")
_MACHINES: Final = frozenset({Kind.MACHINE, Kind.MODEL, Kind.SYSTEM})


class Loader:
    """Finds components by name, next to the file that mentions them."""

    def __init__(self) -> None:
        self._parsed: dict[Path, Component] = {}

    def parse(self, path: Path) -> Component:
        """Return the component in the file `path`."""
        key = path.resolve()
        if key not in self._parsed:
            self._parsed[key] = parse_component(read_source(path))
        return self._parsed[key]

    def find(self, name: str, user: Path, span: Span, file: str | None = None) -> Path:
        """Return the file of component `name`, which the file `user` mentions.

        `file` is where a pragma says it is.
        """
        if file is not None and (user.parent / file).is_file():
            return user.parent / file
        directories = [user.parent, *_imported(user.parent, span.source.text)]
        for directory in directories:
            found = _find(name, directory)
            if found is not None:
                return found
        places = " or ".join(map(str, directories))
        raise fail(
            MISSING_COMPONENT,
            f"machine {name} not found",
            span,
            f"looked for {name}{SUFFIXES[0]} and the like in {places}",
        )


def _find(name: str, directory: Path) -> Path | None:
    for suffix in SUFFIXES:
        if (directory / f"{name}{suffix}").is_file():
            return directory / f"{name}{suffix}"
    wanted = {f"{name}{suffix}".lower() for suffix in SUFFIXES}
    files = sorted(directory.iterdir()) if directory.is_dir() else []
    return next((f for f in files if f.name.lower() in wanted and f.is_file()), None)


_PACKAGE: Final = re.compile(r"/\*@\s*package\s+([\w.]+)\s*\*/")
_IMPORT: Final = re.compile(r"/\*@\s*import-package\s+([\w.]+)\s*\*/")


def _imported(directory: Path, text: str) -> list[Path]:
    """Return the folders that the import-package pragmas in `text`, a file in `directory`, name."""
    package = _PACKAGE.search(text)
    root = directory
    for _ in package[1].split(".") if package else ():
        root = root.parent
    return [root.joinpath(*name.split(".")) for name in _IMPORT.findall(text)]


def is_machine(component: Component) -> bool:
    """Whether `component` refines nothing."""
    return component.kind in _MACHINES
