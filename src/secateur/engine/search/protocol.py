"""What a search is.

Adding one: a file with a queue discipline (or another algorithm altogether) whose last
lines are its row, and that row in `registry.py`.  The contract tests do the rest.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import Final, Protocol

from secateur.engine.heuristics.protocol import Heuristic
from secateur.engine.limits import Meter
from secateur.engine.reduce.reduction import Reduction
from secateur.source.records import dataclass
from secateur.system.result import Result
from secateur.system.system import PropertyKind, State, System

ROOT: Final = object()
"""The state before anything is set up; it is never counted."""


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


class Reopening(Protocol):
    """What lets a search expand a state again: it knows how far away states are."""

    def improves(self, state: State, succ: State) -> bool:
        """Whether `succ` is reached over `state` better than before; if so, remember it."""


@dataclass(frozen=True, slots=True)
class Task:
    """What is asked of a search.

    `ratio` is the share of depth-first choices in a mixed search, Algorithm 1's alpha;
    the search goes on after a violation of a kind that is not in `ends`.  A `reduction` is of
    this very system, and serves one run.  The `heuristic` is asked about initialised states.
    """

    system: System
    kinds: frozenset[PropertyKind] = frozenset(PropertyKind)
    ends: frozenset[PropertyKind] = frozenset(PropertyKind)
    seed: int = 0
    ratio: float = 1 / 3
    meter: Meter = field(default_factory=Meter)
    reduction: Reduction | None = None
    heuristic: Heuristic | None = None
    shares: bool = False
    """Whether to count how many states there would be without each variable."""


def estimate(task: Task) -> Heuristic:
    """Return the heuristic of a task; 0 where there is none, and where it knows nothing."""
    given, initialised = task.heuristic, task.system.is_initialised
    if given is None:
        return lambda state: 0.0
    return lambda state: given(state) if state is not ROOT and initialised(state) else 0.0


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
    stack: bool = False
    """Whether it can tell what is on its path."""
    directed: bool = False
    """Whether a heuristic makes a difference."""
    native: bool = False
    """Whether the native engine has a twin of it, under the same name."""
