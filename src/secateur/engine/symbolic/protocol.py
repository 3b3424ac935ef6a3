"""What the symbolic engine wants to know of a system."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Protocol

from secateur.kernel.events import Event
from secateur.kernel.language import Predicate
from secateur.system.events import EventSystem
from secateur.system.packing import Misfit
from secateur.system.statistics import VariableCoverage
from secateur.system.system import State


class CodedSystem(EventSystem, Protocol):
    """A system some of whose actions and checks have kernel code."""

    @property
    def words(self) -> int:
        """The number of words of a state."""

    @property
    def scratch(self) -> int:
        """The number of words that code uses beyond those of the state."""

    def code(self, action: int) -> Event | None:
        """Return the code of an action with no parameters left; None if there is none."""

    def check_code(self, check: int) -> Predicate | None:
        """Return the code of a property; None if there is none."""

    @property
    def has_ends(self) -> bool:
        """Whether there are states in which a run may end, so that `may_end` is worth asking."""

    def end_code(self) -> Predicate | None:
        """Return the code that says where a run may end; None if there is none."""


class Machine(Protocol):
    """A machine in a layout of its states that can be changed."""

    def prepare(self) -> CodedSystem:
        """Return the machine as slots and actions, in its present layout."""

    def widen(self, misfit: Misfit) -> None:
        """Provide room for a value."""

    def pack(self, state: State) -> int:
        """Return an initialised state as an integer; raise `Misfit` if it does not fit."""

    def unpack(self, state: int) -> State:
        """Return the machine's own form of a state."""

    def coverage(
        self, codes: Callable[[int, int], list[int] | None], initial: Iterable[State]
    ) -> tuple[VariableCoverage, ...]:
        """Return what values variables take; `codes` are those over some bits, if not too many."""
