"""What a strategy of symmetry reduction is.

It finds for each state one that stands for it and for all that are symmetric to it.  Whoever
explores takes only those that stand for others; `quotient.py` does it for every search.

Adding one: a file with a class, and its row in `registry.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from secateur.source.records import dataclass
from secateur.system.reduced import Merged
from secateur.system.symmetry import Interchangeable, Symmetry
from secateur.system.system import State


class Merging(Protocol):
    """Which states are taken for the same."""

    def representative(self, state: State) -> State:
        """Return the state that stands for `state`; a state may stand for itself."""


def told(
    strategy: StrategyRow, free: Iterable[Interchangeable], factor: float | None = None
) -> Merged:
    """Return what a strategy did, for reports."""
    sets = tuple((each.name, len(each.elements)) for each in free)
    return Merged(strategy.name, strategy.reference, strategy.title, sets, factor)


@dataclass(frozen=True, slots=True)
class StrategyRow:
    """A member of the family."""

    name: str
    title: str
    build: Callable[[Symmetry], Merging]
    reference: str
    exact: bool = True
    """Whether only symmetric states are taken for the same; else no error may be overlooked."""
    caveat: str | None = None
    """Why the verdict can never be that everything holds."""
