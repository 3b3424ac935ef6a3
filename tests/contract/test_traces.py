"""Traces replay, or crash loudly."""

from __future__ import annotations

import pytest

from secateur.system.result import confirm
from secateur.system.system import INITIALISATION, PropertyKind, Step, Transition
from secateur.system.trace import BrokenTrace, Trace
from secateur.system.verdict import Violation
from tests.contract.toy import Toy

TOY = Toy({0: [("a", 1)], 1: []}, breached={1: [(PropertyKind.INVARIANT, "p")]})
START = Transition(Step(INITIALISATION), 0)
GOOD = Trace(TOY, (START, Transition(Step("a"), 1)))


def test_a_path_replays() -> None:
    GOOD.replay()
    confirm(Violation(PropertyKind.INVARIANT, "p", GOOD))
    confirm(Violation(PropertyKind.DEADLOCK, "stuck", GOOD))


@pytest.mark.parametrize(
    "transitions",
    [
        (Transition(Step("a"), 1),),
        (START, Transition(Step("b"), 1)),
        (START, Transition(Step("a"), 0)),
    ],
)
def test_anything_else_is_our_bug(transitions: tuple[Transition, ...]) -> None:
    with pytest.raises(BrokenTrace):
        Trace(TOY, transitions).replay()


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (PropertyKind.INVARIANT, "q"),
        (PropertyKind.GOAL, "p"),
        (PropertyKind.WELL_DEFINEDNESS, "a"),
    ],
)
def test_a_violation_that_cannot_be_seen_again_is_our_bug(kind: PropertyKind, name: str) -> None:
    with pytest.raises(BrokenTrace):
        confirm(Violation(kind, name, GOOD))


def test_changes_are_only_what_changed() -> None:
    first, second = GOOD.changes()
    assert first == [("n", 0), ("even", True)]
    assert second == [("n", 1), ("even", False)]
    loop = Trace(Toy({0: [("a", 2)]}), (START, Transition(Step("a"), 2)))
    assert loop.changes()[1] == [("n", 2)]
