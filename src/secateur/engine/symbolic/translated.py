"""Relations and conditions that are translated from kernel code, once and for all states."""

from __future__ import annotations

from typing import NamedTuple

from secateur.engine.symbolic.code.execute import Emitted, Execution
from secateur.engine.symbolic.diagrams.protocol import Diagram
from secateur.engine.symbolic.variables import Variables, places
from secateur.kernel.events import Event
from secateur.kernel.language import Predicate


class Condition(NamedTuple):
    """Where something holds, and where it has no value."""

    holds: Diagram
    undefined: Diagram


class Steps(NamedTuple):
    """The steps of an action, and where they do not tell what it does."""

    steps: Diagram
    trouble: Diagram


class Translator:
    """Translates code; raises `Untranslatable` for what is too much."""

    def __init__(self, variables: Variables, words: tuple[int, int]) -> None:
        self.variables = variables
        self.diagrams = variables.diagrams
        self._words = words
        """The words of a state, and those that code uses beyond."""

    def condition(self, predicate: Predicate, most_nodes: int) -> Condition:
        """Return where a predicate holds."""
        execution = self._execution(self.diagrams.true, most_nodes)
        holds = execution.run(predicate.body, predicate.result)
        return Condition(holds & ~execution.trapped, execution.trapped)

    def steps(self, event: Event, ordered: int, writes: int, most_nodes: int) -> Steps:
        """Return the steps of an event, whose first conjuncts are evaluated in order."""
        happens, trouble = self._guarded(event, ordered, most_nodes)
        steps = self.diagrams.false
        if happens != self.diagrams.false:
            execution = self._execution(happens, most_nodes)
            execution.run(event.body)
            trouble = trouble | execution.trapped
            for emitted in execution.emitted:
                steps = steps | self._steps(emitted, writes)
            steps = steps & ~execution.trapped
        return Steps(steps, trouble)

    def _execution(self, start: Diagram, most_nodes: int) -> Execution:
        variables = self.variables

        def state(bit: int) -> Diagram:
            if variables.everything >> bit & 1:
                return self.diagrams.variable(variables.now(bit))
            return self.diagrams.false

        return Execution(self.diagrams, state, self._words, start, most_nodes)

    def _guarded(self, event: Event, ordered: int, most_nodes: int) -> tuple[Diagram, Diagram]:
        """Return where all conjuncts hold, and where it cannot be said whether they do.

        Of the ordered ones, the first that does not hold decides; where one of the others is
        false, it does not matter that another has no value.
        """
        false = self.diagrams.false
        happens, trouble = self.diagrams.true, false
        for predicate in event.guard[:ordered]:
            found = self.condition(predicate, most_nodes)
            trouble = trouble | (happens & found.undefined)
            happens = happens & found.holds
        undefined = refused = false
        reached = happens
        for predicate in event.guard[ordered:]:
            found = self.condition(predicate, most_nodes)
            undefined = undefined | found.undefined
            refused = refused | ~(found.holds | found.undefined)
            happens = happens & found.holds
        return happens, trouble | (reached & undefined & ~refused)

    def _steps(self, emitted: Emitted, writes: int) -> Diagram:
        """Return that each bit that may be written becomes what was emitted, from the last one up."""
        variables = self.variables
        found = self.diagrams.true
        for bit in sorted(places(writes), key=variables.now, reverse=True):
            following = self.diagrams.variable(variables.next(bit))
            found = ~self.diagrams.differ(following, emitted.bits[bit]) & found
        return found & emitted.when
