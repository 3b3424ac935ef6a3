"""A system in which sets of states are diagrams: where it begins, and one relation for each action."""

from __future__ import annotations

from collections.abc import Sequence

from secateur.engine.symbolic.diagrams.protocol import Diagram
from secateur.engine.symbolic.relation import Operation, Relation
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
        self._of_operation: dict[Operation, list[Relation]] = {}
        for relation in self.relations:
            self._of_operation.setdefault(relation.operation, []).append(relation)

    def learn(self, relation: Relation, states: Diagram) -> None:
        """Get to know the steps of an operation, one of whose actions is given, out of some states."""
        for each in self._of_operation[relation.operation]:
            each.learn(states)

    def enabled(self) -> Diagram:
        """Return the states in which some action can happen."""
        return union(self.diagrams, (r.enabled for r in self.relations))

    def troubled(self, states: Diagram) -> Diagram:
        """Return those of some states of which the relations of some operation do not tell."""
        false = self.diagrams.false
        return union(
            self.diagrams, (states & o.trouble for o in self._of_operation if o.trouble != false)
        )

    def stuck(self, states: Diagram) -> Diagram:
        """Return those of some states in which no action can happen."""
        for relation in self.relations:  # what is left is small; the sets of all states need not be
            if states == self.diagrams.false:
                break
            states = states & ~relation.enabled
        return states

    def image(self, states: Diagram) -> Diagram:
        """Return the states after some, by any action."""
        return union(self.diagrams, (r.image(states) for r in self.relations))
