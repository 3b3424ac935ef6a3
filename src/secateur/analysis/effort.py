"""How much work an analysis may be, and how much of that is left."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from time import thread_time
from typing import Final

from secateur.source.records import dataclass


class TooMuch(Exception):
    """An answer would take more than is allowed."""


@dataclass(frozen=True, slots=True)
class Effort:
    """Limits of an analysis.

    `codes` is how many combinations of codes are gone through for one action, conjunct or
    check; no more than `quick` of them before the solver is asked.  `evaluated` is the same
    where each of them asks the reference evaluator, and `steps` is how many combinations of
    two of them are compared.  `ticks` is what the solver may spend
    on a question, in its own units, so that the same question has the same answer on every
    machine; 0 means that no solver is asked.  `seconds` is for everything together, and
    `solving` for the solver alone.
    """

    codes: int = 1 << 16
    quick: int = 1 << 12
    evaluated: int = 1 << 8
    steps: int = 1 << 18
    ticks: int = 1_000_000
    seconds: float = 25.0
    solving: float = 15.0


USUAL: Final = Effort()


@dataclass(slots=True)
class Purse:
    """What is left of the time for an analysis.

    It is the time of the processor, so that as much is found out on a busy machine.
    """

    effort: Effort
    clock: Callable[[], float] = thread_time
    spent: float = 0.0
    solving: float = 0.0
    disturbed: bool = False
    """Whether something was not looked at to its end, for the run had to end."""
    _begun: list[float] = field(default_factory=list)

    @property
    def empty(self) -> bool:
        """Whether all the time for the analysis has been spent."""
        return self.spent >= self.effort.seconds

    @property
    def unsolvable(self) -> bool:
        """Whether all the time for the solver has been spent."""
        return self.empty or self.solving >= self.effort.solving

    def __enter__(self) -> Purse:
        self._begun.append(self.clock())
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        begun = self._begun.pop()
        self.disturbed = self.disturbed or kind is not None
        if not self._begun:  # what is asked on the way is part of the whole
            self.spent += self.clock() - begun

    def refill(self) -> None:
        """Begin anew, with all of the time: for another run."""
        self.spent = self.solving = 0.0

    def check(self) -> None:
        """Raise TooMuch if the time is over; called now and then in long loops."""
        begun = self._begun[0] if self._begun else self.clock()
        if self.spent + self.clock() - begun >= self.effort.seconds:
            raise TooMuch
