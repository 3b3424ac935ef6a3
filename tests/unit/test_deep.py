"""Work with a large stack."""

from __future__ import annotations

import threading

import pytest

from secateur.app.deep import run_deep
from secateur.engine.limits import Stop


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
