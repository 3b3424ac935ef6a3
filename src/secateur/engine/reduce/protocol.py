"""What a reduction is.

In a state it chooses some of the actions that can happen there; the others wait, or are
never needed.  It knows nothing of the search: whether a choice may be used now is asked of
a proviso, if it needs one.

Adding one: a file with a class whose `choices` yields sets, and whose last lines are its
row; and that row in `registry.py`.  The witness and agreement tests do the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import Enum
from typing import NamedTuple, Protocol

from secateur.engine.reduce.lookup import Lookup
from secateur.source.records import dataclass
from secateur.system.events import EventSystem, Guard


class Preserved(Enum):
    """What a reduced search still finds if, and only if, the full one does."""

    DEADLOCK = "every deadlock"
    REACH = "whether a violation of each property, and a fault of each action, can be reached"
    LTL = "the LTL formulas without next"
    SHORTEST = "the length of a shortest trace"


@dataclass(frozen=True, slots=True)
class Question:
    """What must be preserved.

    `checks` are the properties asked for, by their numbers in the system; `faults` are the
    actions that may be ill-defined somewhere: a fault is reported like a violation, so that
    it must be found like one.  `visible` are the actions that a temporal formula can see, in
    whose order they must be found; None if there is no such formula.
    """

    deadlocks: bool
    checks: tuple[int, ...] = ()
    faults: tuple[int, ...] = ()
    visible: frozenset[int] | None = None

    @property
    def reach(self) -> bool:
        """Whether states other than deadlocks must be found."""
        return bool(self.checks or self.faults) or self.visible is not None


@dataclass(frozen=True, slots=True)
class Scene:
    """All that a reduction may look at.

    With `random`, the choice among several sets is left to chance: a function of the seed
    and the state, so that it is the same each time a state is expanded.
    """

    system: EventSystem
    lookup: Lookup
    question: Question
    random: bool = False
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Here:
    """A state without faults, the guards of all actions in it, and those that happen."""

    state: int
    guards: tuple[Guard, ...]
    enabled: tuple[int, ...]


class Choice(NamedTuple):
    """Actions that suffice in a state, in their order; `reason` says why.

    With `cyclic`, they suffice only if they are not taken round and round for ever: a
    proviso must agree.
    """

    actions: tuple[int, ...]
    reason: str
    cyclic: bool


class Reducer(Protocol):
    """A reduction at work on one system."""

    def choices(self, here: Here, /) -> Iterator[Choice]:
        """Yield sets that suffice, the best first, each smaller than all that happens.

        After the last one (perhaps there is none) everything that happens is expanded.
        """


@dataclass(frozen=True, slots=True)
class ReductionRow:
    """A member of the family: its name on the command line, and what it can do."""

    name: str
    title: str
    build: Callable[[Scene], Reducer]
    reference: str
    preserves: frozenset[Preserved]
    cyclic: bool
    """Whether it needs a proviso where more than deadlocks is asked."""
    chooses: bool = False
    """Whether it honours `Scene.random`."""


def chosen(members: frozenset[int] | set[int], here: Here) -> tuple[int, ...]:
    """Return the members that happen in a state, in their order."""
    return tuple(a for a in here.enabled if a in members)
