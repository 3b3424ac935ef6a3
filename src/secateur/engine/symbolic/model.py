"""A system in which sets of states are diagrams: where it begins, and one relation for each action."""

from __future__ import annotations

from collections.abc import Sequence

from secateur.engine.symbolic.diagrams.protocol import Diagram
from secateur.engine.symbolic.relation import Relation
from secateur.engine.symbolic.variables import Variables, union


class SymbolicModel:
    """States, steps, and where the steps are not known to be all there are."""

    def __init__(
        self, variables: Variables, initial: Diagram, relations: Sequence[Relation]
    ) -> None:
        self.variables = variables
        self.diagrams = variables.diagrams
        self.initial = initial
        self.relations = tuple(relations)

    @property
    def trouble(self) -> Diagram:
        """The states in which some action is not told by its relation."""
        return union(self.diagrams, (r.trouble for r in self.relations))

    def enabled(self) -> Diagram:
        """Return the states in which some action can happen."""
        return union(self.diagrams, (r.enabled for r in self.relations))

    def image(self, states: Diagram) -> Diagram:
        """Return the states after some, by any action."""
        return union(self.diagrams, (r.image(states) for r in self.relations))

    def preimage(self, states: Diagram) -> Diagram:
        """Return the states before some, by any action."""
        return union(self.diagrams, (r.preimage(states) for r in self.relations))
