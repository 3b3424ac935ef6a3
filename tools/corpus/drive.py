"""What Secateur says about one model: the only file here that runs it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

from secateur import load
from secateur.app.model import CheckOptions
from secateur.engine.search.findings import NO_INITIAL_STATE, NO_INITIALISATION
from secateur.source import Diagnostic, InputError
from secateur.system.result import Result
from secateur.system.system import PropertyKind
from tools.corpus.outcome import Status
from tools.corpus.runner import Seen
from tools.corpus.unfinished import STATE_ERRORS

_NO_START = (NO_INITIAL_STATE, NO_INITIALISATION)
_KEPT = 5  # messages of a kind, per model
_OUT_OF_TIME = re.compile(r"the limit of \S+ seconds was reached")


EVERYTHING: Final[CheckOptions] = {"all": True}
"""Explore all states and collect what is wrong."""


def errors_only(seconds: float) -> CheckOptions:
    """Return how to look for the first state error, within most of the time allowed."""
    return {"stop_at": [kind.value for kind in STATE_ERRORS], "max_seconds": 0.9 * seconds}


def examine(file: Path, options: CheckOptions | None, tell: Callable[[Seen], None]) -> Seen:
    """Load `file`, and explore it if there are options; return fields of an `Outcome`.

    That it was loaded is told in between: a run that is killed later did load.
    """
    try:
        model = load(file)
    except InputError as error:
        return {"status": Status.REJECTED, "error": _first(error)}
    tell({"loaded": True})
    if options is None:
        return {"status": Status.LOADED}
    try:
        return {**_seen(model.check(**options)), "notes": list(model.typed.notes)[:_KEPT]}
    except InputError as error:
        return {"status": Status.REJECTED, "error": _first(error)}


def _seen(result: Result) -> Seen:
    kinds = {v.kind for v in result.violations}
    faults = [v for v in result.violations if v.kind in STATE_ERRORS or v.name in _NO_START]
    gaps = [reason for reason in result.reasons if not _OUT_OF_TIME.fullmatch(reason)]
    in_time = len(gaps) == len(result.reasons) or faults or gaps
    return {
        "status": Status.EXPLORED if in_time else Status.TIMEOUT,
        "states": result.statistics.states,
        "transitions": result.statistics.transitions,
        "deadlock": PropertyKind.DEADLOCK in kinds,
        "invariant_violated": PropertyKind.INVARIANT in kinds,
        "assertion_violated": PropertyKind.ASSERTION in kinds,
        "faults": [f"{v.name}: {v.message} ({v.span})" for v in faults][:_KEPT],
        "gaps": gaps[:_KEPT],
        "operations": dict(result.statistics.operations),
    }


def _first(error: InputError) -> str:
    shown = [_text(d) for d in error.diagnostics[:1]]
    more = len(error.diagnostics) - 1
    return "; ".join([*shown, *([f"and {more} more"] if more > 0 else [])])


def _text(diagnostic: Diagnostic) -> str:
    place = "" if diagnostic.span is None else f" ({diagnostic.span})"
    return f"{diagnostic.code}: {diagnostic.message}{place}"
