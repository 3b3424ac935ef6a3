"""What a search is.

Adding one: a file with a queue discipline (or another algorithm altogether) whose last
lines are its row, and that row in `registry.py`.  The contract tests do the rest.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from secateur.engine.limits import Meter
from secateur.system.result import Result
from secateur.system.system import PropertyKind, State, System


class Queue(Protocol):
    """The states found and not yet expanded; what `pop` takes is the whole difference."""

    def push(self, state: State) -> None:
        """Add a state that was just found."""

    def pop(self) -> State:
        """Remove the state to go on with, and return it; there must be one."""

    def __len__(self) -> int: ...

    @property
    def may_stop(self) -> bool:
        """Whether a search that has found an error may stop here."""


@dataclass(frozen=True, slots=True)
class Task:
    """What is asked of a search.

    `ratio` is the share of depth-first choices in a mixed search, Algorithm 1's alpha;
    the search goes on after a violation of a kind that is not in `ends`.
    """

    system: System
    kinds: frozenset[PropertyKind] = frozenset(PropertyKind)
    ends: frozenset[PropertyKind] = frozenset(PropertyKind)
    seed: int = 0
    ratio: float = 1 / 3
    meter: Meter = field(default_factory=Meter)


@dataclass(frozen=True, slots=True)
class SearchRow:
    """A member of the family: its name on the command line, and what it can do."""

    name: str
    title: str
    search: Callable[[Task], Result]
    reference: str
    shortest: bool = False
    """Whether the trace to a violation is as short as any."""
    seeded: bool = False
    """Whether the seed makes a difference."""
    uses_ratio: bool = False
