"""How much effort something may take: counted in steps, so that every run decides alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import inf
from typing import Final, TypeVar

T = TypeVar("T")

SOON: Final = 2_000
"""What is listed within so many steps is small: nothing else need be asked about it."""
TO_LIST: Final = 150_000
"""A comprehension that takes more steps than this to list stays a rule."""
ON_DEMAND: Final = 5_000_000
"""How many steps may be taken where the elements of such a rule are needed after all."""
FOR_A_STATE: Final = 5_000_000
"""How many of those steps the properties of one state may take together."""


class OutOfEffort(Exception):
    """The steps that were allowed are spent."""


class Meter:
    """The steps that are left: candidates that may be tried, values that may be computed."""

    __slots__ = ("left", "pool")

    def __init__(self) -> None:
        self.left = inf
        self.pool = inf
        """What is left of all steps that may be taken on demand, for several demands together."""

    def spend(self, steps: float) -> None:
        """Take `steps` from what is left; raise OutOfEffort if that is not enough."""
        self.left -= steps
        if self.left < 0:
            raise OutOfEffort


def within(meter: Meter, limit: float, work: Callable[[], T]) -> T | None:
    """Return what `work` returns, None if it takes more than `limit` steps.

    What it takes is taken from the steps of the caller, too; who runs out first is told.
    """
    before = meter.left
    meter.left = allowed = min(before, limit)
    try:
        return work()
    except OutOfEffort:
        if before <= limit:
            raise
        return None
    finally:
        meter.left = before - (allowed - meter.left)


def on_demand(meter: Meter, work: Callable[[], T], expected: float = 0) -> T | None:
    """Return what `work` returns, None if it takes too many steps, or is expected to."""
    limit = min(ON_DEMAND, meter.pool)
    if expected > limit:
        return None
    taken = 0.0

    def measured() -> T:
        nonlocal taken
        start = meter.left
        try:
            return work()
        finally:
            taken = start - meter.left

    try:
        return within(meter, limit, measured)
    finally:
        meter.pool -= taken


class Pool:
    """Steps on demand that several pieces of work, each entered by `with`, have in common."""

    def __init__(self, meter: Meter, steps: float) -> None:
        self._meter = meter
        self._left = steps
        self._before = inf

    def __enter__(self) -> None:
        self._before = self._meter.pool
        self._meter.pool = self._left

    def __exit__(self, *_: object) -> None:
        self._left = self._meter.pool
        self._meter.pool = self._before


AT_ONCE: Final = 1_000
"""So many candidates are counted before they are tried, more of them one by one."""


def counted(meter: Meter, values: Iterable[T]) -> Iterable[T]:
    """Return `values`, each of which is a step."""
    if isinstance(values, frozenset | list | range):
        size = len(values)
        if size <= AT_ONCE:
            meter.left -= size
            if meter.left < 0:
                raise OutOfEffort
            return values
    return _one_by_one(meter, values)


def _one_by_one(meter: Meter, values: Iterable[T]) -> Iterator[T]:
    for value in values:
        meter.spend(1)
        yield value
