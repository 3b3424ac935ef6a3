"""What leads out of a state: everything, or what a reduction chooses."""

from __future__ import annotations

from secateur.engine.provisos.protocol import View
from secateur.engine.reduce.reduction import Expansion
from secateur.engine.search.protocol import ROOT, Task
from secateur.system.system import State


class Expander:
    """Expands states; `view` is what the search lets a proviso know."""

    def __init__(self, task: Task, view: View) -> None:
        self._task = task
        self.view = view

    def expand(self, state: State) -> Expansion:
        """Return what leads out of `state`; only initialised states are reduced."""
        system, reduction = self._task.system, self._task.reduction
        if state is ROOT:
            return Expansion(system.initial())
        if reduction is None or not system.is_initialised(state):
            return Expansion(system.successors(state))
        assert isinstance(state, int)
        return reduction.expand(state, self.view)

    def reopen(self, state: State) -> None:
        """Forget that a state was expanded, for it will be once more."""
        self.view.closed.discard(state)
