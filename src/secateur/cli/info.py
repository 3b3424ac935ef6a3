"""`secateur info`: show what a model consists of."""

from __future__ import annotations

import argparse
import sys

from secateur.app.load import load
from secateur.cli.arguments import add_model, add_output, load_options
from secateur.cli.exit import ExitCode
from secateur.cli.output import emit, style_for
from secateur.report.compiled import compiled_to_json, render_compiled
from secateur.report.envelope import to_text
from secateur.report.overview import overview_to_json, render_overview


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_model(parser)
    parser.add_argument(
        "--compiled",
        action="store_true",
        help="say which operations and properties are compiled, and why one is not",
    )
    add_output(parser)


def run(args: argparse.Namespace) -> ExitCode:
    """Print the overview."""
    model = load(args.model, **load_options(args))
    if args.compiled:
        compiled = model.compiled()
        if args.json:
            emit(to_text("info", compiled_to_json(compiled)))
        else:
            emit(render_compiled(compiled, style_for(sys.stdout)))
        return ExitCode.HOLDS
    overview = model.info()
    if args.json:
        emit(to_text("info", overview_to_json(overview)))
    else:
        emit(render_overview(overview, style_for(sys.stdout)))
    return ExitCode.HOLDS
