"""Traces without what is not needed.

Steps are left out, more of them at a time first (A. Zeller, R. Hildebrandt: *Simplifying and
Isolating Failure-Inducing Input*, 2002), and short cuts between states of the trace are searched for.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from secateur.engine.traces.paths import ROOT, Path, Paths, states_of
from secateur.system.system import Transition

LONGEST: Final = 2_000
"""Of longer paths only detours are cut out."""

Good = Callable[[Path], bool]
"""Whether a path still shows what it is to show."""


def shortened(path: Path, paths: Paths, good: Good, start: object = ROOT) -> Path:
    """Return a path from `start` that is `good`, too, and not longer; its steps were executed."""
    work = _Shortening(paths, good, start)
    found = work.without_detours(path)
    while len(found) <= LONGEST:
        shorter = work.by_short_cuts(work.by_dropping(found))
        if len(shorter) == len(found):
            return found
        found = shorter
    return found


class _Shortening:
    """Ways to make a path shorter that is to stay good."""

    def __init__(self, paths: Paths, good: Good, start: object) -> None:
        self.paths = paths
        self.good = good
        self.start = start

    def without_detours(self, path: Path) -> Path:
        """Cut out what leads from a state back to it."""
        states = states_of(path, self.start)
        last = {state: i for i, state in enumerate(states)}
        kept: list[Transition] = []
        here = last[states[0]]
        while here < len(path):
            kept.append(path[here])
            here = last[path[here].target]
        cut = tuple(kept)
        return cut if len(cut) < len(path) and self.good(cut) else path

    def by_dropping(self, path: Path) -> Path:
        """Leave out steps, and execute the others."""
        size = max(1, len(path) // 2)
        while True:
            start = len(path) - size
            while start >= 0 and not self.paths.exhausted:
                shorter = self._without(path, start, size)
                if shorter is not None and self.good(shorter):
                    path = shorter
                start -= size
            if size == 1 or self.paths.exhausted:
                return path
            size //= 2

    def _without(self, path: Path, start: int, size: int) -> Path | None:
        before = path[:start]
        here = before[-1].target if before else self.start
        rest = self.paths.along(here, [t.step for t in path[start + size :]])
        return None if rest is None else (*before, *rest)

    def by_short_cuts(self, path: Path) -> Path:
        """Look from each state for a shorter way to a later one, the farthest ahead first."""
        start = 0
        while start < len(path) - 1 and not self.paths.exhausted:
            shorter = self._short_cut(path, start)
            path = path if shorter is None else shorter
            start += 1
        return path

    def _short_cut(self, path: Path, start: int) -> Path | None:
        states = states_of(path, self.start)
        later = {state: i for i, state in enumerate(states) if i > start + 1}
        way = self.paths.nearest(states[start], later.keys(), _within(len(path) - start))
        if way is None:
            return None
        end = later[way[-1].target]
        if len(way) >= end - start:
            return None
        shorter = (*path[:start], *way, *path[end:])
        return shorter if self.good(shorter) else None


def _within(steps: int) -> int:
    """A short cut is shorter than what it replaces; far ones are not worth the search."""
    return min(steps - 1, 6)
