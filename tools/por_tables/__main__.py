"""`python -m tools.por_tables`: two papers' tables, ours beside theirs.

The exit code is 1 if a verdict differs or the provisos are not in the order of the paper.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module

from tools.por_tables.benchmarks import print_benchmarks
from tools.por_tables.provisos import print_provisos


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, print both tables, and return whether something is wrong."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.por_tables", description=__doc__.partition("\n")[0]
    )
    parser.add_argument("--table", type=int, choices=(1, 2), help="only this one")
    parser.add_argument("--only", default="", metavar="TEXT", help="only models so called")
    parser.add_argument("--seconds", type=float, default=120.0, help="limit per run (120)")
    args = parser.parse_args(argv)
    # the compiler is loaded before any clock starts
    import_module("secateur.app.checking.pruned")
    wrong = 0
    if args.table != 2:
        print("## Reductions (states / transitions)\n")
        wrong += print_benchmarks(args.only, args.seconds)
    if args.table != 1:
        print("\n## Provisos (states)\n")
        wrong += print_provisos(args.only, args.seconds)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
