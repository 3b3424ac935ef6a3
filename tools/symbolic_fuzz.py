"""`python -m tools.symbolic_fuzz N`: N pairs of a random system and a random formula, symbolically.

Each formula is judged by the fixpoints of `tests.naive.temporal`, and then in the six modes of seed
002 (the nodes reached with no reduction, breadth first by processes and in two phases, fair cycles
found forwards and backwards) and in two more, in which the model is reduced before there is a product.
All must say the same, and every counterexample must be a path of the system that convinces the
definition.  Exits with 1 if anything differs.
"""

from __future__ import annotations

import argparse
import sys
import time
from functools import partial

from tests.agreement.symbolic_products import Count, try_seed
from tools.fuzz import gather

BATCH = 20
"""Systems at a time."""


def main() -> int:
    """Try what the command line says."""
    parser = argparse.ArgumentParser(prog="python -m tools.symbolic_fuzz", description=__doc__)
    parser.add_argument("pairs", type=int, help="how many pairs")
    parser.add_argument("--first", type=int, default=0, help="the seed of the first system")
    parser.add_argument("--formulas", type=int, default=10, help="formulas per system (10)")
    parser.add_argument("--jobs", type=int, default=2, help="processes at work (2)")
    args = parser.parse_args()
    started = time.monotonic()
    last = args.first + -(-args.pairs // args.formulas)
    work = partial(_batch, last=last, formulas=args.formulas)
    total = gather(Count(), work, range(args.first, last, BATCH), args.jobs)
    _report(total, time.monotonic() - started)
    return 1 if total.complaints else 0


def _batch(first: int, last: int, formulas: int) -> Count:
    count = Count()
    for seed in range(first, min(first + BATCH, last)):
        try_seed(seed, formulas, count)
    return count


def _report(total: Count, seconds: float) -> None:
    print(f"{total.pairs} pairs, {total.runs} runs, {seconds:.0f} s")
    print(f"{total.violated} formulas are violated, {total.lawful} may be checked with processes")
    full = total.nodes["none"]
    for name, nodes in total.nodes.items():
        print(f"{name}: {nodes / full:.1%} of the nodes")
    print(f"something was left out in {total.reduced} pairs")
    print(f"{len(total.complaints)} wrong answers")


if __name__ == "__main__":
    sys.exit(main())
