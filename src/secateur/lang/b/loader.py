"""Components from files: each is read and parsed once."""

from __future__ import annotations

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

    def find(self, name: str, directory: Path, span: Span, file: str | None = None) -> Path:
        """Return the file of component `name`; `file` is where a pragma says it is."""
        if file is not None and (directory / file).is_file():
            return directory / file
        for suffix in SUFFIXES:
            if (directory / f"{name}{suffix}").is_file():
                return directory / f"{name}{suffix}"
        wanted = {f"{name}{suffix}".lower() for suffix in SUFFIXES}
        for candidate in sorted(directory.iterdir()):
            if candidate.name.lower() in wanted and candidate.is_file():
                return candidate
        raise fail(
            MISSING_COMPONENT,
            f"machine {name} not found",
            span,
            f"looked for {name}{', '.join(SUFFIXES)} in {directory}",
        )


def is_machine(component: Component) -> bool:
    """Whether `component` refines nothing."""
    return component.kind in _MACHINES
