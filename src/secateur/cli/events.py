"""`secateur events`: show how the events of a model are related."""

from __future__ import annotations

import argparse
import sys

from secateur.app.deep import run_deep
from secateur.app.events import EventsAnalysis
from secateur.app.load import load
from secateur.cli.arguments import add_model, add_output, load_options
from secateur.cli.exit import ExitCode
from secateur.cli.output import emit, style_for
from secateur.report.envelope import to_text
from secateur.report.events import (
    dependency_to_dot,
    enabling_to_dot,
    events_to_json,
    pairs_to_json,
    render_events,
    render_pairs,
)
from secateur.report.events_svg import dependency_to_svg, enabling_to_svg

_GRAPHS = {"dependency": dependency_to_dot, "enabling": enabling_to_dot}
_PICTURES = {"dependency": dependency_to_svg, "enabling": enabling_to_svg}


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_model(parser)
    parser.add_argument(
        "--instances",
        action="store_true",
        help="show events with their parameters bound, not operations as a whole",
    )
    parser.add_argument(
        "--why",
        nargs=2,
        metavar=("E1", "E2"),
        help="say why two events (operations, or instances such as 'enter(p1)') are related",
    )
    parser.add_argument(
        "--dot",
        choices=list(_GRAPHS),
        help="print a graph in the DOT language of Graphviz",
    )
    parser.add_argument("--svg", choices=list(_PICTURES), help="print a picture in SVG")
    parser.add_argument(
        "--analysis-seconds",
        type=float,
        default=20.0,
        metavar="S",
        help="spend at most S seconds; what is not known then counts as related (default 20)",
    )
    parser.add_argument(
        "--no-cache",
        action="store_true",
        help="neither use nor keep answers of the solver in the user's cache folder",
    )
    add_output(parser)


def run(args: argparse.Namespace) -> ExitCode:
    """Print the relations."""
    model = load(args.model, **load_options(args))

    def work(_: object) -> str:
        analysis = EventsAnalysis(model.system, args.analysis_seconds, use_cache=not args.no_cache)
        style = style_for(sys.stdout)
        if args.why is not None:
            pairs, left_out = analysis.why(*args.why)
            if args.json:
                return to_text("events", pairs_to_json(model.name, pairs, left_out))
            return render_pairs(pairs, left_out, style)
        events = analysis.overview(instances=args.instances)
        if args.dot is not None:
            return _GRAPHS[args.dot](events)
        if args.svg is not None:
            return _PICTURES[args.svg](events)
        if args.json:
            return to_text("events", events_to_json(events))
        return render_events(events, style)

    emit(run_deep(work))
    return ExitCode.HOLDS
