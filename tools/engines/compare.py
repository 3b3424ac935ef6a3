"""One model through both engines."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from secateur import load
from secateur.app.model import CheckOptions, Model
from secateur.source import InputError
from secateur.system.result import Result
from tools.corpus.runner import Seen

_STOP_AT_FIRST: CheckOptions = {}
_COLLECT: CheckOptions = {"all": True}


def compare(file: Path, seconds: float, tell: Callable[[Seen], None]) -> Seen:
    """Return where the engines differ, and how long each took; nothing if one did not finish."""
    try:
        model = load(file)
    except InputError:
        return {"skipped": "not loaded"}
    differences: list[str] = []
    times: dict[str, float] = {}
    for what, options in (("all", _COLLECT), ("first", _STOP_AT_FIRST)):
        python = _run(model, options, seconds, native=False)
        native = _run(model, options, seconds, native=True)
        if python is None or native is None:
            late = "python" if python is None else "native"
            return {"skipped": f"{late} not finished", "differences": differences}
        times[f"python {what}"], times[f"native {what}"] = python[1], native[1]
        differences += [f"{what}: {d}" for d in _differences(python[0], native[0])]
        tell({"differences": differences})
    return {"differences": differences, "times": times}


def _run(
    model: Model, options: CheckOptions, seconds: float, *, native: bool
) -> tuple[Result, float] | None:
    started = time.monotonic()
    asked: CheckOptions = {**options, "native": native, "max_seconds": seconds}
    result = model.check(**asked)
    if any("seconds was reached" in reason for reason in result.reasons):
        return None
    return result, time.monotonic() - started


def _differences(python: Result, native: Result) -> list[str]:
    ours, theirs = _facts(python), _facts(native)
    return [
        f"{name}: python {ours[name]!r}, native {theirs[name]!r}"
        for name in ours
        if ours[name] != theirs[name]
    ]


def _facts(result: Result) -> dict[str, Any]:
    statistics = result.statistics
    return {
        "verdict": type(result.verdict).__name__,
        "exhaustive": result.exhaustive,
        "reasons": sorted(result.reasons),
        "states": statistics.states,
        "transitions": statistics.transitions,
        "operations": dict(statistics.operations),
        "waiting": statistics.waiting,
        "never enabled": statistics.never_enabled,
        "coverage": statistics.coverage,
        "violations": sorted(
            (v.kind.value, v.name, str(v.span), v.count, len(v.trace)) for v in result.violations
        ),
    }
