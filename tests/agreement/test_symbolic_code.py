"""Code that is executed on several states at once does to each what `kernel/evaluate.py` says."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from secateur.engine.symbolic.code.execute import Execution
from secateur.engine.symbolic.code.numbers import Untranslatable
from secateur.engine.symbolic.diagrams.protocol import Diagram, Diagrams, DiagramsRow
from secateur.engine.symbolic.diagrams.registry import installed
from secateur.kernel.evaluate import Trapped, Words, holds, successors
from secateur.kernel.language import Action, Predicate, Program
from secateur.kernel.places import join_words
from tests.unit.kernel.programs import programs

VARIABLES = 2


class Several:
    """As many states as some variables have values."""

    def __init__(self, diagrams: Diagrams, states: list[Words]) -> None:
        self.diagrams = diagrams
        self.states = [join_words(words) for words in states]
        self.where = [self._chosen(i) for i in range(len(states))]

    def _chosen(self, number: int) -> Diagram:
        found = self.diagrams.true
        for i in range(VARIABLES):
            variable = self.diagrams.variable(i)
            found = found & (variable if number >> i & 1 else ~variable)
        return found

    def bit(self, bit: int) -> Diagram:
        """Return in which of them a bit is set."""
        found = self.diagrams.false
        for state, where in zip(self.states, self.where, strict=True):
            if state >> bit & 1:
                found = found | where
        return found

    def of(self, truth: Diagram) -> list[bool]:
        """Return for each of them whether something is true."""
        return [truth & where != self.diagrams.false for where in self.where]


def _expected(program: Program, action: Action, words: Words) -> list[int] | None:
    unlabelled = replace(action, label_types=())  # events have no labels
    try:
        return [join_words(state) for state, _ in successors(program, unlabelled, words)]
    except Trapped:
        return None


def _truth(program: Program, predicate: Predicate, words: Words) -> bool | None:
    try:
        return holds(program, predicate, words)
    except Trapped:
        return None


def _found(several: Several, program: Program, action: Action) -> list[list[int] | None]:
    sizes = program.words, program.scratch
    execution = Execution(several.diagrams, several.bit, sizes, several.diagrams.true)
    execution.run(action.body)
    results: list[list[int]] = [[] for _ in several.states]
    for emitted in execution.emitted:
        bits = {bit: several.of(value) for bit, value in emitted.bits.items()}
        for i, when in enumerate(several.of(emitted.when)):
            if when:
                state = sum(1 << b for b, values in bits.items() if values[i])
                results[i].append(state & ((1 << 64 * program.words) - 1))
    trapped = several.of(execution.trapped)
    return [None if bad else found for bad, found in zip(trapped, results, strict=True)]


@pytest.mark.parametrize("row", installed(), ids=lambda row: row.name)
@pytest.mark.parametrize("seed", range(30))
def test_all_states_at_once(row: DiagramsRow, seed: int) -> None:
    rng = Random(seed)
    program, layout = programs(rng)
    states = [layout.state(rng) for _ in range(1 << VARIABLES)]
    several = Several(row.make(VARIABLES, 1 << 16), states)
    for action in program.actions:
        try:
            found = _found(several, program, action)
        except Untranslatable:
            continue
        assert found == [_expected(program, action, words) for words in states]
    for predicate in program.predicates:
        sizes = program.words, program.scratch
        execution = Execution(several.diagrams, several.bit, sizes, several.diagrams.true)
        try:
            truth = several.of(execution.run(predicate.body, predicate.result))
        except Untranslatable:
            continue
        trapped = several.of(execution.trapped)
        values = [None if bad else value for bad, value in zip(trapped, truth, strict=True)]
        assert values == [_truth(program, predicate, words) for words in states]
