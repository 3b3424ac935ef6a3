"""Work with a large stack."""

from __future__ import annotations

import threading
import time

import pytest

from secateur.app import deep
from secateur.app.deep import run_deep
from secateur.engine.limits import NO_LIMITS, Interrupted, Limits, Meter, Stop, Unfinished


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


def test_what_has_nothing_to_tell_yet_is_over_at_a_limit() -> None:
    def work(limits: Limits) -> str:
        def prepare(stop: Stop) -> str:
            with Meter(limits, stop).preparing():
                end = time.monotonic() + 30
                while time.monotonic() < end:
                    pass
            return "done"

        with pytest.raises(Unfinished) as late:
            run_deep(prepare)
        return late.value.reason

    assert work(Limits(seconds=0.1)) == "the limit of 0.1 seconds was reached"
    assert work(Limits(memory=2**20)) == "the limit of 1 MB of memory was reached"


def test_the_limit_on_memory_may_go_while_memory_is_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked = threading.Event()

    def work(stop: Stop) -> str:
        def full() -> int:
            stop.memory = None  # as at the end of what was limited
            looked.set()
            return 2**40

        monkeypatch.setattr(deep, "resident_memory", full)
        stop.memory = 2**20
        looked.wait(10)
        time.sleep(0.3)
        return stop.reason or "no reason"

    assert run_deep(work) == "the limit of 1 MB of memory was reached"


def test_nothing_is_interrupted_between_runs() -> None:
    def work(stop: Stop) -> str:
        with Meter(Limits(seconds=0.1), stop).running():
            pass
        return busy(1.5)

    assert run_deep(work) == "done"


class SlowForOthers:
    """A lock that only one thread takes at once; others wait for an event first."""

    def __init__(self, event: threading.Event) -> None:
        self._lock = threading.Lock()
        self._quick = threading.current_thread()
        self._event = event

    def __enter__(self) -> None:
        if threading.current_thread() is not self._quick:
            self._event.wait(10)
        self._lock.acquire()

    def __exit__(self, *_: object) -> None:
        self._lock.release()


def test_who_insists_too_late_spares_the_next_run() -> None:
    def work(stop: Stop) -> str:
        next_began = threading.Event()
        stop.guard = SlowForOthers(next_began)  # type: ignore[assignment]
        with Meter(Limits(seconds=0.0), stop).running():
            time.sleep(1.0)
        with Meter(NO_LIMITS, stop).running():
            next_began.set()
            return busy(0.5)

    assert run_deep(work) == "done"
