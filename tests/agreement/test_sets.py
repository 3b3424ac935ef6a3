"""Every set that a reduction chooses, against its definition, in every state of random systems."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from secateur.engine.reduce.lookup import Lookup
from secateur.engine.reduce.protocol import Choice, Question, ReductionRow, Scene
from secateur.engine.reduce.reduction import Reduction, question_about
from secateur.engine.reduce.registry import REDUCTIONS
from secateur.system.events import disabled
from tests.agreement.exact_relations import ExactRelations
from tests.agreement.random_systems import RandomSystem, random_system
from tests.witnesses.judge import BOTH, DEADLOCK, INVARIANT

SYSTEMS = 40


def happens(system: RandomSystem, action: int, state: int) -> tuple[int, ...]:
    """Return the results of an action, none if it does not happen or cannot be told."""
    return system.outcomes[action][state] or ()


def conflict(system: RandomSystem, a: int, b: int, state: int) -> bool:
    """Whether the order of two actions matters in a state, from the definition."""
    of_a, of_b = happens(system, a, state), happens(system, b, state)
    if any(not happens(system, b, r) for r in of_a) or any(not happens(system, a, r) for r in of_b):
        return True
    ab = {t for r in of_a for t in happens(system, b, r)}
    ba = {t for r in of_b for t in happens(system, a, r)}
    return ab != ba


def without(system: RandomSystem, members: tuple[int, ...], start: int) -> Iterator[int]:
    """Yield the states that others than `members` lead to."""
    todo, seen = [start], {start}
    while todo:
        state = todo.pop()
        yield state
        for a in range(len(system.actions)):
            for r in happens(system, a, state) if a not in members else ():
                if r not in seen:
                    seen.add(r)
                    todo.append(r)


def is_persistent(system: RandomSystem, members: tuple[int, ...], start: int) -> bool:
    """Whether nothing that others can do depends on `members`, which go on to happen."""
    others = [b for b in range(len(system.actions)) if b not in members]
    for state in without(system, members, start):
        if not all(happens(system, a, state) for a in members):
            return False
        for b in others:
            if happens(system, b, state) and any(conflict(system, a, b, state) for a in members):
                return False
    return True


def wrong(system: RandomSystem, question: Question, state: int) -> set[str]:
    """Return what is wrong in a state."""
    found = {f"check {k}" for k in question.checks if system.truths[k][state] is not True}
    for a in question.faults:
        guard = system.guards[a][state]
        told = guard.holds and system.outcomes[a][state] is not None
        if not told and not disabled(system.actions[a], guard):
            found.add(f"fault {a}")
    return found


def is_stuck(system: RandomSystem, state: int) -> bool:
    """Whether nothing happens in a state, and nothing is at fault there."""
    return all(
        disabled(action, system.guards[a][state]) or system.outcomes[a][state] == ()
        for a, action in enumerate(system.actions)
    )


def sound(system: RandomSystem, question: Question, choice: Choice, start: int) -> bool:
    """Whether a set suffices, from the definitions."""
    if not is_persistent(system, choice.actions, start):
        return False
    if question.deadlocks and any(
        is_stuck(system, s) for s in without(system, choice.actions, start)
    ):
        return False  # a deadlock can be reached without a member
    now = wrong(system, question, start)
    if not choice.cyclic:
        reached = (wrong(system, question, s) for s in without(system, choice.actions, start))
        return all(found <= now for found in reached)
    return all(
        wrong(system, question, s) <= wrong(system, question, r)
        for s in without(system, choice.actions, start)
        for a in choice.actions
        for r in happens(system, a, s)
    )


@pytest.mark.parametrize("row", REDUCTIONS, ids=lambda row: row.name)
def test_every_set_is_what_its_theorem_needs(row: ReductionRow) -> None:
    chosen = 0
    for seed in range(SYSTEMS):
        system = random_system(seed)
        lookup = Lookup(system, ExactRelations(system))
        for kinds in (DEADLOCK, INVARIANT, BOTH):
            question = question_about(system, lookup, kinds)
            scene = Scene(system, lookup, question)
            reduction = Reduction(scene, row.build(scene), None)
            for state in system.states:
                here = reduction.look(state)
                if here is None:
                    continue
                for choice in reduction.reducer.choices(here):
                    assert set(choice.actions) < set(here.enabled)
                    assert sound(system, question, choice, state), (seed, state, choice)
                    chosen += 1
    assert bool(chosen) == (row.name != "none")
