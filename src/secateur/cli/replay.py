"""`secateur replay`: execute a recorded trace on a model again, perhaps after an edit."""

from __future__ import annotations

import argparse
import sys

from secateur.app.deep import run_deep
from secateur.app.evidence import Run, gather
from secateur.app.load import load
from secateur.app.replay import MOST, replay
from secateur.app.traces.registry import TRACES
from secateur.cli.arguments import add_model, add_output, count, load_options, path
from secateur.cli.exit import ExitCode
from secateur.cli.files import add_options, outputs_of, refuse_charts, write_outputs
from secateur.cli.output import emit, style_for
from secateur.report.envelope import enveloped, to_text
from secateur.report.errors import Json
from secateur.report.formats.protocol import Story, Subject
from secateur.report.replay import render_replay, replay_to_json
from secateur.report.style import PLAIN, Style
from secateur.system.replay import Replay
from secateur.system.result import Result
from secateur.system.statistics import Statistics
from secateur.system.verdict import Holds


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_model(parser)
    known = ", ".join(row.name for row in TRACES)
    parser.add_argument(
        "trace", type=path, metavar="TRACE", help=f"the file with the trace: {known}"
    )
    parser.add_argument(
        "--violation",
        type=count,
        metavar="N",
        help="which trace is meant, if TRACE is what --json printed: that of the Nth violation",
    )
    parser.add_argument(
        "--max-ways",
        type=count,
        default=MOST,
        metavar="N",
        help=f"look at no more than N ways on (default {MOST}); they are many if the trace says little",
    )
    add_output(parser)
    add_options(parser, (Subject.TRACE, Subject.REPORT))


def run(args: argparse.Namespace) -> ExitCode:
    """Execute the trace, say how far that goes, and say it again as an exit code."""
    outputs = outputs_of(args)
    model = load(args.model, **load_options(args))
    refuse_charts(outputs, model)
    told = replay(model, args.trace, args.violation, args.max_ways)

    def report() -> Json:
        return replay_to_json(str(args.model), str(args.trace), told)

    def render(style: Style = PLAIN) -> str:
        return render_replay(model.name, told, style)

    emit(
        run_deep(
            lambda _: to_text("replay", report()) if args.json else render(style_for(sys.stdout))
        )
    )
    asked = Run("replay", args.model, args.words, lambda: enveloped("replay", report()), render)
    nothing = Result(Holds(exhaustive=False), Statistics(0, 0), 0.0)
    written = write_outputs(
        outputs, lambda: gather(model, asked, nothing, (_story(told),)), quiet=args.quiet
    )
    return _code(told) if written else ExitCode.BAD_INPUT


def _story(told: Replay) -> Story:
    """Return what there is to write: as much of the trace as could be executed."""
    claim = told.claim
    loop = told.loop if told.closes else 0
    if claim is None:
        return Story("replay", told.format, told.trace, loop, violated=False)
    return Story(
        claim.kind,
        claim.name,
        told.trace,
        loop,
        violated=told.still is not False,
        formula=claim.formula,
        open=claim.open,
    )


def _code(told: Replay) -> ExitCode:
    if told:
        return ExitCode.HOLDS
    return ExitCode.VIOLATED if told.gave_up is None else ExitCode.INCOMPLETE
