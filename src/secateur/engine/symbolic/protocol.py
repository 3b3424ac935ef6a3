"""What the symbolic engine wants to know of a system."""

from __future__ import annotations

from typing import Protocol

from secateur.kernel.events import Event
from secateur.kernel.language import Predicate
from secateur.system.events import EventSystem


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
