"""What was found out about one step of a development."""

from __future__ import annotations

from collections.abc import Sequence

from secateur.source.records import dataclass
from secateur.system.result import Result


@dataclass(frozen=True, slots=True)
class RefinementResult:
    """Whether a component refines another one; true if that was verified.

    `levels` are the components that were explored together, the most abstract one first,
    each with the names of its variables.
    """

    concrete: str
    abstract: str
    levels: tuple[tuple[str, tuple[str, ...]], ...]
    result: Result

    def __bool__(self) -> bool:
        return bool(self.result)


def outcome_of(steps: Sequence[RefinementResult]) -> bool | None:
    """Return whether every step holds; None if no step fails but one is not known."""
    outcomes = [step.result.outcome for step in steps]
    if False in outcomes:
        return False
    return None if None in outcomes else True
