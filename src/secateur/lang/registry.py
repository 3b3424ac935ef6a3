"""All input languages.  Adding one: its folder, and a row here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from secateur.lang.b import frontend as b
from secateur.lang.b.loader import SUFFIXES as B_SUFFIXES
from secateur.lang.codes import UNKNOWN_LANGUAGE
from secateur.lang.eventb import frontend as eventb
from secateur.lang.model import Model
from secateur.lang.options import LoadOptions
from secateur.source import fail
from secateur.source.read import read_source


@dataclass(frozen=True, slots=True)
class FrontEnd:
    """A language: how its files are recognised and loaded."""

    name: str
    suffixes: tuple[str, ...]
    sniff: Callable[[str], bool]
    """Whether the text of a file with another suffix looks like this language."""
    load: Callable[[Path, LoadOptions], Model]
    directories: bool = False
    """Whether a whole directory can be loaded."""


FRONT_ENDS: Final[tuple[FrontEnd, ...]] = (
    FrontEnd("classical B", B_SUFFIXES, b.sniff, b.load),
    FrontEnd("Event-B", eventb.SUFFIXES, eventb.sniff, eventb.load, directories=True),
)


def front_end(path: Path) -> FrontEnd:
    """Return the front end for `path`: by its suffix, or else by its text."""
    is_directory = path.is_dir()
    for row in FRONT_ENDS:
        if row.directories if is_directory else path.suffix.lower() in row.suffixes:
            return row
    text = read_source(path).text
    for row in FRONT_ENDS:
        if row.sniff(text):
            return row
    known = ", ".join(suffix for row in FRONT_ENDS for suffix in row.suffixes)
    raise fail(
        UNKNOWN_LANGUAGE,
        f"{path.name} is in no language that is known here",
        None,
        f"known suffixes are {known}",
    )


def load(path: Path, options: LoadOptions | None = None) -> Model:
    """Return the model in the file `path`, whatever its language."""
    return front_end(path).load(path, options or LoadOptions())
