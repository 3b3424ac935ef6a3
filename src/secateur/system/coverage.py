"""What a model has that makes no difference."""

from __future__ import annotations

from secateur.source import Span
from secateur.source.records import dataclass
from secateur.system.statistics import Statistics


@dataclass(frozen=True, slots=True)
class Vacuity:
    """A part of a model that is always the same: `what` is `never true` or `never false`."""

    where: str
    """Of what it is a part: `guard of enter`, `invariant inv3`, `formula f`."""
    text: str
    what: str
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Unit:
    """A text that processes execute: how many statements it has, and those that nobody came to."""

    name: str
    statements: int
    unreached: tuple[tuple[str, Span], ...]


@dataclass(frozen=True, slots=True)
class Coverage:
    """What was found in all states that were visited; final only if that were all there are.

    `asked` counts the parts that were looked at; of the `unknown` it could not be found out.
    """

    vacuities: tuple[Vacuity, ...] = ()
    asked: int = 0
    unknown: tuple[Vacuity, ...] = ()
    constant: tuple[str, ...] = ()
    """The variables that have one value throughout."""
    units: tuple[Unit, ...] = ()
    exhaustive: bool = True
    statistics: Statistics = Statistics(0, 0)
    """What was counted meanwhile: more than by a run that ended at a violation, or left things out."""
    seconds: float = 0.0
