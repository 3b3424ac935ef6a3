"""What tools that try random systems have in common: batches, processes, complaints."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import fields
from functools import partial
from typing import Any, Final, TypeVar

OFTEN: Final = 10
"""After so many batches it is said how far it has got."""

Count = TypeVar("Count", bound=Any)
"""A dataclass of numbers and lists, `runs` and `complaints` among them."""


BATCH: Final = 20
"""Systems at a time, where each is asked about several formulas."""


def try_pairs(
    program: tuple[str, str | None],
    make: Callable[[], Count],
    try_seed: Callable[[int, int, Count], None],
    report: Callable[[Count, float], None],
) -> int:
    """Try pairs of a system and a formula as the command line says; `program` is its name and what it does.

    1 if there is anything to complain about.
    """
    name, description = program
    parser = argparse.ArgumentParser(prog=f"python -m tools.{name}", description=description)
    parser.add_argument("pairs", type=int, help="how many pairs")
    parser.add_argument("--first", type=int, default=0, help="the seed of the first system")
    parser.add_argument("--formulas", type=int, default=10, help="formulas per system (10)")
    parser.add_argument("--jobs", type=int, default=2, help="processes at work (2)")
    args = parser.parse_args()
    started = time.monotonic()
    last = args.first + -(-args.pairs // args.formulas)
    work = partial(_batch, make, try_seed, last, args.formulas)
    total = gather(make(), work, range(args.first, last, BATCH), args.jobs)
    report(total, time.monotonic() - started)
    return 1 if total.complaints else 0


def _batch(
    make: Callable[[], Count],
    try_seed: Callable[[int, int, Count], None],
    last: int,
    formulas: int,
    first: int,
) -> Count:
    count = make()
    for seed in range(first, min(first + BATCH, last)):
        try_seed(seed, formulas, count)
    return count


def gather(
    total: Count,
    work: Callable[[int], Count],
    firsts: Iterable[int],
    jobs: int,
    seconds: float | None = None,
) -> Count:
    """Return the sum of all batches, or of those done in so many seconds.

    Complaints are printed as they come.
    """
    started = time.monotonic()
    with ProcessPoolExecutor(jobs) as pool:
        for number, count in enumerate(pool.map(work, firsts), 1):
            for each in fields(total):
                setattr(total, each.name, getattr(total, each.name) + getattr(count, each.name))
            for complaint in count.complaints:
                print(complaint, flush=True)
            if number % OFTEN == 0:
                print(f"{number} batches, {total.runs} runs", file=sys.stderr, flush=True)
            if seconds is not None and time.monotonic() - started > seconds:
                pool.shutdown(wait=False, cancel_futures=True)
                break
    return total
