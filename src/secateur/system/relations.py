"""What is known about pairs of actions: the ground that reductions stand on.

Every answer errs on the safe side: what could not be found out counts as dependent, as
able to enable, as able to violate and to repair.
"""

from __future__ import annotations

from enum import Enum
from typing import Protocol, runtime_checkable

from secateur.source.records import dataclass


class Ground(Enum):
    """How an answer was come by."""

    APART = "they share no slot"
    ENUMERATED = "all values of the slots concerned were tried"
    SOLVED = "a solver has decided it"
    SEEN = "a run shows it"
    UNDECIDED = "it could not be decided"
    COARSE = "the action is not compiled, so that only its variables are known"


@dataclass(frozen=True, slots=True)
class Answer:
    """Yes or no, with its ground.

    `slots` are the bits that both sides touch; `witness` is a state (lawful, perhaps not
    reachable) that shows why the answer is the cautious one.
    """

    yes: bool
    ground: Ground
    slots: int = 0
    witness: int | None = None
    remark: str = ""


class Relations(Protocol):
    """Relations between the actions of one system, by their numbers."""

    def dependent(self, a: int, b: int) -> Answer:
        """Whether there may be a state where both happen and the order matters.

        Not so only if from every state in which both can happen, neither can keep the other
        from happening, and both orders lead to the same states.
        """

    def enables(self, a: int, b: int, conjunct: int) -> Answer:
        """Whether `a` may make a conjunct of `b` true that was not (the last: "it has a result")."""

    def disables(self, a: int, b: int, conjunct: int) -> Answer:
        """Whether `a` may make a conjunct of `b` not true that was."""

    def excluded(self, a: int, b: int) -> Answer:
        """Whether there may be no state in which both can happen; `yes` is the useful answer."""

    def violates(self, a: int, check: int) -> Answer:
        """Whether `a` may make a property not hold that did."""

    def repairs(self, a: int, check: int) -> Answer:
        """Whether `a` may make a property hold that did not."""

    def faults(self, a: int) -> Answer:
        """Whether there may be a state in which `a` is ill-defined, or leaves its slots' codes."""

    def provokes(self, a: int, b: int) -> Answer:
        """Whether `a` may lead from a state in which `b` is not at fault to one in which it is."""

    def heals(self, a: int, b: int) -> Answer:
        """Whether `a` may lead from a state in which `b` is at fault to one in which it is not."""

    def strands(self, a: int) -> Answer:
        """Whether `a` may lead to a state in which nothing happens."""


@runtime_checkable
class Sharing(Protocol):
    """Relations that know which conjuncts are the same."""

    def first_alike(self, action: int, conjunct: int) -> tuple[int, int]:
        """Return a conjunct, as action and number, that has the same answers as this one."""
