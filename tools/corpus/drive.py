"""What Secateur says about one model: the only file here that runs it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from secateur import load
from secateur.engine.search.findings import NO_INITIAL_STATE, NO_INITIALISATION
from secateur.source import Diagnostic, InputError
from secateur.system.result import Result
from secateur.system.system import PropertyKind
from tools.corpus.outcome import Status
from tools.corpus.runner import Seen

_NO_START = (NO_INITIAL_STATE, NO_INITIALISATION)
_KEPT = 5  # messages of a kind, per model


def examine(file: Path, explore: bool, tell: Callable[[Seen], None]) -> Seen:  # noqa: FBT001
    """Load `file`, and explore it if asked; return what was seen as fields of an `Outcome`.

    That it was loaded is told in between: a run that is killed later did load.
    """
    try:
        model = load(file)
    except InputError as error:
        return {"status": Status.REJECTED, "error": _first(error)}
    tell({"loaded": True})
    if not explore:
        return {"status": Status.LOADED}
    try:
        return _seen(model.check(all=True))
    except InputError as error:
        return {"status": Status.REJECTED, "error": _first(error)}


def _seen(result: Result) -> Seen:
    kinds = {v.kind for v in result.violations}
    faults = [
        v
        for v in result.violations
        if v.kind is PropertyKind.WELL_DEFINEDNESS or v.name in _NO_START
    ]
    return {
        "status": Status.EXPLORED,
        "states": result.statistics.states,
        "transitions": result.statistics.transitions,
        "deadlock": PropertyKind.DEADLOCK in kinds,
        "invariant_violated": PropertyKind.INVARIANT in kinds,
        "faults": [f"{v.name}: {v.message} ({v.span})" for v in faults][:_KEPT],
        "gaps": list(result.reasons)[:_KEPT],
        "operations": dict(result.statistics.operations),
    }


def _first(error: InputError) -> str:
    shown = [_text(d) for d in error.diagnostics[:1]]
    more = len(error.diagnostics) - 1
    return "; ".join([*shown, *([f"and {more} more"] if more > 0 else [])])


def _text(diagnostic: Diagnostic) -> str:
    place = "" if diagnostic.span is None else f" ({diagnostic.span})"
    return f"{diagnostic.code}: {diagnostic.message}{place}"
