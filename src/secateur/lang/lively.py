"""A refinement that must not stop where its abstraction could go on."""

from __future__ import annotations

from collections.abc import Iterator

from secateur.lang.lower import MachineSystem
from secateur.lang.refinement import Refinement
from secateur.system.system import Breach, Gap, Outgoing, PropertyKind, State, Transition


class Lively(MachineSystem):
    """All levels of a refinement; a deadlock that the level above has not is a breach."""

    def __init__(self, refinement: Refinement) -> None:
        super().__init__(refinement.model)
        self.abstraction = MachineSystem(refinement.abstraction)
        self.abstract = refinement.abstract

    def successors(self, state: State) -> Iterator[Outgoing]:
        """Yield the transitions out of `state`, or what is wrong with there being none."""
        stuck = self.is_initialised(state)
        for item in super().successors(state):
            stuck = False  # what is at fault or unknown might have led out of the state
            yield item
        if stuck:
            yield from self._deadlock(state)

    def _deadlock(self, state: State) -> Iterator[Breach | Gap]:
        self.abstraction.solutions = self.solutions  # both have the same constants
        for item in self.abstraction.successors(state):
            match item:
                case Transition(step):
                    name = f"deadlock, though {self.abstract} could do {step.operation}"
                    yield Breach(PropertyKind.REFINEMENT, name, None, step.arguments)
                    return
                case Gap():
                    yield item
