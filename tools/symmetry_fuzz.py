"""`python -m tools.symmetry_fuzz N`: N random symmetric systems, merged against full.

Each is searched with every strategy, and with some that also reduce by partial orders: what is
violated, how many orbits there are and how long a shortest trace is must be what the definitions
say.  Exits with 1 if anything differs.
"""

from __future__ import annotations

import argparse
import sys
import time
from functools import partial

from tests.agreement.reduced import Count
from tests.agreement.symmetric_systems import try_symmetric
from tools.fuzz import gather

BATCH = 100


def main() -> int:
    """Try what the command line says."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("systems", type=int, help="how many systems")
    parser.add_argument("--first", type=int, default=0, help="the seed of the first one")
    parser.add_argument("--plans", type=int, default=3, help="plans per system, at random")
    parser.add_argument("--jobs", type=int, default=2, help="processes at work")
    args = parser.parse_args()
    started = time.monotonic()
    last = args.first + args.systems
    work = partial(_batch, last=last, plans=args.plans)
    total = gather(Count(), work, range(args.first, last, BATCH), args.jobs)
    print(
        f"{total.systems} systems, {total.runs} runs, {total.wrong_systems} with an error, "
        f"{len(total.complaints)} complaints, {time.monotonic() - started:.0f} s"
    )
    print("states: " + ", ".join(f"{name} {n}" for name, n in sorted(total.states.items())))
    return 1 if total.complaints else 0


def _batch(first: int, last: int, plans: int) -> Count:
    count = Count()
    for seed in range(first, min(first + BATCH, last)):
        try_symmetric(seed, plans, count)
    return count


if __name__ == "__main__":
    sys.exit(main())
