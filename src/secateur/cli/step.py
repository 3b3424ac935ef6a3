"""`secateur step`: walk through a model by hand, on a terminal or from a pipe."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator

from secateur.app.animate import Animation
from secateur.app.load import load
from secateur.cli.arguments import add_model, add_output, load_options
from secateur.cli.exit import ExitCode
from secateur.cli.output import emit, style_for
from secateur.cli.session import Reply, Session
from secateur.report.answer import answer_to_json, render_answer
from secateur.report.diagnostics import render_diagnostics
from secateur.report.envelope import enveloped
from secateur.report.errors import errors_to_json
from secateur.report.json import step_to_json, trace_to_json, values_to_json
from secateur.report.style import Style
from secateur.report.text import render_trace, show_bindings, show_step, show_values
from secateur.report.trouble import render_trouble, trouble_to_json
from secateur.system.system import Transition


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_model(parser)
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="decides random choices")
    add_output(parser)


def run(args: argparse.Namespace) -> ExitCode:
    """Show where we are, ask where to go, until there is nothing more to read."""
    model = load(args.model, **load_options(args))
    walk = Animation(model.system, args.seed, lambda: model.system if model.grown() else None)
    session = Session(model, walk)
    style = style_for(sys.stdout)
    show: Callable[[Reply], str] = (
        (lambda reply: as_json(session, reply))
        if args.json
        else (lambda reply: "\n".join(as_text(session, reply, style)))
    )
    reply: Reply | None = Reply(choices=True)
    lines = _lines()
    while reply is not None:
        if text := show(reply):
            emit(text)
        reply = session.obey(next(lines, "quit"))
    return ExitCode.HOLDS


def _lines() -> Iterator[str]:
    """Yield what the user types; the end of input and Ctrl-C end it."""
    prompt = "> " if sys.stdin.isatty() and sys.stdout.isatty() else ""
    while True:
        try:
            yield input(prompt)
        except (EOFError, KeyboardInterrupt):
            return


def as_text(session: Session, reply: Reply, style: Style) -> Iterator[str]:
    """Yield the lines that tell a person what `reply` says."""
    if reply.message:
        yield reply.message
    if reply.errors:
        yield render_diagnostics(reply.errors, style)
    if reply.answer is not None:
        yield render_answer(reply.answer, style)
    if reply.shown_from is not None:
        yield from render_trace(session.walk.trace, style, reply.shown_from)
    if reply.state:
        yield from (f"  {show_bindings([each])}" for each in session.shown())
    if reply.choices:
        yield from _choices(session, style)


def _choices(session: Session, style: Style) -> Iterator[str]:
    for item in session.walk.trouble():
        yield from render_trouble(item, style)
    enabled = session.walk.enabled()
    if not enabled:
        yield "no operation is enabled" if session.walk.trace.transitions else "no initial state"
    alike = Counter(transition.step for transition in enabled)
    width = len(str(len(enabled)))
    for number, transition in enumerate(enabled, 1):
        told_apart = _outcome(session, transition) if alike[transition.step] > 1 else ""
        yield f"  {number:>{width}}) {show_step(transition.step)}{told_apart}"


def _outcome(session: Session, transition: Transition) -> str:
    changed = show_values(session.outcome(transition))
    return f"  [{changed[0]}{' ...' if len(changed) > 1 else ''}]" if changed else ""


def as_json(session: Session, reply: Reply) -> str:
    """Return one line that tells a program what `reply` says and where we are."""
    content = {
        "message": reply.message,
        "trace": trace_to_json(session.walk.trace)[reply.shown_from or 0 :]
        if reply.shown_from is not None
        else [],
        "state": values_to_json(session.values()),
        "enabled": [step_to_json(t.step) for t in session.walk.enabled()],
        "trouble": [trouble_to_json(item) for item in session.walk.trouble()],
    }
    if reply.answer is not None:
        content["answer"] = answer_to_json(reply.answer)
    if reply.errors:
        content.update(errors_to_json(reply.errors))
    return json.dumps(enveloped("step", content))
