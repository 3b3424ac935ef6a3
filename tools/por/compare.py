"""One model, explored in full and reduced, for one class of properties at a time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from secateur import load
from secateur.app.model import CheckOptions, Model
from secateur.source import InputError
from secateur.system.result import Result
from tools.corpus.runner import Seen

NOTHING: Final[CheckOptions] = {
    "deadlock": False,
    "invariant": False,
    "assertions": False,
    "goal": False,
    "refinement": False,
    "variant": False,
    "native": True,
}
CLASSES: Final[dict[str, CheckOptions]] = {
    # all deadlocks are collected, so that their number can be compared
    "deadlock": {**NOTHING, "deadlock": True, "all": True},
    "invariant": {**NOTHING, "invariant": True},
}


def compare(file: Path, por: str, seconds: float, tell: Callable[[Seen], None]) -> Seen:
    """Return, for each class, both sizes and both verdicts; None for what was not finished."""
    try:
        model = load(file)
    except InputError:
        return {"skipped": "not loaded"}
    seen: Seen = {"operations": len(model.system.operations), "classes": {}}
    for name, options in CLASSES.items():
        full = _run(model, {**options, "por": "none"}, seconds)
        reduced = _run(model, {**options, "por": por}, seconds)
        if full is not None and reduced is not None:
            seen["classes"][name] = {
                "full": full.statistics.states,
                "reduced": reduced.statistics.states,
                "transitions": [full.statistics.transitions, reduced.statistics.transitions],
                "violated": bool(full.violations),
                "differences": _differences(name, full, reduced),
                "analysis": sum(r.seconds for r in reduced.reductions),
                "seconds": [full.seconds, reduced.seconds],
            }
        tell(seen)
    return seen


def _run(model: Model, options: CheckOptions, seconds: float) -> Result | None:
    asked: CheckOptions = {**options, "max_seconds": seconds}
    result = model.check(**asked)
    unfinished = any("seconds was reached" in reason for reason in result.reasons)
    return None if unfinished else result


def _differences(name: str, full: Result, reduced: Result) -> list[str]:
    found: list[str] = []
    if type(full.verdict) is not type(reduced.verdict):
        found.append(f"{type(full.verdict).__name__}, reduced {type(reduced.verdict).__name__}")
    if name == "deadlock":
        ours, theirs = _counts(full), _counts(reduced)
        if ours != theirs:
            found.append(f"{ours}, reduced {theirs}")
    return found


def _counts(result: Result) -> dict[str, int]:
    """Return in how many states there is a deadlock."""
    return {v.name: v.count for v in result.violations if v.kind.value == "deadlock"}
