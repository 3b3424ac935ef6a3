"""The part of a plan that says how sets of states are searched for temporal formulas."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from secateur.engine.codes import OPTION_WITHOUT_EFFECT, UNKNOWN_REDUCTION
from secateur.engine.liveness.approach.registry import DEFAULT_APPROACH
from secateur.engine.symbolic.fair import CYCLES, CyclesRow
from secateur.engine.symbolic.reduce.protocol import ReachRow
from secateur.engine.symbolic.reduce.registry import REACHES
from secateur.engine.symbolic.wish import AUTO, SYMBOLIC, Asked, objections_to_package
from secateur.source import Diagnostic, InputError


class AskedOfFormulas(Asked, Protocol):
    """The part of a manner that is judged here."""

    @property
    def por(self) -> str:
        """The reachability."""

    @property
    def cycles(self) -> str:
        """How fair cycles are found."""

    @property
    def proviso(self) -> str:
        """What keeps actions from being left out for ever, where states are looked at one by one."""

    @property
    def approach(self) -> str:
        """When states are explored, where they are looked at one by one."""

    @property
    def symmetry(self) -> str:
        """How symmetric states are made one."""


def reach_of(manner: AskedOfFormulas) -> ReachRow | None:
    """Return the reachability that was asked for."""
    return next((row for row in REACHES if row.name == manner.por), None)


def cycles_of(manner: AskedOfFormulas) -> CyclesRow:
    """Return how fair cycles are to be found."""
    return next((row for row in CYCLES if row.name == manner.cycles), CYCLES[0])


def objections_to_cycles(manner: AskedOfFormulas) -> Iterator[Diagnostic]:
    """Yield why a way to find cycles does not go with states one by one."""
    if manner.cycles != AUTO:
        message = "--cycles is about sets of states"
        way_out = f"use --engine {SYMBOLIC}, or leave --cycles out"
        yield Diagnostic(OPTION_WITHOUT_EFFECT, message, help=way_out)


def refuse_unlawful_sets(manner: AskedOfFormulas) -> None:
    """Raise InputError if formulas cannot be checked on sets in this manner."""
    objections = list(objections_to_package(manner))
    known = [AUTO, *(row.name for row in REACHES)]
    if manner.por not in known:
        message = f"the symbolic engine has no reduction called '{manner.por}'"
        help_ = f"there are {', '.join(known)}"
        objections.append(Diagnostic(UNKNOWN_REDUCTION, message, help=help_))
    ways = [AUTO, *(row.name for row in CYCLES)]
    if manner.cycles not in ways:
        message = f"there is no way to find cycles called '{manner.cycles}'"
        objections.append(
            Diagnostic(UNKNOWN_REDUCTION, message, help=f"there are {', '.join(ways)}")
        )
    for name in ("proviso", "symmetry", "approach"):
        if getattr(manner, name) not in (AUTO, "none", DEFAULT_APPROACH):
            message = (
                f"--{name} is about states one by one, which the symbolic engine does not know"
            )
            help_ = f"leave --{name} out"
            objections.append(Diagnostic(OPTION_WITHOUT_EFFECT, message, help=help_))
    if objections:
        raise InputError(*objections)
