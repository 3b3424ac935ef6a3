"""The states of a system and the transitions between them, as data for pictures and exports."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any, Protocol

from secateur.source.records import dataclass
from secateur.system.engine import PYTHON, Engine
from secateur.system.system import Breach, Fault, State, Step


@dataclass(frozen=True, slots=True)
class Column:
    """The value that one name has in each state: `values[codes[i]]` in state i.

    A state that is not initialised has no values of variables: their code is -1.
    """

    codes: Sequence[int]
    values: Sequence[Any]


class Columns(Protocol):
    """The values of constants and variables, name by name."""

    @property
    def names(self) -> Sequence[str]:
        """The constants and variables, in the order declared."""

    def column(self, name: str) -> Column:
        """Return the values of one of them."""


@dataclass(frozen=True, slots=True)
class StateGraph:
    """States by number, nearest first, and the transitions between them.

    A transition is three numbers: `sources[k]`, `labels[k]` (its step among `steps`) and
    `targets[k]`.  `beginnings` are those out of the root, each a label and a state.  It is
    complete unless there are `reasons`; states in `unexpanded` may have more transitions.
    """

    name: str
    states: Sequence[State]
    columns: Columns
    steps: Sequence[Step]
    beginnings: Sequence[tuple[int, int]]
    sources: Sequence[int]
    labels: Sequence[int]
    targets: Sequence[int]
    uninitialised: frozenset[int] = frozenset()
    """States in which the constants are set up, and nothing else."""
    violations: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    """What is wrong with a state, or on the way out of it."""
    goals: frozenset[int] = frozenset()
    unexpanded: frozenset[int] = frozenset()
    reasons: tuple[str, ...] = ()
    arguments: bool = True
    """Whether steps have their arguments and results; if not, they are operations alone."""
    engine: Engine = PYTHON
    may_end: Callable[[State], bool] = field(default=lambda _: False, compare=False, repr=False)
    """Whether a run may end in a state, which is no deadlock then."""

    @property
    def transitions(self) -> int:
        """How many transitions there are, as a check counts them."""
        return len(self.sources) + len(self.beginnings)

    @property
    def initial(self) -> list[int]:
        """The states that the root leads to, each once, ascending."""
        return sorted({state for _, state in self.beginnings})

    def deadlocks(self) -> frozenset[int]:
        """Return the initialised states out of which no transition leads, and no run may end there."""
        busy = {*self.sources, *self.uninitialised, *self.unexpanded}
        stuck = (i for i in range(len(self.states)) if i not in busy)
        return frozenset(i for i in stuck if not self.may_end(self.states[i]))

    def distances(self) -> list[int]:
        """Return the least number of steps to each state from those that the root leads to."""
        following: list[list[int]] = [[] for _ in self.states]
        for source, target in zip(self.sources, self.targets, strict=True):
            following[source].append(target)
        found = [-1] * len(self.states)
        level = self.initial
        distance = 0
        while level:
            for state in level:
                found[state] = distance
            distance += 1
            level = _fresh(following, level, found)
        return found

    def way_to(self, wanted: Iterable[int]) -> list[int] | None:
        """Return the numbers of the transitions on a shortest way to one of these states.

        It begins in a state that the root leads to; None if there is no such way.
        """
        ends = frozenset(wanted)
        outgoing: dict[int, list[int]] = {}
        for number, source in enumerate(self.sources):
            outgoing.setdefault(source, []).append(number)
        came: dict[int, int | None] = dict.fromkeys(self.initial)
        for state in (queue := list(came)):
            if state in ends:
                return _back(self.sources, came, state)
            for number in outgoing.get(state, ()):
                if self.targets[number] not in came:
                    came[self.targets[number]] = number
                    queue.append(self.targets[number])
        return None


def said_of(item: Breach | Fault) -> str:
    """Return a line that says what is wrong with a state, or on the way out of it."""
    if isinstance(item, Breach):
        return item.name
    return f"{item.where} is ill-defined: {item.message}"


def _fresh(following: list[list[int]], level: list[int], found: list[int]) -> list[int]:
    return list(dict.fromkeys(t for s in level for t in following[s] if found[t] < 0))


def _back(sources: Sequence[int], came: dict[int, int | None], state: int) -> list[int]:
    way: list[int] = []
    while (number := came[state]) is not None:
        way.append(number)
        state = sources[number]
    return way[::-1]
