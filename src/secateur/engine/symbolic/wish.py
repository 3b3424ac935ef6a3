"""The part of a plan that says which engine explores, and how the symbolic one does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple, Protocol

from secateur.engine.codes import MISSING_PACKAGE, OPTION_WITHOUT_EFFECT, UNKNOWN_ENGINE
from secateur.engine.symbolic.diagrams.protocol import DiagramsRow
from secateur.engine.symbolic.diagrams.registry import PACKAGES, installed
from secateur.engine.symbolic.images.protocol import ImageRow
from secateur.engine.symbolic.images.registry import IMAGES
from secateur.source import Diagnostic

AUTO: Final = "auto"
EXPLICIT: Final = "explicit"
SYMBOLIC: Final = "symbolic"
ENGINES: Final = (AUTO, EXPLICIT, SYMBOLIC)


class Asked(Protocol):
    """The part of a wish that is judged here."""

    @property
    def engine(self) -> str:
        """The engine."""

    @property
    def image(self) -> str:
        """The order in which actions are applied."""

    @property
    def diagrams(self) -> str:
        """The package."""

    @property
    def reorder(self) -> bool:
        """Whether the order of variables changes on the way."""


class Symbolically(NamedTuple):
    """How the symbolic engine is to explore."""

    image: ImageRow
    package: DiagramsRow
    reorder: bool


USUAL: Final = {
    "search": "bf",
    "ratio": None,
    "threads": 1,
    "compress": False,
    "fingerprint": False,
    "proviso": AUTO,
    "heuristic": AUTO,
    "choice": "smallest",
}
"""Options that are about states one by one, with what they are if nobody cares."""


def symbolically(wish: Asked) -> Symbolically:
    """Return how a lawful wish is to be explored symbolically."""
    return Symbolically(
        next((row for row in IMAGES if row.name == wish.image), IMAGES[0]),
        next((row for row in PACKAGES if row.name == wish.diagrams), PACKAGES[0]),
        wish.reorder,
    )


def may_be_symbolic(wish: Asked) -> bool:
    """Whether it is left to us to explore sets: nothing was asked for that is about single states."""
    return wish.engine == AUTO and not any(_about_single_states(wish))


def usual_sets() -> Symbolically:
    """Return how sets are explored where nobody says how."""
    return Symbolically(IMAGES[0], PACKAGES[0], reorder=False)


def objections_to_engine(wish: Asked) -> Iterator[Diagnostic]:
    """Yield why an engine cannot be used like this."""
    yield from _unknown("engine", wish.engine, ENGINES)
    yield from _unknown("order of actions", wish.image, (AUTO, *(row.name for row in IMAGES)))
    yield from _unknown("package", wish.diagrams, (AUTO, *(row.name for row in PACKAGES)))
    if wish.engine != SYMBOLIC:
        given = [n for n in ("image", "diagrams") if getattr(wish, n) != AUTO]
        if given or wish.reorder:
            name = (given or ["reorder"])[0]
            message = f"--{name} is about sets of states as decision diagrams"
            way_out = f"use --engine {SYMBOLIC}, or leave --{name} out"
            yield Diagnostic(OPTION_WITHOUT_EFFECT, message, help=way_out)
        return
    yield from _about_single_states(wish)
    yield from objections_to_package(wish)


def _unknown(what: str, name: str, known: tuple[str, ...]) -> Iterator[Diagnostic]:
    if name not in known:
        message = f"there is no {what} called '{name}'"
        yield Diagnostic(UNKNOWN_ENGINE, message, help=f"there are {', '.join(known)}")


def _about_single_states(wish: Any) -> Iterator[Diagnostic]:
    for name, usual in USUAL.items():
        if getattr(wish, name, usual) != usual:
            message = (
                f"--{name} is about states one by one, which the symbolic engine does not know"
            )
            way_out = f"leave --{name} out, or use --engine {EXPLICIT}"
            yield Diagnostic(OPTION_WITHOUT_EFFECT, message, help=way_out)
    for name in ("por", "symmetry"):
        value = getattr(wish, name, AUTO)
        if value not in (AUTO, "none"):
            message = f"the symbolic engine has no --{name} {value}"
            way_out = f"leave --{name} out, or use --engine {EXPLICIT}"
            yield Diagnostic(OPTION_WITHOUT_EFFECT, message, help=way_out)


def objections_to_package(wish: Asked) -> Iterator[Diagnostic]:
    """Yield why a package of decision diagrams cannot be used like this."""
    package = symbolically(wish).package
    if package not in installed():
        message = f"the package '{package.package}' is not installed"
        yield Diagnostic(MISSING_PACKAGE, message, help=f"pip install {package.package}")
    if wish.reorder and not package.reorders:
        able = ", ".join(row.name for row in PACKAGES if row.reorders)
        message = f"{package.title} does not change the order of variables on the way"
        yield Diagnostic(OPTION_WITHOUT_EFFECT, message, help=f"use --diagrams {able}")
