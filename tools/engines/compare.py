"""One model through both engines."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from secateur import load
from secateur.app.model import CheckOptions, Model
from secateur.source import InputError
from secateur.system.result import Result
from tools.corpus.runner import Seen

_STOP_AT_FIRST: CheckOptions = {}
_COLLECT: CheckOptions = {"all": True}

_PART: Final = 4
"""A model that takes too long is compared up to this part of the states that were reached."""
_EVEN_IF_CUT: Final = ("states", "transitions", "operations")


def compare(file: Path, seconds: float, tell: Callable[[Seen], None]) -> Seen:
    """Return where the engines differ, and how long each took; nothing if one did not finish."""
    try:
        model = load(file)
    except InputError:
        return {"skipped": "not loaded"}
    differences: list[str] = []
    times: dict[str, float] = {}
    for what, options in (("all", _COLLECT), ("first", _STOP_AT_FIRST)):
        limits: CheckOptions = {**options, "max_seconds": seconds}
        python = _run(model, limits, native=False)
        native = _run(model, limits, native=True)
        if python.late or native.late:
            late = "python" if python.late else "native"
            far = _as_far(model, limits, python.result.statistics.states, differences)
            return {"skipped": f"{late} not finished", "differences": differences, **far}
        times[f"python {what}"], times[f"native {what}"] = python.seconds, native.seconds
        differences += [f"{what}: {d}" for d in _differences(python.result, native.result)]
        tell({"differences": differences})
    return {"differences": differences, "times": times}


def _as_far(model: Model, limits: CheckOptions, states: int, differences: list[str]) -> Seen:
    """Add what differs where both engines stop at a part of the states that one has reached.

    Where the last state is left, the engines have looked at different parts of what follows:
    the states and the transitions are compared, and how many of which operation.  Code may go
    through the results of an operation in another order than the evaluator; where a search ends in
    the midst of them, as many states are found by other transitions, and nothing is compared.
    """
    asked: CheckOptions = {**limits, "all": True, "max_states": states // _PART}
    if not asked["max_states"]:
        return {}
    python, native = (_run(model, asked, native=native) for native in (False, True))
    if python.late or native.late:
        return {}
    ours, theirs = _facts(python.result), _facts(native.result)
    if ours["states"] != theirs["states"]:
        differences.append(f"cut: python {ours['states']} states, native {theirs['states']}")
    alike = all(ours[name] == theirs[name] for name in _EVEN_IF_CUT)
    return {"as far as": asked["max_states"]} if alike else {"skipped": "cut in another order"}


@dataclass(frozen=True, slots=True)
class _Timed:
    result: Result
    seconds: float

    @property
    def late(self) -> bool:
        """Whether the time was over before the end."""
        return any("seconds was reached" in reason for reason in self.result.reasons)


def _run(model: Model, options: CheckOptions, *, native: bool) -> _Timed:
    started = time.monotonic()
    asked: CheckOptions = {**options, "native": native}
    return _Timed(model.check(**asked), time.monotonic() - started)


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
