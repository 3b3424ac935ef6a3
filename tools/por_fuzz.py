"""`python -m tools.por_fuzz N`: N random event systems, reduced against full.

Each is searched with a sample of the plans that differ on it (or all of them), one class of
properties at a time: which properties are violated, how many deadlocks there are and how
long a shortest trace is must be what the definitions say.  Exits with 1 if anything differs.
"""

from __future__ import annotations

import argparse
import sys
import time
from functools import partial

from secateur.analysis.relations import EventRelations
from tests.agreement.exact_relations import ExactRelations
from tests.agreement.reduced import Count, Related, measure, reachable_only, try_system
from tools.fuzz import gather

BATCH = 100


def main() -> int:
    """Try what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("systems", type=int, help="how many systems")
    parser.add_argument("--first", type=int, default=0, help="the seed of the first one")
    parser.add_argument("--plans", type=int, default=12, help="plans per system and class")
    parser.add_argument("--all", action="store_true", help="all plans that differ")
    parser.add_argument(
        "--analysis",
        action="store_true",
        help="relations as the analysis finds them, not exact ones",
    )
    parser.add_argument(
        "--reachable",
        action="store_true",
        help="such relations that rely on what is proven of the reachable states",
    )
    parser.add_argument("--seconds", type=float, help="end after so long with what was tried")
    parser.add_argument("--jobs", type=int, default=2, help="processes at work")
    args = parser.parse_args()
    started = time.monotonic()
    firsts = range(args.first, args.first + args.systems, BATCH)
    last = args.first + args.systems
    related: Related = EventRelations if args.analysis else ExactRelations
    if args.reachable:
        related = reachable_only
    work = partial(_batch, last=last, plans=None if args.all else args.plans, related=related)
    total = gather(Count(), work, firsts, args.jobs, args.seconds)
    _report(total, time.monotonic() - started)
    return 1 if total.complaints else 0


def _batch(first: int, last: int, plans: int | None, related: Related) -> Count:
    count = Count()
    for seed in range(first, min(first + BATCH, last)):
        try_system(seed, plans, count, related)
        if seed % 10 == 0:
            measure(seed, count)
    return count


def _report(total: Count, seconds: float) -> None:
    print(
        f"{total.systems} systems, {total.runs} runs in Python and {total.native_runs} natively, "
        f"{seconds:.0f} s"
    )
    for plans, where in ((total.plans, "in Python"), (total.twins, "natively")):
        if plans:
            least = min(plans, key=lambda name: plans[name])
            print(f"{len(plans)} plans tried {where}; least often, {plans[least]} times: {least}")
    print(f"{total.wrong_systems} of {3 * total.systems} questions have an error to be found")
    print(f"{len(total.complaints)} wrong answers")
    print("\nstates explored, breadth-first, for all errors (one system in ten):")
    for name in ("deadlock", "invariant", "both"):
        full = total.states[f"{name} none"]
        for key, states in total.states.items():
            if key.startswith(f"{name} ") and full:
                print(f"  {key:25} {states:9} {states / full:7.1%}")


if __name__ == "__main__":
    sys.exit(main())
