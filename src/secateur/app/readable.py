"""Traces made shorter and untangled, as asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from secateur.engine.traces.paths import ROOT, Path, Paths
from secateur.engine.traces.shorten import shortened
from secateur.engine.traces.untangle import processes, switches, untangled
from secateur.source.records import dataclass
from secateur.system.result import Result, confirm, seen_at_end, shows
from secateur.system.trace import Trace
from secateur.system.verdict import Violated, Violation

EFFORT: Final = 20_000
"""So many states are asked for the sake of one trace."""


@dataclass(frozen=True, slots=True)
class Clarity:
    """What is to be done to traces."""

    shorten: bool = False
    untangle: bool = False

    def __bool__(self) -> bool:
        return self.shorten or self.untangle


AS_FOUND: Final = Clarity()


def readable(result: Result, clarity: Clarity) -> Result:
    """Return a result whose traces are as clear as was asked; each of them was executed again."""
    verdict = result.verdict
    if not clarity or not isinstance(verdict, Violated):
        return result
    violations = tuple(_clearer(v, clarity) for v in verdict.violations)
    return replace(result, verdict=replace(verdict, violations=violations))


def _clearer(violation: Violation, clarity: Clarity) -> Violation:
    system = violation.trace.system
    paths = Paths(system, EFFORT)

    def good(path: Path) -> bool:
        return shows(Trace(system, path), violation)

    path, remarks = clarified(violation.trace.transitions, paths, good, clarity)
    found = seen_at_end(violation, Trace(system, path))
    confirm(found)
    return replace(found, remarks=remarks)


def suffices(steps: int, before: int) -> str:
    """Return how many steps are enough."""
    if steps == before:
        return f"none of the {before} steps could be left out"
    return f"{steps} steps suffice, instead of {before}"


def clarified(
    path: Path,
    paths: Paths,
    good: Callable[[Path], bool],
    clarity: Clarity,
    start: object = ROOT,
) -> tuple[Path, tuple[str, ...]]:
    """Return a path made clearer, and what was done to it."""
    remarks: list[str] = []
    if clarity.shorten:
        short = shortened(path, paths, good, start)
        remarks.append(suffices(len(short), len(path)))
        path = short
    if clarity.untangle:
        clear = untangled(path, paths, good, start)
        process = processes([t.step for t in path])
        before, after = switches(path, process), switches(clear, process)
        remarks.append(f"untangled: {after} changes between processes instead of {before}")
        path = clear
    if paths.exhausted:
        remarks.append(f"after {EFFORT} states nothing more was tried")
    return path, tuple(remarks)
