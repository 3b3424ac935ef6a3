"""`python -m tools.ltl_fuzz N`: N pairs of a random system and a random formula.

Each formula is judged by the fixpoints of `tests.naive.temporal`, and then with the tableau and
the automaton, on the fly and on the whole graph, in full and reduced where that is lawful, with
operators of the past, paths that end, and fairness.  All must say the same, and two of the
counterexamples, as found and shortened, must be paths of the system that convince the definition.
Exits with 1 if anything differs.
"""

from __future__ import annotations

import argparse
import sys
import time
from functools import partial

from tests.agreement.temporal import Count, try_seed
from tools.fuzz import gather

BATCH = 20
"""Systems at a time."""


def main() -> int:
    """Try what the command line says."""
    parser = argparse.ArgumentParser(prog="python -m tools.ltl_fuzz", description=__doc__)
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
    print(
        f"{total.violated} formulas are violated, {total.lawful} may be checked on a reduced graph"
    )
    full, reduced = total.states["full"], total.states["reduced"]
    if full:
        print(f"{total.reduced} graphs were reduced; {reduced / full:.1%} of all states are left")
    print(f"{len(total.complaints)} wrong answers")


if __name__ == "__main__":
    sys.exit(main())
