"""One model, explored state by state and as sets."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from secateur import load
from secateur.app.model import CheckOptions, Model
from secateur.source import InputError
from secateur.system.result import Result
from tools.corpus.runner import Seen


def compare(
    file: Path, seconds: float, images: Sequence[str], tell: Callable[[Seen], None]
) -> Seen:
    """Return where the engines differ, and how long each took; what was not finished is not compared."""
    try:
        model = load(file)
    except InputError:
        return {"skipped": "not loaded"}
    full = _run(model, {"all": True, "por": "none", "symmetry": "none"}, seconds)
    if full is None:
        return {"skipped": "explicit not finished"}
    expected = facts(full[0])
    seen: Seen = {
        "differences": [],
        "states": full[0].statistics.states,
        "times": {"explicit": full[1]},
        "unfinished": [],
    }
    for image in images:
        found = _run(model, {"all": True, "engine": "symbolic", "image": image}, seconds)
        if found is None:
            seen["unfinished"].append(image)
            continue
        result, seen["times"][image] = found
        seen["engine"] = result.engine.remark
        for name, ours in facts(result).items():
            if ours != expected[name]:
                message = f"{image}, {name}: explicit {expected[name]!r}, symbolic {ours!r}"
                seen["differences"].append(message)
        first = _run(model, {"engine": "symbolic", "image": image}, seconds)
        if first is not None and bool(first[0].violations) != bool(full[0].violations):
            seen["differences"].append(f"{image}: stopping at the first error makes a difference")
        tell(seen)
    return seen


def _run(model: Model, options: CheckOptions, seconds: float) -> tuple[Result, float] | None:
    started = time.monotonic()
    asked: CheckOptions = {**options, "max_seconds": seconds}
    result = model.check(**asked)
    if any("seconds was reached" in reason for reason in result.reasons):
        return None
    return result, time.monotonic() - started


def facts(result: Result) -> dict[str, Any]:
    """Return what both must say alike; steps are not told apart by all that explicit ones are."""
    statistics = result.statistics
    return {
        "verdict": type(result.verdict).__name__,
        "exhaustive": result.exhaustive,
        "reasons": sorted(result.reasons),
        "states": statistics.states,
        "never enabled": statistics.never_enabled,
        "coverage": statistics.coverage,
        "violations": sorted(
            (v.kind.value, v.name, str(v.span), v.count) for v in result.violations
        ),
    }
