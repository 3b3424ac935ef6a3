"""The steps of one action as a diagram over the slots that it touches.

J. R. Burch, E. M. Clarke, D. E. Long: *Symbolic model checking with partitioned transition relations*,
1991: one relation for each action, over what it looks at (now) and what it may write (next); everything
else stays as it is without being mentioned.
"""

from __future__ import annotations

from collections.abc import Sequence

from secateur.engine.symbolic.diagrams.protocol import Diagram, Diagrams
from secateur.engine.symbolic.variables import Variables, places


class Operation:
    """What the actions of one operation have in common: where the evaluator has to be asked.

    There it tells of all their steps, so that none of them counts by itself.
    """

    def __init__(self, diagrams: Diagrams) -> None:
        self.trouble: Diagram = diagrams.false


class Relation:
    """The steps of an action, of which more may become known."""

    def __init__(
        self,
        variables: Variables,
        action: int,
        sees: int,
        writes: int,
        operation: Operation | None = None,
    ) -> None:
        self.variables = variables
        self.operation = operation or Operation(variables.diagrams)
        self.action = action
        self.sees = sees
        self.writes = writes
        diagrams = variables.diagrams
        self.steps = diagrams.false
        self.enabled = diagrams.false
        written = list(places(writes))
        now = [variables.now(bit) for bit in written]
        following = [variables.next(bit) for bit in written]
        self._now = diagrams.variables(now)
        self._next = diagrams.variables(following)
        self._forward = diagrams.renaming(dict(zip(following, now, strict=True)))
        self._backward = diagrams.renaming(dict(zip(now, following, strict=True)))

    @property
    def top(self) -> int:
        """The first variable that matters."""
        touched = [*self.variables.of(self.sees | self.writes)]
        return min(touched, default=self.variables.diagrams.count_of_variables)

    @property
    def trouble(self) -> Diagram:
        """The states of which the steps do not tell what the action does there."""
        return self.operation.trouble

    def _told(self, states: Diagram) -> Diagram:
        """Return the states of which the steps do tell."""
        trouble = self.operation.trouble
        return states if trouble == self.variables.diagrams.false else states & ~trouble

    def add(self, steps: Diagram, trouble: Diagram) -> None:
        """Learn more steps, and more states of which they do not tell."""
        self.steps = self.steps | steps
        self.enabled = self.enabled | self.variables.diagrams.some(steps, self._next)
        if trouble != self.variables.diagrams.false:
            self.operation.trouble = self.operation.trouble | trouble

    def after(self, codes: Sequence[int]) -> Diagram:
        """Return that what is written is one of some codes next."""
        return self.variables.diagrams.renamed(
            self.variables.of_states(codes, self.writes), self._backward
        )

    def learn(self, states: Diagram) -> bool:  # noqa: ARG002
        """Get to know the steps out of some states; return whether there are new ones."""
        return False

    def image(self, states: Diagram) -> Diagram:
        """Return the states after some."""
        diagrams = self.variables.diagrams
        found = diagrams.some_of_both(self._told(states), self.steps, self._now)
        return found if found == diagrams.false else diagrams.renamed(found, self._forward)

    def preimage(self, states: Diagram) -> Diagram:
        """Return the states before some."""
        diagrams = self.variables.diagrams
        after = diagrams.renamed(states, self._backward)
        return self._told(diagrams.some_of_both(after, self.steps, self._next))

    def count(self, states: Diagram) -> int:
        """Return how many steps there are out of some states: different targets count apart."""
        variables = self.variables
        free = 2 * len(variables.extra) + len(variables.order) - self.writes.bit_count()
        return variables.diagrams.count(self._told(states) & self.steps) >> free
