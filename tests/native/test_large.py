"""Enough states for every part of the table to grow, by machine code."""

from __future__ import annotations

import os
import signal
import threading
import time
from typing import Any

import pytest

pytest.importorskip("secateur._native", reason="NOT TESTED: the native module is not built")

from bench.native_counters import Layout, compiled

STATES, TRANSITIONS = 10**6, 6 * 9 * 10**5


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize(
    "layout",
    [Layout(6), Layout(6, shift=30), Layout(6, shift=40), Layout(6, words=2), Layout(6, words=3)],
    ids=["4 bytes", "7 bytes", "8 bytes", "2 words", "3 words"],
)
def test_a_million_states(layout: Layout, threads: int) -> None:
    code = compiled(layout.ir())
    explorer = layout.explorer(code)
    explorer.threads = threads
    assert explorer.run(None, None) == "complete"
    assert (explorer.states, explorer.transitions) == (STATES, TRANSITIONS)
    assert explorer.transitions_by_action == [9 * 10**5] * 6
    assert explorer.depth == 54
    assert explorer.deadlocks[0] == 1
    assert len(explorer.path(explorer.deadlocks[1] or 0)) == 55
    assert all(count == 0 for count, _ in explorer.violations)


@pytest.mark.slow
@pytest.mark.parametrize("search", ["df", "random"])
def test_other_orders(search: str) -> None:
    layout = Layout(6)
    code = compiled(layout.ir())
    explorer = layout.explorer(code)
    explorer.search = search
    assert explorer.run(None, None) == "complete"
    assert (explorer.states, explorer.transitions) == (STATES, TRANSITIONS)


def _endless() -> tuple[Any, Any]:
    layout = Layout(9)
    code = compiled(layout.ir())
    return layout.explorer(code), code


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c(threads: int) -> None:
    explorer, _code = _endless()
    explorer.threads = threads
    sent: list[float] = []

    def send() -> None:
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    # In the background of a shell, the signal is ignored unless somebody asks for it.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    explorer.max_seconds = 60.0  # should it not arrive
    timer = threading.Timer(0.3, send)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            explorer.run(None, None)
    finally:
        signal.signal(signal.SIGINT, before)
    assert time.monotonic() - sent[0] < 1  # 0.1 on a machine that has nothing else to do
    assert explorer.states > 0
    assert sum(explorer.transitions_by_action) == explorer.transitions


@pytest.mark.slow
def test_progress_is_seen_from_outside() -> None:
    explorer, _code = _endless()
    thread = threading.Thread(target=lambda: explorer.run(None, None))
    thread.start()
    seen = [0]
    while len(seen) < 5:
        time.sleep(0.02)
        if explorer.states > seen[-1]:
            seen.append(explorer.states)
            assert explorer.memory > 0
    asked = time.monotonic()
    explorer.interrupt()
    thread.join()
    assert time.monotonic() - asked < 1
    assert explorer.waiting > 0
