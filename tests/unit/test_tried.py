"""Short attempts, and when they are given up."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from secateur.app.checking.tried import Hasty
from secateur.engine.limits import NO_LIMITS, Limits

LIMIT = 1.0


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    now = [0.0]
    monkeypatch.setattr("secateur.engine.limits.time.monotonic", lambda: now[0])

    def set_to(seconds: float) -> None:
        now[0] = seconds

    return set_to


def hasty(limits: Limits) -> Hasty:
    return Hasty(limits, started=0.0)


def test_what_will_not_be_done_in_time_is_given_up(clock: Callable[[float], None]) -> None:
    meter = hasty(Limits(seconds=LIMIT))
    assert meter.reason_to_stop(1, 0, 1) is None
    clock(0.3)
    reason = meter.reason_to_stop(500, 500, 490)  # 10 in 0.3 s, and 490 to go
    assert reason == "the limit of 1 seconds was reached"


def test_what_may_be_done_in_time_goes_on(clock: Callable[[float], None]) -> None:
    meter = hasty(Limits(seconds=LIMIT))
    assert meter.reason_to_stop(1, 0, 1) is None
    clock(0.3)
    assert meter.reason_to_stop(50, 100, 40) is None


def test_a_pace_is_not_judged_at_once(clock: Callable[[float], None]) -> None:
    meter = hasty(Limits(seconds=LIMIT))
    assert meter.reason_to_stop(1, 0, 1) is None
    clock(0.05)
    assert meter.reason_to_stop(500, 500, 500) is None


def test_the_time_before_the_first_states_does_not_count(clock: Callable[[float], None]) -> None:
    meter = hasty(Limits(seconds=LIMIT))
    clock(0.6)
    assert meter.reason_to_stop(1, 0, 1) is None
    clock(0.8)
    assert meter.reason_to_stop(30, 40, 10) is None


def test_nothing_is_given_up_without_a_limit(clock: Callable[[float], None]) -> None:
    meter = hasty(NO_LIMITS)
    assert meter.reason_to_stop(1, 0, 1) is None
    clock(100.0)
    assert meter.reason_to_stop(500, 500, 499) is None


def test_time_is_over_in_any_case(clock: Callable[[float], None]) -> None:
    meter = hasty(Limits(seconds=LIMIT))
    clock(1.5)
    assert meter.reason_to_stop(1, 0, 0) == "the limit of 1 seconds was reached"
