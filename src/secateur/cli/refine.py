"""`secateur refine`: check that components refine those that they name after REFINES."""

from __future__ import annotations

import argparse
import sys

from secateur.app.deep import run_deep
from secateur.app.refine import RefineOptions, refine
from secateur.cli.arguments import add_limits, add_model, add_output, load_options
from secateur.cli.exit import ExitCode
from secateur.cli.output import emit, style_for
from secateur.cli.progress import ProgressPrinter
from secateur.report.envelope import to_text
from secateur.report.refinement import refinements_to_json, render_refinements
from secateur.system.refinement import RefinementResult, outcome_of


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_model(parser)
    parser.epilog = (
        "MODEL is a REFINEMENT or an IMPLEMENTATION, or a machine of Event-B that refines others. "
        "Every step from the most abstract component down to it is checked; "
        "with -m COMPONENT, the step that leads to that component."
    )
    parser.add_argument(
        "--deadlock",
        action="store_true",
        help="a refinement must not stop where its abstraction could go on",
    )
    parser.add_argument(
        "--all", action="store_true", help="go on after the first violation, and after its step"
    )
    add_limits(parser, "each step")
    add_output(parser)


def run(args: argparse.Namespace) -> ExitCode:
    """Check every step, print what was found, and say it again as an exit code."""
    steps = _refine(args)

    def render(_: object) -> str:
        if args.json:
            return to_text("refine", refinements_to_json(str(args.model), steps))
        return render_refinements(steps, style_for(sys.stdout))

    emit(run_deep(render))
    return {
        True: ExitCode.HOLDS,
        False: ExitCode.VIOLATED,
        None: ExitCode.INCOMPLETE,
    }[outcome_of(steps)]


def _refine(args: argparse.Namespace) -> list[RefinementResult]:
    options: RefineOptions = {
        **load_options(args),
        "deadlock": args.deadlock,
        "all": args.all,
        "max_states": args.max_states,
        "max_seconds": args.max_seconds,
        "max_memory": args.max_memory,
        "watcher": None,
    }
    if args.quiet:
        return refine(args.model, **options)
    progress = ProgressPrinter()
    options["watcher"] = progress
    try:
        return refine(args.model, **options)
    finally:
        progress.close()
