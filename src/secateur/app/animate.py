"""Walking through a system by hand."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Final

from secateur.app.deep import run_deep
from secateur.app.room import with_room
from secateur.system.system import (
    Breach,
    Fault,
    Gap,
    Outgoing,
    PropertyKind,
    State,
    System,
    Transition,
)
from secateur.system.trace import Trace

_NUMBER: Final = re.compile(r" \(\d+\)$")
"""What tells operations apart that would be called the same; in a larger system it may be another."""


class Animation:
    """A path through a system, and the ways on from its end.

    `larger` returns a system with more room, if the one at hand has shown to have too little.
    """

    def __init__(
        self, system: System, seed: int = 0, larger: Callable[[], System | None] = lambda: None
    ) -> None:
        self._system = system
        self._larger = larger
        self._random = Random(seed)
        self._path: list[Transition] = []
        self._known: dict[int, tuple[Outgoing, ...]] = {}

    @property
    def trace(self) -> Trace:
        """The path so far."""
        return Trace(self._system, tuple(self._path))

    @property
    def state(self) -> State | None:
        """Where we are; None at the root."""
        return self._path[-1].target if self._path else None

    def _outgoing(self) -> tuple[Outgoing, ...]:
        depth = len(self._path)
        if depth not in self._known:
            found = with_room(lambda _: self._compute_outgoing(), lambda _: self._grown())
            self._known[depth] = found
        return self._known[depth]

    def _compute_outgoing(self) -> tuple[Outgoing, ...]:
        return run_deep(lambda _: _outgoing(self._system, self._path))

    def _grown(self) -> bool:
        """Go on in a system with more room, if there must be one; say whether that is so."""
        larger = self._larger()
        if larger is None:
            return False
        self._path = run_deep(lambda _: _walked_again(self._system, self._path, larger))
        self._system, self._known = larger, {}
        return True

    def enabled(self) -> list[Transition]:
        """Return the transitions out of the present state."""
        return [item for item in self._outgoing() if isinstance(item, Transition)]

    def trouble(self) -> list[Breach | Fault | Gap]:
        """Return what is wrong with the present state, or could not be found out."""
        found: list[Breach | Fault | Gap] = [
            item for item in self._outgoing() if not isinstance(item, Transition)
        ]
        if self._path and self._system.is_initialised(self._path[-1].target):
            state = self._path[-1].target
            kinds = frozenset(PropertyKind)
            found += run_deep(lambda _: list(self._system.breaches(state, kinds)))
        return found

    def take(self, transition: Transition) -> None:
        """Go along one of the enabled transitions."""
        self._path.append(transition)

    def undo(self) -> bool:
        """Go back one step; False at the root."""
        if not self._path:
            return False
        self._known.pop(len(self._path), None)
        self._path.pop()
        return True

    def wander(self, steps: int) -> int:
        """Take up to `steps` random steps; return how many there were."""
        for taken in range(steps):
            choices = self.enabled()
            if not choices:
                return taken
            self.take(self._random.choice(choices))
        return steps


def _outgoing(system: System, path: Sequence[Transition]) -> tuple[Outgoing, ...]:
    return tuple(system.successors(path[-1].target) if path else system.initial())


def _walked_again(system: System, path: Sequence[Transition], larger: System) -> list[Transition]:
    """Return the same path in a system with more room, whose states have more in them."""
    found: list[Transition] = []
    for transition in path:
        values = dict(system.values(transition.target))
        alike = [
            item
            for item in _outgoing(larger, found)
            if isinstance(item, Transition) and _called(item) == _called(transition)
        ]
        found.append(max(alike, key=lambda item: _agreement(larger, item, values)))
    return found


def _called(transition: Transition) -> tuple[str, object]:
    return _NUMBER.sub("", transition.step.operation), transition.step.arguments


def _agreement(system: System, transition: Transition, values: Mapping[str, object]) -> int:
    """Return how many variables have the values given after a transition."""
    there = system.values(transition.target)
    return sum(name in values and values[name] == value for name, value in there)
