"""What a reduction did."""

from __future__ import annotations

from secateur.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Reduced:
    """A reduction that was applied: what it is called, and what it has done.

    Of the actions that could happen in the states `expanded`, `taken` of `happening` were
    executed; in `reduced` states something was left out.  `reason` says why that is lawful.
    """

    name: str
    proviso: str | None
    reference: str
    reason: str
    expanded: int = 0
    reduced: int = 0
    refused: int = 0
    trapped: int = 0
    happening: int = 0
    taken: int = 0
    seconds: float = 0.0
    """What it took to find out how actions are related."""
    why_little: str | None = None
    """What stands in the way, where nothing could be left out."""


@dataclass(frozen=True, slots=True)
class Merged:
    """A symmetry reduction that was applied: states that differ by names only counted once.

    `sets` are those whose elements were exchanged, with how many they are.  Each state that was
    explored stands for `factor` states on average; None if that is not known.
    """

    name: str
    reference: str
    reason: str
    sets: tuple[tuple[str, int], ...]
    factor: float | None = None
