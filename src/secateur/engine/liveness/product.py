"""The product of a system and the tableau of a formula: paths that satisfy the formula."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from secateur.engine.liveness.graph import Graph
from secateur.ltl.automaton import Automaton
from secateur.ltl.tableau import Tableau
from secateur.source.records import dataclass
from secateur.system.system import State, Step, Transition

Letters = Callable[[State, Transition | None], int]
"""Which atoms hold in a state from which a transition is taken, or none."""

Occurs = Callable[[Step], bool]
"""Whether a step is the event that someone is fair to."""


@dataclass(frozen=True, slots=True)
class Fairness:
    """What is assumed of infinite paths: weakly and strongly fair events."""

    weak: Sequence[Occurs] = ()
    strong: Sequence[Occurs] = ()


class Node(NamedTuple):
    """A state with what was promised for it, and what is remembered in it."""

    state: State
    promise: int
    memory: int


class Edge(NamedTuple):
    """A step of the product.

    `marks` has a bit for each U that waits no more, and one for each weakly fair event that is
    not enabled or happens; `taken` has a bit for each strongly fair event that happens, and
    `enabled` one for each that could.
    """

    transition: Transition
    target: Node
    marks: int
    taken: int
    enabled: int


class Product:
    """Nodes are found when they are asked for; each is expanded once."""

    def __init__(
        self, graph: Graph, tableau: Tableau | Automaton, letters: Letters, fairness: Fairness
    ) -> None:
        self.graph = graph
        self.tableau = tableau
        self.letters = letters
        self.fairness = fairness
        self._edges: dict[Node, tuple[Edge, ...]] = {}

    @property
    def all_marks(self) -> int:
        """The marks that must come again and again."""
        return (1 << len(self.tableau.untils) + len(self.fairness.weak)) - 1

    @property
    def nodes(self) -> int:
        """How many nodes were expanded."""
        return len(self._edges)

    def initial(self) -> list[Node]:
        """Return where paths that satisfy the formula begin."""
        return [Node(state, self.tableau.start, 0) for state in self.graph.initial()]

    def edges(self, node: Node) -> tuple[Edge, ...]:
        """Return the steps out of a node."""
        found = self._edges.get(node)
        if found is None:
            found = self._edges[node] = tuple(self._steps(node))
        return found

    def known(self, node: Node) -> tuple[Edge, ...]:
        """Return the steps out of a node, none if it was not expanded."""
        return self._edges.get(node, ())

    def successors(self, node: Node) -> Iterator[Node]:
        """Return the nodes after one."""
        return (edge.target for edge in self.edges(node))

    def ends(self, node: Node) -> bool:
        """Whether the path may end here, in a deadlock."""
        if self.graph.edges(node.state) or node.state in self.graph.doubtful:
            return False
        letter = self.letters(node.state, None)
        if node.state in self.graph.doubtful:  # since an atom was looked at
            return False
        return self.tableau.ends(letter, node.promise, node.memory)

    def done(self, node: Node) -> bool:
        """Whether every way on satisfies the formula."""
        assumed = self.fairness.weak or self.fairness.strong
        return not assumed and self.tableau.done(node.promise)

    def _steps(self, node: Node) -> Iterator[Edge]:
        transitions = self.graph.edges(node.state)
        everything = self.graph.outgoing(node.state)
        enabled = _enabled(self.fairness.strong, everything)
        idle = ~_enabled(self.fairness.weak, everything)
        shift = len(self.tableau.untils)
        weak = (1 << len(self.fairness.weak)) - 1
        for transition in transitions:
            fair = (idle | _enabled(self.fairness.weak, (transition,))) & weak
            taken = _enabled(self.fairness.strong, (transition,))
            letter = self.letters(node.state, transition)
            for position in self.tableau.positions(letter, node.promise, node.memory):
                target = Node(transition.target, position.promise, position.memory)
                yield Edge(transition, target, position.kept | fair << shift, taken, enabled)


def _enabled(events: Sequence[Occurs], transitions: Sequence[Transition]) -> int:
    """Return a bit for each event that is one of some transitions."""
    return sum(
        1 << i for i, occurs in enumerate(events) if any(occurs(t.step) for t in transitions)
    )
