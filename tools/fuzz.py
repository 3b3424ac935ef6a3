"""What tools that try random systems have in common: batches, processes, complaints."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import fields
from typing import Any, Final, TypeVar

OFTEN: Final = 10
"""After so many batches it is said how far it has got."""

Count = TypeVar("Count", bound=Any)
"""A dataclass of numbers and lists, `runs` and `complaints` among them."""


def gather(total: Count, work: Callable[[int], Count], firsts: Iterable[int], jobs: int) -> Count:
    """Return the sum of all batches; complaints are printed as they come."""
    with ProcessPoolExecutor(jobs) as pool:
        for number, count in enumerate(pool.map(work, firsts), 1):
            for each in fields(total):
                setattr(total, each.name, getattr(total, each.name) + getattr(count, each.name))
            for complaint in count.complaints:
                print(complaint, flush=True)
            if number % OFTEN == 0:
                print(f"{number} batches, {total.runs} runs", file=sys.stderr, flush=True)
    return total
