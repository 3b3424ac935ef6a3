"""One model, explored in full and merged by each strategy."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from secateur import load
from secateur.app.model import CheckOptions, Model
from secateur.lang.symmetry.findings import find_symmetry
from secateur.source import InputError
from secateur.system.result import Result
from tools.corpus.runner import Seen

WAYS: Final[dict[str, CheckOptions]] = {
    "canonical": {"symmetry": "canonical", "native": True},
    "flood": {"symmetry": "flood", "native": True},
    "markers": {"symmetry": "markers", "native": True},
    "canonical, stubborn": {"symmetry": "canonical", "por": "stubborn", "native": True},
    "canonical in Python": {"symmetry": "canonical", "native": False},
}
APPROXIMATE: Final = frozenset({"markers"})
FEW: Final = 3000
"""Models of more states are not merged in Python."""
KNOWN: Final = 500
"""Of no more states the native engine looks at each to see how many it stands for."""


def compare(file: Path, seconds: float, tell: Callable[[Seen], None]) -> Seen:
    """Return sizes, times and what differs; None for what was not finished."""
    try:
        model = load(file)
    except InputError:
        return {"skipped": "not loaded"}
    found = find_symmetry(model.typed)
    if not found.free:
        return {"skipped": "no symmetry"}
    seen: Seen = {"sets": [len(each.elements) for each in found.free], "ways": {}}
    full = _run(model, {"symmetry": "none", "por": "none", "native": True}, seconds)
    if full is not None:
        seen["full"] = [full.statistics.states, full.seconds]
    exact: dict[str, int] = {}
    for name, options in WAYS.items():
        if "Python" in name and (full is None or full.statistics.states > FEW):
            continue
        try:
            merged = _run(model, options, seconds)
        except InputError as refused:  # too many permutations
            seen["ways"][name] = {"refused": refused.diagnostics[0].message}
            continue
        if merged is None:
            continue
        differences = [] if full is None else _differences(full, merged, name)
        if merged.merged is not None and name not in APPROXIMATE and "stubborn" not in name:
            exact[name] = merged.statistics.states
        factor = None if merged.merged is None else merged.merged.factor
        seen["ways"][name] = {
            "states": merged.statistics.states,
            "seconds": merged.seconds,
            "factor": factor,
            "differences": differences,
        }
        tell(seen)
    if len(set(exact.values())) > 1:
        seen["ways"]["canonical"]["differences"].append(f"numbers of orbits: {exact}")
    return seen


def _run(model: Model, options: CheckOptions, seconds: float) -> Result | None:
    asked: CheckOptions = {"all": True, "max_seconds": seconds, **options}
    result = model.check(**asked)
    unfinished = any("seconds was reached" in reason for reason in result.reasons)
    return None if unfinished else result


def _differences(full: Result, merged: Result, name: str) -> list[str]:
    found: list[str] = []
    ours, theirs = _violations(full), _violations(merged)
    if name in APPROXIMATE:
        return [f"made up: {theirs - ours}"] if theirs - ours else []
    if ours != theirs:
        found.append(f"full {sorted(ours - theirs)}, merged {sorted(theirs - ours)}")
    if type(full.verdict) is not type(merged.verdict):
        found.append(f"{type(full.verdict).__name__}, merged {type(merged.verdict).__name__}")
    if merged.statistics.states > full.statistics.states:
        found.append(f"{merged.statistics.states} of {full.statistics.states} states")
    return found


def _violations(result: Result) -> set[tuple[str, str, str]]:
    return {(v.kind.value, v.name, str(v.span)) for v in result.violations}
