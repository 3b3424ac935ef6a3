"""Options about how counterexamples are told."""

from __future__ import annotations

import argparse


def add_traces(parser: argparse.ArgumentParser) -> None:
    """Declare them."""
    group = parser.add_argument_group("counterexamples")
    group.add_argument(
        "--shorten",
        action="store_true",
        help="take what is not needed out of traces: steps that can be left out, "
        "detours between states; each result is executed again",
    )
    group.add_argument(
        "--untangle",
        action="store_true",
        help="let steps that do not mind change places, so that each process runs in blocks",
    )
