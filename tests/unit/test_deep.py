"""Work with a large stack."""

from __future__ import annotations

import threading
import time

import pytest

from secateur.app.deep import run_deep
from secateur.engine.limits import NO_LIMITS, Interrupted, Limits, Meter, Stop


def depth(n: int) -> int:
    return 0 if n == 0 else 1 + sum(map(depth, [n - 1]))


def test_recursion_goes_deep() -> None:
    assert run_deep(lambda _: depth(40_000)) == 40_000


def test_errors_come_through() -> None:
    def work(_: Stop) -> None:
        raise ZeroDivisionError("through")

    with pytest.raises(ZeroDivisionError, match="through"):
        run_deep(work)


def test_deep_work_within_deep_work_needs_no_other_thread() -> None:
    def work(outer: Stop) -> bool:
        here = threading.current_thread()
        return run_deep(lambda inner: inner is outer and threading.current_thread() is here)

    assert run_deep(work)


def busy(seconds: float) -> str:
    """Return what ended a computation that looks at nothing for a while."""
    end = time.monotonic() + seconds
    try:
        while time.monotonic() < end:
            pass
    except Interrupted:
        return "interrupted"
    return "done"


def test_the_deadline_of_one_run_is_not_that_of_the_next() -> None:
    def work(stop: Stop) -> tuple[str, str]:
        with Meter(Limits(seconds=0.1), stop).running():
            first = busy(30)
        with Meter(NO_LIMITS, stop).running():
            return first, busy(5)

    assert run_deep(work) == ("interrupted", "done")


def test_nothing_is_interrupted_between_runs() -> None:
    def work(stop: Stop) -> str:
        with Meter(Limits(seconds=0.1), stop).running():
            pass
        return busy(1.5)

    assert run_deep(work) == "done"
