"""Systems small enough to be worked out by hand, and a generator of such."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from secateur.system.system import (
    INITIALISATION,
    SETUP_CONSTANTS,
    Breach,
    Fault,
    Gap,
    PropertyKind,
    State,
    Step,
    Transition,
)

Edge = tuple[str, int]


@dataclass(frozen=True)
class Toy:
    """A graph on numbers: `edges[n]` lists (operation, target), `first` the initial states.

    `constants` maps a state of the constants (a negative number) to its initial states.
    `breached` lists, per state, the properties that fail in it.
    """

    edges: Mapping[int, Sequence[Edge]]
    first: Sequence[int] = (0,)
    constants: Mapping[int, Sequence[int]] = field(default_factory=dict)
    breached: Mapping[int, Sequence[tuple[PropertyKind, str]]] = field(default_factory=dict)
    faults: Mapping[int, Sequence[str]] = field(default_factory=dict)
    gaps: Mapping[int, Sequence[str]] = field(default_factory=dict)
    operations: Sequence[str] = ("a", "b", "c")
    name: str = "Toy"

    def initial(self) -> Iterable[Transition | Fault | Gap]:
        """Yield one SETUP_CONSTANTS per constants state, or else the INITIALISATIONs."""
        if self.constants:
            return [Transition(Step(SETUP_CONSTANTS), c) for c in self.constants]
        return [Transition(Step(INITIALISATION), n) for n in self.first]

    def successors(self, state: State) -> Iterable[Transition | Fault | Gap]:
        """Yield the edges, then the faults, then the gaps."""
        assert isinstance(state, int)
        if state in self.constants:
            return [Transition(Step(INITIALISATION), n) for n in self.constants[state]]
        return [
            *(Transition(Step(label), target) for label, target in self.edges.get(state, ())),
            *(Fault(where, "division by zero") for where in self.faults.get(state, ())),
            *(Gap(where, "x cannot be enumerated") for where in self.gaps.get(state, ())),
        ]

    def is_initialised(self, state: State) -> bool:
        """Whether this is not a constants state."""
        return state not in self.constants

    def may_end(self, state: State) -> bool:  # noqa: ARG002
        return False

    def breaches(
        self, state: State, kinds: frozenset[PropertyKind]
    ) -> Iterable[Breach | Fault | Gap]:
        """Yield what `breached` says."""
        assert isinstance(state, int)
        return [Breach(k, n) for k, n in self.breached.get(state, ()) if k in kinds]

    def values(self, state: State) -> Sequence[tuple[str, Any]]:
        """Return the number of the state and its parity."""
        assert isinstance(state, int)
        return [("n", state), ("even", state % 2 == 0)]

    def shown(self, state: State) -> Sequence[tuple[str, Any]]:
        """Return the same."""
        return self.values(state)

    def why_no_initial_state(self) -> str:
        """Say that there is none."""
        return "the toy has no initial state"


def reachable(toy: Toy) -> tuple[set[int], int]:
    """Return the reachable states and the number of transitions, straight from the definition."""
    todo = list(toy.constants or toy.first)
    states: set[int] = set()
    transitions = len(todo)
    while todo:
        state = todo.pop()
        if state in states:
            continue
        states.add(state)
        targets = [t for _, t in toy.edges.get(state, ())]
        if state in toy.constants:
            targets = list(toy.constants[state])
        transitions += len(targets)
        todo.extend(targets)
    return states, transitions


def distances(toy: Toy) -> dict[int, int]:
    """Return the number of steps from the root to each reachable state."""
    level = list(toy.constants or toy.first)
    result: dict[int, int] = {}
    depth = 0
    while level:
        depth += 1
        fresh = [s for s in dict.fromkeys(level) if s not in result]
        result.update(dict.fromkeys(fresh, depth))
        level = [
            t for s in fresh for t in (toy.constants.get(s) or [t for _, t in toy.edges.get(s, ())])
        ]
    return result


@st.composite
def toys(draw: st.DrawFn) -> Toy:
    """Draw a graph of up to a dozen states with some of everything."""
    size = draw(st.integers(1, 12))
    nodes = st.integers(0, size - 1)
    edge = st.tuples(st.sampled_from("abc"), nodes)
    edges = draw(st.dictionaries(nodes, st.lists(edge, max_size=4, unique=True), max_size=size))
    some = st.lists(nodes, min_size=1, max_size=3, unique=True)
    constants = draw(st.dictionaries(st.integers(-3, -1), some, max_size=2))
    kind = st.sampled_from([PropertyKind.INVARIANT, PropertyKind.ASSERTION, PropertyKind.GOAL])
    breach = st.tuples(kind, st.sampled_from(["p", "q"]))
    breached = draw(st.dictionaries(nodes, st.lists(breach, max_size=2, unique=True), max_size=2))
    faults = draw(st.dictionaries(nodes, st.just(["a"]), max_size=1))
    return Toy(edges, draw(some), constants, breached, faults)
