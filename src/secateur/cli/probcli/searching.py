"""-mc and -model_check: look for errors, and tell in probcli's words what came of it."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any, Final

from secateur.cli.codes import BAD_FLAG_ARGUMENT
from secateur.cli.output import style_for
from secateur.cli.probcli.census import of_result
from secateur.cli.probcli.phrases import KINDS, trace_lines
from secateur.cli.probcli.request import Request
from secateur.cli.probcli.session import Session
from secateur.cli.progress import ProgressPrinter
from secateur.engine.limits import seconds_reached, states_reached
from secateur.engine.search.findings import NO_INITIAL_STATE
from secateur.report.diagnostics import render_excerpt
from secateur.source import fail
from secateur.system.result import Result
from secateur.system.system import PropertyKind
from secateur.system.verdict import Violation

_SWITCHES: Final = {
    "nodead": ("deadlock", PropertyKind.DEADLOCK),
    "noinv": ("invariant", PropertyKind.INVARIANT),
    "noass": ("assertions", PropertyKind.ASSERTION),
    "nogoal": ("goal", PropertyKind.GOAL),
}

_MODES: Final[Mapping[str, Mapping[str, Any]]] = {
    **{name: {"search": "bf"} for name in ("bf", "breadth_first", "breadth")},
    **{name: {"search": "df"} for name in ("df", "depth_first", "depth")},
    "mixed": {"search": "mixed"},
    **{name: {"search": "random"} for name in ("random", "hash", "out_degree_hash", "term_size")},
    "heuristic": {"search": "best"},
    "disabled_actions": {"search": "best", "heuristic": "deadlock"},
}
"""ProB's orders of exploration.  None of them changes what is found in the end."""

_REDUCTIONS: Final[Mapping[str, Mapping[str, Mapping[str, Any]]]] = {
    "POR": {"AMPLE_SETS": {"por": "ample"}, "AMPLE_SETS2": {"por": "ample"}},
    "SYMMETRY_MODE": {
        "FLOOD": {"symmetry": "flood"},
        "NAUTY": {"symmetry": "canonical"},
        "CANON": {"symmetry": "canonical"},
        "HASH": {"symmetry": "markers"},
    },
    "COMPRESSION": {"TRUE": {"compress": True}},
}
"""The preferences that make a search do something else, by their values."""


def refuse_unknown_mode(request: Request) -> None:
    """Raise InputError for an order of exploration that there is none of."""
    mode = request.last("mc_mode")
    if mode is not None and mode.replace("-", "_") not in _MODES:
        message = f"there is no order of exploration called {mode}"
        raise fail(BAD_FLAG_ARGUMENT, message, help=f"there are {', '.join(_MODES)}")


def model_check(session: Session) -> None:
    """Search, print what came of it, and go where the first error is."""
    result = _search(session)
    wanted = _wanted(session)
    found = [v for v in result.violations if v.kind in wanted or v.name == NO_INITIAL_STATE]
    census = of_result(
        result, session.model.system.operations, invariants=not session.request.has("noinv")
    )
    session.searched = census
    if not census.uncovered:
        session.say("", "ALL OPERATIONS COVERED")
    if not found and result.exhaustive and not result.reasons:
        session.chat("% Model checking finished, all open states visited")
    milliseconds = round(result.seconds * 1000)
    session.say(
        f"Model checking time: {milliseconds} ms ({milliseconds} ms walltime)",
        f"States analysed: {census.total - 1 - census.open}",
        f"Transitions fired: {census.transitions}",
    )
    if found:
        _counterexample(session, found[0])
    else:
        _none_found(session, result)


def _wanted(session: Session) -> frozenset[PropertyKind]:
    off = {kind for flag, (_, kind) in _SWITCHES.items() if session.request.has(flag)}
    return frozenset(PropertyKind) - off


def _search(session: Session) -> Result:
    options = _options(session)
    if session.request.has("silent"):
        return session.model.check(**options)
    progress = ProgressPrinter()
    try:
        return session.model.check(**options, watcher=progress)
    finally:
        progress.close()


def _options(session: Session) -> dict[str, Any]:
    """Return what the flags say: all is explored, state by state, unless a preference says otherwise."""
    request = session.request
    options: dict[str, Any] = {"por": "none", "symmetry": "none"}
    options |= {name: not request.has(flag) for flag, (name, _) in _SWITCHES.items()}
    goal = request.last("goal")
    if goal is not None and options["goal"]:
        options["goal"] = goal
    options["scope"] = request.last("scope") or True
    if request.has("nodead") and request.has("c", "coverage_summary"):
        # What deadlocks is counted, but the search goes on.
        options["deadlock"] = True
        options["stop_at"] = [kind.value for kind in _wanted(session)]
    limit = None if request.has("model_check") else request.number("mc")
    if limit is not None:
        options["max_states"] = max(limit, 1)
    timeout = request.number("timeout")
    if timeout is not None:
        options["max_seconds"] = timeout / 1000
    for name, values in _REDUCTIONS.items():
        chosen = session.model.typed.preferences.get(name, "").strip('"').upper()
        options |= values.get(chosen, {})
    options |= _order(session)
    return options


def _order(session: Session) -> Mapping[str, Any]:
    request = session.request
    mode = request.last("mc_mode")
    if mode is not None:
        return _MODES[mode.replace("-", "_")]
    return _MODES["df"] if request.has("df") and not request.has("bf") else {}


def _counterexample(session: Session, violation: Violation) -> None:
    kind = KINDS[violation.kind]
    session.say(style_for(sys.stdout).bad("*** COUNTER EXAMPLE FOUND ***"), "", kind)
    session.say(*trace_lines(violation.trace))
    said = [part for part in (violation.name, violation.message) if part]
    session.say(f"({': '.join(said)})", *render_excerpt(violation.span), "")
    session.ledger.error(kind)
    session.follow(violation.trace)


def _none_found(session: Session, result: Result) -> None:
    request = session.request
    style = style_for(sys.stdout)
    reasons = result.reasons
    if not reasons and result.exhaustive:
        session.say(style.good("No counter example found. ALL states visited."), "")
        return
    limit, timeout = request.number("mc"), request.number("timeout")
    if timeout is not None and seconds_reached(timeout / 1000) in reasons:
        session.say(f"*** Timeout occurred while Model Checking: {timeout}", "")
        session.ledger.warning("model_check_incomplete", f"Timeout of {timeout} ms")
    elif limit is not None and states_reached(max(limit, 1)) in reasons:
        session.say(style.doubt("No counter example found, not all states visited"), "")
        said = f"Not all states examined due to limit set by user: {limit}"
        session.ledger.warning("model_check_incomplete", said)
    else:
        said = "No counter example found. However, not all transitions were computed !"
        session.say(style.doubt(said), "")
        session.ledger.warning("model_check_incomplete", *reasons)
