"""Traces in which what belongs together comes in blocks.

Two neighbouring steps change places where that leads to the same state: then neither of them
minds which comes first.  Nothing else is done, so the end of the trace stays as it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from itertools import pairwise
from typing import Final

from secateur.engine.traces.paths import ROOT, Path, Paths
from secateur.maths.values import Element
from secateur.system.system import INITIALISATION, SETUP_CONSTANTS, Step

Good = Callable[[Path], bool]

_BEGINNING: Final = frozenset({SETUP_CONSTANTS, INITIALISATION})


def untangled(path: Path, paths: Paths, good: Good, start: object = ROOT) -> Path:
    """Return a path with the same steps in an order in which it changes less between processes."""
    process = processes([t.step for t in path])
    swaps = _Swaps(paths, start, process)
    found = path
    for i in range(len(path)):
        if found[i].step.operation not in _BEGINNING:
            found = swaps.joined(found, i)
        if paths.exhausted:
            break
    fewer = switches(found, process) < switches(path, process)
    return found if fewer and good(found) else path


class _Swaps:
    """Neighbouring steps that change places."""

    def __init__(self, paths: Paths, start: object, process: Callable[[Step], Hashable]) -> None:
        self.paths = paths
        self.start = start
        self.process = process

    def joined(self, path: Path, i: int) -> Path:
        """Let step `i` come earlier, right behind the last step of its process, if it can."""
        process = self.process
        mine = process(path[i].step)
        last = next((j for j in reversed(range(i)) if process(path[j].step) == mine), None)
        if last is None or last == i - 1:
            return path
        moved = path
        for j in reversed(range(last + 1, i)):
            swapped = self._swapped(moved, j)
            if swapped is None:
                return path
            moved = swapped
        return moved

    def _swapped(self, path: Path, j: int) -> Path | None:
        """Let steps `j` and `j + 1` change places, if that leads to the same state."""
        before = path[j - 1].target if j else self.start
        way = self.paths.along(before, [path[j + 1].step, path[j].step], path[j + 1].target)
        return None if way is None else (*path[:j], *way, *path[j + 2 :])


def switches(path: Path, process: Callable[[Step], Hashable]) -> int:
    """Return how often a path goes over from one process to another."""
    names = [process(t.step) for t in path]
    return sum(a != b for a, b in pairwise(names))


def processes(steps: Sequence[Step]) -> Callable[[Step], Hashable]:
    """Return what a step belongs to: the element or number that most steps have as an argument.

    Where no argument occurs in several steps, what belongs together is the operation.
    """
    counted: Counter[str] = Counter()
    for step in steps:
        counted.update({_family(value) for _, value in step.arguments if _family(value)})
    if not counted:
        return lambda step: step.operation
    family = min(counted, key=lambda name: (-counted[name], name))

    def process(step: Step) -> Hashable:
        found: list[Hashable] = [v for _, v in step.arguments if _family(v) == family]
        return found[0] if found else step.operation

    return process


def _family(value: object) -> str:
    """Return what a value is one of, if it can name a process."""
    if isinstance(value, Element):
        return value.set_name
    return "a number" if type(value) is int else ""
