"""A set of reached states that grows, and the ways by which its states were reached."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field

from secateur.engine.symbolic.diagrams.protocol import Diagram
from secateur.engine.symbolic.model import SymbolicModel
from secateur.engine.symbolic.relation import Relation
from secateur.source.records import dataclass


class Enough(Exception):
    """What was looked for has been found, or there is no time for more."""


@dataclass(frozen=True, slots=True)
class Stage:
    """New states after some, by one of these actions; or by single steps that are known."""

    source: Diagram
    relations: Sequence[Relation] = ()
    single: Mapping[int, int] = field(default_factory=dict)
    """For new states, the state before."""


class Growth:
    """The states that were reached so far.  `look` gets the new ones, and may raise `Enough`."""

    def __init__(self, model: SymbolicModel, look: Callable[[Diagram], None]) -> None:
        self.model = model
        self.reached: Diagram = model.initial
        self._look = look
        self._stages: list[Stage] = []
        self._after: list[Diagram] = [model.initial]

    def grow(self, states: Diagram, stage: Stage) -> Diagram:
        """Take down states that were reached; return the new ones."""
        new = states & ~self.reached
        if new != self.model.diagrams.false:
            self.reached = self.reached | new
            self._stages.append(stage)
            self._after.append(self.reached)
            self._look(new)
        return new

    def step(self, relation: Relation, source: Diagram) -> Diagram:
        """Take down the states after some by one action; return the new ones."""
        self.model.learn(relation, source)
        return self.grow(relation.image(source), Stage(source, (relation,)))

    def way_to(self, state: int) -> list[int]:
        """Return states from an initial one to a given one that was reached, step by step."""
        way = [state]
        while (number := self._first_with(way[-1])) > 0:
            way.append(self._before(way[-1], self._stages[number - 1]))
        return way[::-1]

    def _first_with(self, state: int) -> int:
        """Return after which stage a state was there; 0 if it is initial."""
        here = self.model.variables.of_state(state)
        false = self.model.diagrams.false
        return bisect_left(self._after, True, key=lambda reached: here & reached != false)

    def _before(self, state: int, stage: Stage) -> int:
        known = stage.single.get(state)
        if known is not None:
            return known
        variables = self.model.variables
        here = variables.of_state(state)
        for relation in stage.relations:
            before = relation.preimage(here) & stage.source
            if before != self.model.diagrams.false:
                return variables.pick(before)
        raise AssertionError("a state that was reached has no state before it")
