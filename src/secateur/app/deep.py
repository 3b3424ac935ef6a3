"""Run something with a stack for deep input, and so that Ctrl-C ends it in good order.

Python cannot enlarge the main thread's stack, so the work runs in a thread of its own
while the main thread, which alone receives signals, waits for it.
"""

from __future__ import annotations

import ctypes
import math
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, Generic, TypeVar

from secateur.app.checking.sweeping import seldom_swept
from secateur.engine.limits import (
    INTERRUPTED_BY_USER,
    Interrupted,
    Stop,
    memory_reached,
    resident_memory,
)

T = TypeVar("T")

_STACKS: Final = tuple(size << 20 for size in (512, 256, 64))
_BYTES_PER_CALL: Final = 2600  # measured: a call through `sorted(key=...)` needs the most
_PATIENCE: Final = 0.7  # seconds that a search gets to notice a request by itself


class _Worker(threading.Thread, Generic[T]):
    """A thread with its work's outcome."""

    def __init__(self, work: Callable[[Stop], T]) -> None:
        super().__init__(name="secateur", daemon=True)
        self.stop = Stop()
        self.done = threading.Event()  # `join` believes a thread dead after Ctrl-C (bpo-45274)
        self._work = work
        self._value: list[T] = []
        self._error: BaseException | None = None

    def run(self) -> None:
        """Do the work and keep what comes of it."""
        try:
            self._value.append(self._work(self.stop))
        except BaseException as error:  # noqa: BLE001 - handed on to the thread that waits
            self._error = error
        finally:
            self.done.set()

    def outcome(self) -> T:
        """Return what the work returned, or raise what it raised."""
        if isinstance(self._error, Interrupted):
            raise KeyboardInterrupt
        if self._error is not None:
            raise self._error
        return self._value[0]

    def insist(self, asked: float, insisted: float) -> bool:
        """Raise Interrupted in the work if it is late and can take that; return whether it was done.

        `asked`: when it was asked to end; `insisted`: when this was done before.
        """
        stop = self.stop
        with stop.guard:
            # The work may consist of several runs, each with a deadline of its own.  None can get
            # out of reach now, so that a run does not pay for the one before.
            due = min(asked, math.inf if stop.deadline is None else stop.deadline)
            late = time.monotonic() > max(due + _PATIENCE, insisted + 5 * _PATIENCE)
            insisting = late and stop.interruptible
            if insisting:
                self.interrupt()
            return insisting

    def interrupt(self) -> None:
        """Raise Interrupted in the work, wherever it is."""
        if self.ident is not None:
            identity = ctypes.c_ulong(self.ident)
            ctypes.pythonapi.PyThreadState_SetAsyncExc(identity, ctypes.py_object(Interrupted))


def run_deep(work: Callable[[Stop], T]) -> T:
    """Return `work(stop)`, run with a large stack; at once if this is such a thread already.

    The first Ctrl-C asks through `stop` for the partial result and insists if that is
    not noticed, unless it is being told; a later one gives up on the result and raises
    KeyboardInterrupt.  A deadline that the work sets in `stop` is enforced likewise.
    """
    here = threading.current_thread()
    if isinstance(here, _Worker):
        return work(here.stop)
    worker = _Worker(work)
    with seldom_swept() as sweep, _quiet_interruptions():
        _start(worker)
        _wait(worker, sweep)
    return worker.outcome()


@contextmanager
def _quiet_interruptions() -> Iterator[None]:
    """Do not tell of an interruption that hits where nothing can be raised.

    That is so while a generator is closed, for one.  The request is repeated in a while.
    """
    tell = sys.unraisablehook

    def hook(unraisable: sys.UnraisableHookArgs) -> None:
        if not isinstance(unraisable.exc_value, Interrupted):
            tell(unraisable)

    sys.unraisablehook = hook
    try:
        yield
    finally:
        sys.unraisablehook = tell


def _wait(worker: _Worker[T], sweep: Callable[[], None]) -> None:
    stop = worker.stop
    asked = math.inf
    insisted = -math.inf
    while not worker.done.is_set():
        try:
            worker.done.wait(0.1)
            sweep()
            limit = stop.memory  # the work may take it back at any time
            if limit is not None and resident_memory() >= limit:
                stop.reason = stop.reason or memory_reached(limit)
                asked = min(asked, time.monotonic() - 2 * _PATIENCE)
            if worker.insist(asked, insisted):
                insisted = time.monotonic()
        except KeyboardInterrupt:
            stop.requests += 1
            if stop.requests > 2:
                raise
            asked = time.monotonic()
            stop.reason = stop.reason or INTERRUPTED_BY_USER
            patient = (stop.interruptible or stop.telling) and not stop.preparing
            if stop.requests == 2 or not patient:
                worker.interrupt()


def _start(thread: threading.Thread) -> None:
    """Start `thread` with the largest stack that the system grants."""
    before = threading.stack_size()
    limit = sys.getrecursionlimit()
    try:
        sys.set_int_max_str_digits(0)  # numbers are of any size, and printed as such
        for size in _STACKS:
            try:
                threading.stack_size(size)
                sys.setrecursionlimit(max(limit, size // _BYTES_PER_CALL))
                thread.start()
            except (RuntimeError, ValueError):
                sys.setrecursionlimit(limit)
                continue
            return
    finally:
        threading.stack_size(before)
    thread.start()
