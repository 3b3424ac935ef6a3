"""The part of a plan that takes symmetric states for the same."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Protocol

from secateur.engine.codes import OPTION_WITHOUT_EFFECT, UNKNOWN_SYMMETRY, UNSOUND_PLAN
from secateur.engine.pruning import AUTO
from secateur.engine.symmetry.flood import FLOOD
from secateur.engine.symmetry.markers import MARKERS
from secateur.engine.symmetry.protocol import StrategyRow
from secateur.engine.symmetry.registry import STRATEGIES
from secateur.source import Diagnostic, fail

NO_SYMMETRY: Final = "none"


class Asked(Protocol):
    """The part of a wish that is judged here."""

    @property
    def symmetry(self) -> str:
        """The strategy."""

    @property
    def search(self) -> str:
        """The search."""

    @property
    def threads(self) -> int:
        """How many threads."""

    @property
    def compress(self) -> bool:
        """Whether less of each state is kept."""

    @property
    def fingerprint(self) -> bool:
        """Whether only a hash of each state is kept."""


def strategy_of(wish: Asked) -> StrategyRow | None:
    """Return the strategy that was asked for by name."""
    return next((row for row in STRATEGIES if row.name == wish.symmetry), None)


def refuse_inexact(symmetry: str) -> None:
    """Raise InputError if temporal formulas cannot be judged with this strategy."""
    exact = [AUTO, NO_SYMMETRY, *(row.name for row in STRATEGIES if row.exact)]
    if symmetry in exact:
        return
    way_out = f"use --symmetry {', '.join(exact)}"
    if all(row.name != symmetry for row in STRATEGIES):
        message = f"there is no symmetry reduction called '{symmetry}'"
        raise fail(UNKNOWN_SYMMETRY, message, help=way_out)
    message = f"with '{symmetry}', a path may go on where no path of the model does"
    raise fail(UNSOUND_PLAN, message, help=way_out)


def objections_to_merging(wish: Asked) -> Iterator[Diagnostic]:
    """Yield why a strategy cannot be used like this."""
    known = [AUTO, NO_SYMMETRY, *(row.name for row in STRATEGIES)]
    if wish.symmetry not in known:
        message = f"there is no symmetry reduction called '{wish.symmetry}'"
        yield Diagnostic(UNKNOWN_SYMMETRY, message, help=f"there are {', '.join(known)}")
    kept = [name for name in ("compress", "fingerprint") if getattr(wish, name)]
    if wish.symmetry in (FLOOD.name, MARKERS.name) and kept:
        what = "stores permuted states" if wish.symmetry == FLOOD.name else "keeps markers"
        message = f"symmetry reduction '{wish.symmetry}' {what}, not what --{kept[0]} keeps"
        way_out = f"use --symmetry canonical, or leave --{kept[0]} out"
        yield Diagnostic(OPTION_WITHOUT_EFFECT, message, help=way_out)
    if wish.symmetry == FLOOD.name and wish.threads > 1:
        message = "flooding uses one thread"
        way_out = "use --symmetry canonical, or leave --threads out"
        yield Diagnostic(OPTION_WITHOUT_EFFECT, message, help=way_out)
    if wish.symmetry == MARKERS.name and wish.search == "astar":
        message = (
            "search 'astar' may reach a state by way of another one with the same marker, from "
            "which no step leads on"
        )
        way_out = "use --symmetry canonical, or another search"
        yield Diagnostic(UNSOUND_PLAN, message, help=way_out)
