"""What is wanted of a system beyond what enumeration asks, and of a solver."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from secateur.analysis.closing import Sketch
from secateur.analysis.questions import Question
from secateur.analysis.space import Space
from secateur.kernel.events import Event
from secateur.kernel.language import Predicate
from secateur.system.events import EventSystem, Occurring


@runtime_checkable
class Coded(Protocol):
    """A system whose actions and checks have kernel code."""

    @property
    def words(self) -> int:
        """The number of words of a state."""

    def code(self, action: int) -> Event | None:
        """Return the code of an action with no parameters left; None if there is none."""

    def check_code(self, check: int) -> Predicate | None:
        """Return the code of a property; None if there is none."""


@runtime_checkable
class Informed(Protocol):
    """A system of which its language knows which codes occur."""

    @property
    def occurring(self) -> Occurring:
        """What is proven of the states that are reached without a fault."""


class Solver(Protocol):
    """Whoever answers what enumeration leaves open."""

    def answer(self, question: Question) -> tuple[bool, int | None] | None:
        """Return whether there is a witness, and perhaps one; None if that was not found out."""

    def sketch(self, action: int, slots: frozenset[int]) -> Sketch | None:
        """Return what some slots tell of an action; None if nothing is known."""

    def restrict(self, space: Space) -> None:
        """Ask about the states of a smaller space from now on."""

    def violated(
        self, action: int, checks: frozenset[int], assumed: frozenset[int]
    ) -> tuple[frozenset[int], frozenset[int]]:
        """Return the checks that an action may violate, and what the others are proven with."""

    def rely_on(self, checks: frozenset[int]) -> None:
        """Ask about states in which some checks hold from now on."""


def uncompiled(system: EventSystem) -> frozenset[int]:
    """Return the actions that only the evaluator can perform."""
    if not isinstance(system, Coded):
        return frozenset()
    # of those alone it is not known that they have a result
    numbers = (n for n, action in enumerate(system.actions) if not action.total)
    return frozenset(n for n in numbers if system.code(n) is None)
