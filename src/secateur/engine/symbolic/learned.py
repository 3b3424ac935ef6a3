"""Relations that are learned: an action is asked what it does, once for each code that it sees.

S. Blom, J. van de Pol, M. Weber: *LTSmin: distributed and symbolic reachability*, CAV 2010.  This is for
actions that have no code, or whose code is too much for a translation; what they see should be little.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from secateur.engine.symbolic.code.numbers import Untranslatable
from secateur.engine.symbolic.diagrams.protocol import Diagram
from secateur.engine.symbolic.relation import Operation, Relation
from secateur.engine.symbolic.translated import Steps
from secateur.engine.symbolic.variables import Variables
from secateur.system.events import EventSystem, disabled

MOST_LEARNED: Final = 10_000
"""Before an action is asked about more codes at once, its code is translated at any cost."""


class LearnedRelation(Relation):
    """The steps of an action out of the states that it was asked about.

    The `masks` are what it sees and what it may write, in whole slots; `otherwise` translates it at
    any cost.
    """

    def __init__(
        self,
        variables: Variables,
        system: EventSystem,
        action: int,
        masks: tuple[int, int],
        operation: Operation | None = None,
    ) -> None:
        super().__init__(variables, action, *masks, operation)
        self._system = system
        self.otherwise: Callable[[], Steps] | None = None
        self.known: Diagram = variables.diagrams.false

    def learn(self, states: Diagram) -> bool:
        """Ask the action about what it sees of some states, as far as that is new."""
        variables = self.variables
        unknown = variables.on(self.sees, states) & ~self.known
        if unknown == variables.diagrams.false:
            return False
        if variables.count_on(self.sees, unknown) > MOST_LEARNED and self._translated():
            return True
        others = variables.pick(states) & ~self.sees
        steps = trouble = variables.diagrams.false
        for code in variables.states(unknown, self.sees):
            results = self._results(others | code)
            here = variables.of_state(code, self.sees)
            if results is None:
                trouble = trouble | here
            elif results:
                steps = steps | (here & self.after([r & self.writes for r in results]))
        self.known = self.known | unknown
        self.add(steps, trouble)
        return True

    def _translated(self) -> bool:
        """Whether the action could be translated after all; then nothing is left to be asked."""
        if self.otherwise is None:
            return False
        try:
            self.add(*self.otherwise())
        except Untranslatable:
            return False
        finally:
            self.otherwise = None
        self.known = self.variables.diagrams.true
        return True

    def _results(self, state: int) -> tuple[int, ...] | None:
        """Return what the action leads to; None if that cannot be said."""
        guard = self._system.guard(self.action, state)
        if guard.holds:
            return self._system.results(self.action, state)
        return () if disabled(self._system.actions[self.action], guard) else None
