"""Graphs that -spdot, -dot and -dotexpr write, and traces that -trace_replay executes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from secateur.app.pictures.custom_graph import custom_graph
from secateur.app.pictures.drawn import Wanted, drawn_events, drawn_states
from secateur.app.pictures.graph import gather
from secateur.app.replay import replay
from secateur.cli.codes import BAD_FLAG_ARGUMENT
from secateur.cli.exit import ExitCode
from secateur.cli.probcli.session import Session
from secateur.report.graphs.dot import to_dot
from secateur.report.graphs.protocol import DrawnGraph
from secateur.report.replay import render_replay
from secateur.source import fail

_ANALYSIS_SECONDS: Final = 20.0
_PROJECTION: Final = "transition_diagram"


def draw(session: Session) -> None:
    """Write the graphs that are asked for, in Graphviz' language."""
    request = session.request
    for (file,) in request.all("spdot"):
        session.write(file, to_dot(_states(session)))
    for kind, file in request.all("dot"):
        session.write(file, to_dot(_KINDS[kind](session)))
    for _, expression, file in request.all("dotexpr"):
        session.write(file, to_dot(_states(session, expression)))


def refuse_unknown_graphs(session: Session) -> None:
    """Raise InputError for a graph that there is none of, before anything else is done."""
    for kind, _ in session.request.all("dot"):
        if kind not in _KINDS:
            known = ", ".join(_KINDS)
            raise fail(BAD_FLAG_ARGUMENT, f"-dot draws no {kind} here", help=f"there is {known}")
    for kind, _, _ in session.request.all("dotexpr"):
        if kind != _PROJECTION:
            hint = f"there is {_PROJECTION}"
            raise fail(BAD_FLAG_ARGUMENT, f"-dotexpr draws no {kind} here", help=hint)
    for kind, _ in session.request.all("trace_replay"):
        if kind not in _TRACES:
            hint = "there is json, for files with the suffixes .prob2trace and .itf.json"
            raise fail(BAD_FLAG_ARGUMENT, f"traces of kind {kind} are not read here", help=hint)


def _states(session: Session, *by: str) -> DrawnGraph:
    graph = gather(session.model)
    return drawn_states(session.model, graph, Wanted(by, full=not by))


def _events(session: Session) -> DrawnGraph:
    return drawn_events(session.model, _ANALYSIS_SECONDS)


def _custom(session: Session) -> DrawnGraph:
    state = session.walk.state
    if state is None or not session.model.system.is_initialised(state):
        raise fail(
            BAD_FLAG_ARGUMENT,
            "there is no state to draw yet",
            help="-init or -animate leads to one",
        )
    return custom_graph(session.model, state)


_KINDS: Final[dict[str, Callable[[Session], DrawnGraph]]] = {
    "state_space": _states,
    "state_space_sfdp": _states,
    "enable_graph": _events,
    "custom_graph": _custom,
}
_TRACES: Final = frozenset({"json"})


def replay_traces(session: Session) -> None:
    """Execute the traces that are asked for; one that stops working is an error."""
    for _, file in session.request.all("trace_replay"):
        found = replay(session.model, Path(file))
        session.follow(found.trace)
        session.chat(f"Replaying trace {file}", render_replay(session.model.name, found))
        if not found:
            code = ExitCode.VIOLATED if found.gave_up is None else ExitCode.INCOMPLETE
            session.ledger.error("trace_replay", "the trace cannot be replayed wholly", code=code)
