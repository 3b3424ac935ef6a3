"""All input languages.  Adding one: its folder, and a row here."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Final

from secateur.lang.codes import NO_MACROS, UNKNOWN_LANGUAGE
from secateur.lang.options import LoadOptions
from secateur.source import fail
from secateur.source.read import read_source
from secateur.source.records import dataclass

if TYPE_CHECKING:
    from secateur.lang.model import Model
    from secateur.lang.refinement import Refinement


@dataclass(frozen=True, slots=True)
class FrontEnd:
    """A language: how its files are recognised and loaded.

    The module has `sniff(text)`, whether the text of a file with another suffix looks
    like this language, `load(path, options)` and `refinements(path, options)`.  It is imported when it is needed: most runs
    need one language.
    """

    name: str
    suffixes: tuple[str, ...]
    module: str
    directories: bool = False
    """Whether a whole directory can be loaded."""
    macros: bool = False
    """Whether a preprocessor reads its files first."""

    def sniff(self, text: str) -> bool:
        """Whether a text looks like this language."""
        return bool(import_module(self.module).sniff(text))

    def load(self, path: Path, options: LoadOptions) -> Model:
        """Return the model in a file."""
        if options.defines and not self.macros:
            given = ", ".join(options.defines)
            message = f"{self.name} has no macros: {given} cannot be defined"
            raise fail(NO_MACROS, message, None, "leave -D away")
        model: Model = import_module(self.module).load(path, options)
        return model

    def refinements(self, path: Path, options: LoadOptions) -> list[Refinement]:
        """Return the steps of refinement in a file, the most abstract one first."""
        found: list[Refinement] = import_module(self.module).refinements(path, options)
        return found


FRONT_ENDS: Final[tuple[FrontEnd, ...]] = (
    FrontEnd("classical B", (".mch", ".ref", ".imp", ".sys", ".mod"), "secateur.lang.b.frontend"),
    FrontEnd(
        "Event-B",
        (".eventb", ".bum", ".buc", ".bcm", ".bcc", ".bumx", ".bucx", ".zip"),
        "secateur.lang.eventb.frontend",
        directories=True,
    ),
    FrontEnd(
        "Promela",
        (".pml", ".promela", ".prm", ".pr"),
        "secateur.lang.promela.frontend",
        macros=True,
    ),
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


def refinements(path: Path, options: LoadOptions | None = None) -> list[Refinement]:
    """Return the steps of refinement that lead to the model in the file `path`."""
    return front_end(path).refinements(path, options or LoadOptions())
