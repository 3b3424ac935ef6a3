"""`secateur info`: show what a model consists of."""

from __future__ import annotations

import argparse
import sys

from secateur.app.load import load
from secateur.cli.arguments import add_model, add_output, load_options
from secateur.cli.exit import ExitCode
from secateur.cli.output import emit, style_for
from secateur.report.envelope import to_text
from secateur.report.overview import overview_to_json, render_overview


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_model(parser)
    add_output(parser)


def run(args: argparse.Namespace) -> ExitCode:
    """Print the overview."""
    overview = load(args.model, **load_options(args)).info()
    if args.json:
        emit(to_text("info", overview_to_json(overview)))
    else:
        emit(render_overview(overview, style_for(sys.stdout)))
    return ExitCode.HOLDS
