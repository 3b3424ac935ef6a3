"""What a cycle proviso is: a set may be used now only if no action is left out for ever.

Adding one: a file whose last lines are its row, and that row in `registry.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import field
from typing import NamedTuple

from secateur.engine.reduce.protocol import Preserved
from secateur.source.records import dataclass
from secateur.system.events import EventSystem
from secateur.system.system import State


class Move(NamedTuple):
    """An action and the states that it leads to."""

    action: int
    results: tuple[int, ...]


@dataclass(slots=True)
class View:
    """What a search knows about states.

    `closed` are those that were taken for expansion, the present one included; a state that
    is found and will never be expanded must be among them, or else others would rely on it.
    `visited` are all that were found.  `stack` is the path of a true depth-first search,
    None in others.  `here` is the state that is being expanded.
    """

    visited: Container[State]
    stack: Container[State] | None = None
    closed: set[State] = field(default_factory=set)
    here: State | None = None


Proviso = Callable[[tuple[Move, ...], View], bool]
"""Whether these moves may be all that leads out of the present state."""


@dataclass(frozen=True, slots=True)
class ProvisoRow:
    """A member of the family: its name on the command line, and what it can do."""

    name: str
    title: str
    build: Callable[[EventSystem], Proviso]
    reference: str
    preserves: frozenset[Preserved]
    needs_stack: bool = False
    """Whether it asks what is on the path of a depth-first search."""
    needs_states: bool = True
    """Whether it asks which states were found."""
