"""Paths of a system that are tried out: each step of what is returned was executed."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Sequence
from typing import Final

from secateur.system.system import State, Step, System, Transition

ROOT: Final = object()
"""Where every trace begins."""

Path = tuple[Transition, ...]

_BRANCHES: Final = 200
"""So many ways to execute steps that have several outcomes are tried."""


class Paths:
    """The transitions of a system, each state asked once; `effort` states may be asked in all."""

    def __init__(self, system: System, effort: int) -> None:
        self.system = system
        self.effort = effort
        self._outgoing: dict[object, tuple[Transition, ...]] = {}

    @property
    def exhausted(self) -> bool:
        """Whether no more states may be asked."""
        return len(self._outgoing) >= self.effort

    def outgoing(self, state: object) -> tuple[Transition, ...]:
        """Return the transitions out of a state, or out of the root."""
        found = self._outgoing.get(state)
        if found is None:
            items = self.system.initial() if state is ROOT else self.system.successors(state)
            found = tuple(item for item in items if isinstance(item, Transition))
            self._outgoing[state] = found
        return found

    def along(self, state: object, steps: Sequence[Step], end: State | None = None) -> Path | None:
        """Return a path from `state` with exactly these steps, to `end` if that is given."""
        todo: list[tuple[object, Path]] = [(state, ())]
        for _ in range(_BRANCHES + len(steps)):
            if not todo:
                break
            here, path = todo.pop()
            if len(path) == len(steps):
                if end is None or here == end:
                    return path
                continue
            ways = [t for t in self.outgoing(here) if t.step == steps[len(path)]]
            todo += [(t.target, (*path, t)) for t in reversed(ways)]
        return None

    def nearest(self, state: object, targets: Collection[State], within: int) -> Path | None:
        """Return a shortest path to one of `targets` of at most `within` steps, None if none is found."""
        seen: set[object] = {state}
        level: deque[tuple[object, Path]] = deque([(state, ())])
        while level and not self.exhausted:
            here, path = level.popleft()
            if len(path) >= within:
                return None
            for each in self.outgoing(here):
                if each.target in targets:
                    return (*path, each)
                if each.target not in seen:
                    seen.add(each.target)
                    level.append((each.target, (*path, each)))
        return None


def states_of(path: Iterable[Transition], start: object = ROOT) -> list[object]:
    """Return the states that a path goes through, its start included."""
    return [start, *(t.target for t in path)]
