"""Walking through a system by hand."""

from __future__ import annotations

from random import Random

from secateur.app.deep import run_deep
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


class Animation:
    """A path through a system, and the ways on from its end."""

    def __init__(self, system: System, seed: int = 0) -> None:
        self._system = system
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
            self._known[depth] = run_deep(lambda _: self._compute_outgoing())
        return self._known[depth]

    def _compute_outgoing(self) -> tuple[Outgoing, ...]:
        if not self._path:
            return tuple(self._system.initial())
        return tuple(self._system.successors(self._path[-1].target))

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
