"""Run something with a stack for deep input, and so that Ctrl-C ends it in good order.

Python cannot enlarge the main thread's stack, so the work runs in a thread of its own
while the main thread, which alone receives signals, waits for it.
"""

from __future__ import annotations

import ctypes
import sys
import threading
import time
from collections.abc import Callable
from typing import Final, Generic, TypeVar

from secateur.engine.limits import Interrupted, Stop

T = TypeVar("T")

INTERRUPTED_BY_USER: Final = "interrupted by the user"

_STACKS: Final = tuple(size << 20 for size in (512, 256, 64))
_BYTES_PER_CALL: Final = 2600  # measured: a call through `sorted(key=...)` needs the most
_PATIENCE: Final = 0.7  # seconds that a search gets to notice a request by itself


class _Worker(Generic[T]):
    """A thread with its work's outcome."""

    def __init__(self, work: Callable[[], T]) -> None:
        self._work = work
        self._value: list[T] = []
        self._error: BaseException | None = None
        self.thread = threading.Thread(target=self._run, name="secateur", daemon=True)

    def _run(self) -> None:
        try:
            self._value.append(self._work())
        except BaseException as error:  # handed on to the thread that waits
            self._error = error

    def outcome(self) -> T:
        """Return what the work returned, or raise what it raised."""
        if isinstance(self._error, Interrupted):
            raise KeyboardInterrupt
        if self._error is not None:
            raise self._error
        return self._value[0]

    def interrupt(self) -> None:
        """Raise Interrupted in the work, wherever it is."""
        if self.thread.ident is not None:
            identity = ctypes.c_ulong(self.thread.ident)
            ctypes.pythonapi.PyThreadState_SetAsyncExc(identity, ctypes.py_object(Interrupted))


def run_deep(work: Callable[[], T], stop: Stop | None = None) -> T:
    """Return `work()`, run with a large stack.

    The first Ctrl-C asks through `stop` for the partial result and insists if that is
    not noticed; a later one gives up on the result and raises KeyboardInterrupt.  The
    deadline in `stop` is enforced likewise.
    """
    stop = stop if stop is not None else Stop()
    worker = _Worker(work)
    _start(worker.thread)
    insist_at: float | None = None
    requests = 0
    while worker.thread.is_alive():
        try:
            worker.thread.join(0.1)
            if insist_at is None and stop.deadline is not None:
                insist_at = stop.deadline + _PATIENCE
            if insist_at is not None and time.monotonic() > insist_at and stop.interruptible:
                worker.interrupt()
                insist_at = time.monotonic() + 5 * _PATIENCE
        except KeyboardInterrupt:
            requests += 1
            if requests > 2:
                raise
            insist_at = time.monotonic() + _PATIENCE
            stop.reason = stop.reason or INTERRUPTED_BY_USER
            if requests == 2 or not stop.interruptible:
                worker.interrupt()
    return worker.outcome()


def _start(thread: threading.Thread) -> None:
    """Start `thread` with the largest stack that the system grants."""
    before = threading.stack_size()
    try:
        for size in _STACKS:
            try:
                threading.stack_size(size)
                thread.start()
            except (RuntimeError, ValueError):
                continue
            sys.setrecursionlimit(max(sys.getrecursionlimit(), size // _BYTES_PER_CALL))
            return
    finally:
        threading.stack_size(before)
    thread.start()
