"""`secateur version`: say which version this is."""

from __future__ import annotations

import argparse
import platform

from secateur.cli.exit import ExitCode
from secateur.cli.output import emit
from secateur.report.envelope import to_text
from secateur.version import __version__


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--json", action="store_true", help="print a JSON object")


def run(args: argparse.Namespace) -> ExitCode:
    """Print the version."""
    python = platform.python_version()
    if args.json:
        emit(to_text("version", {"python": python}))
    else:
        emit(f"secateur {__version__} (Python {python})")
    return ExitCode.HOLDS
