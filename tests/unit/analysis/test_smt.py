"""Formulas of kernel code against what the code means, on random programs and states."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from secateur.kernel.evaluate import Trapped, holds, successors
from secateur.kernel.language import WORD, Program
from secateur.kernel.places import join_words
from tests.effort import fewer
from tests.unit.kernel.programs import Layout, programs, where

z3 = pytest.importorskip("z3")

from secateur.analysis.smt.execute import Execution  # noqa: E402
from secateur.analysis.smt.memory import Memory  # noqa: E402
from secateur.analysis.smt.values import Untranslatable  # noqa: E402


class State:
    """A state of variables, and what they stand for."""

    def __init__(self, layout: Layout, words: tuple[int, ...], rng: Random) -> None:
        self.memory = Memory()
        self.values: list[tuple[Any, Any]] = []
        whole = join_words(words)
        places = [(n * WORD, WORD) for n in range(layout.words)]
        if rng.random() < 0.8:  # as slots have it
            for f in layout.fields:
                places += [
                    (word * WORD + shift, f.width)
                    for word, shift in (where(f, i) for i in range(f.count))
                ]
            for region in layout.regions:
                at = region.word * WORD + region.shift
                places += [(at + i, 1) for i in range(region.width) if rng.random() < 0.5]
        for at, width in places:
            self.memory.store(at, width, z3.BitVec(f"s{at}+{width}", width))
            bits = whole >> at & ((1 << width) - 1)
            self.values.append((z3.BitVec(f"s{at}+{width}", width), z3.BitVecVal(bits, width)))

    def truth(self, formula: Any) -> bool:
        if isinstance(formula, bool):
            return formula
        found = z3.simplify(z3.substitute(formula, *self.values))
        assert z3.is_true(found) or z3.is_false(found), found
        return bool(z3.is_true(found))

    def bits(self, memory: Memory, words: int) -> int:
        found = memory.load(0, words * WORD)
        if isinstance(found, int):
            return found
        return int(z3.simplify(z3.substitute(found, *self.values)).as_long())


def compare(program: Program, layout: Layout, rng: Random) -> int:
    """Compare all parts of a program in a state, and return how many could be translated."""
    words = layout.state(rng)
    translated = 0
    for labelled in program.actions:
        action = replace(labelled, distinct=True)  # labels are not translated
        state = State(layout, words, rng)
        execution = Execution(program.words, program.scratch, state.memory)
        try:
            execution.run(action.body)
        except Untranslatable:
            continue
        translated += 1
        try:
            expected = [join_words(s) for s, _ in successors(program, action, words)]
        except Trapped:
            assert state.truth(execution.traps)
            continue
        assert not state.truth(execution.traps)
        assert all(state.truth(f) for f in execution.facts.values())
        found = [
            state.bits(e.state, program.words) for e in execution.emitted if state.truth(e.when)
        ]
        assert found == expected
    for predicate in program.predicates:
        state = State(layout, words, rng)
        execution = Execution(program.words, program.scratch, state.memory)
        try:
            value = execution.run(predicate.body, predicate.result)
        except Untranslatable:
            continue
        translated += 1
        try:
            expected_value = holds(program, predicate, words)
        except Trapped:
            assert state.truth(execution.traps)
            continue
        assert not state.truth(execution.traps)
        assert state.truth(value) == expected_value
    return translated


@fewer(2)
@given(st.integers(0, 2**32))
def test_formulas_mean_what_the_code_means(seed: int) -> None:
    rng = Random(seed)
    program, layout = programs(rng)
    compare(program, layout, rng)


def test_most_code_can_be_translated() -> None:
    rng = Random(7)
    parts = translated = 0
    for _ in range(6):
        program, layout = programs(rng)
        parts += len(program.actions) + len(program.predicates)
        translated += compare(program, layout, rng)
    assert translated * 2 > parts
