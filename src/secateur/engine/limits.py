"""When to stop looking, and what to tell meanwhile."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import field
from pathlib import Path
from resource import RUSAGE_SELF, getpagesize, getrusage
from threading import Lock
from typing import Final

from secateur.engine.codes import OPTION_OUT_OF_RANGE
from secateur.source import Diagnostic, InputError
from secateur.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a run may use; None is no limit.  Memory is the process's, in bytes."""

    states: int | None = None
    seconds: float | None = None
    memory: int | None = None


NO_LIMITS: Final = Limits()

INTERRUPTED_BY_USER: Final = "interrupted by the user"


def states_reached(limit: int) -> str:
    """Return what is said when no more states are allowed."""
    return f"the limit of {limit} states was reached"


def seconds_reached(limit: float) -> str:
    """Return what is said when the time is over."""
    return f"the limit of {limit:g} seconds was reached"


def memory_reached(limit: int) -> str:
    """Return what is said when no more memory is allowed."""
    return f"the limit of {_size(limit)} of memory was reached"


def _size(count: int) -> str:
    """Return a number of bytes in the largest unit of which there is one."""
    for power, unit in ((20, "MB"), (10, "KB")):
        if count >= 1 << power:
            return f"{count / (1 << power):g} {unit}"
    return f"{count} byte" if count == 1 else f"{count} bytes"


def objections_to_limits(limits: Limits) -> list[Diagnostic]:
    """Return what is wrong with limits: some allow nothing."""
    given = (("states", limits.states), ("seconds", limits.seconds), ("memory", limits.memory))
    return [
        Diagnostic(
            OPTION_OUT_OF_RANGE,
            f"the limit on {what} is {value:g}, which "
            + ("is no number" if math.isnan(value) else "allows nothing"),
            help="leave the option out for no limit",
        )
        for what, value in given
        if value is not None and not value > 0
    ]


def refuse_bad_limits(limits: Limits) -> None:
    """Raise InputError with every objection to limits, before anything is done within them."""
    objections = objections_to_limits(limits)
    if objections:
        raise InputError(*objections)


class Unfinished(Exception):
    """A limit was reached before there was anything to tell."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Interrupted(BaseException):
    """Raised inside a run from outside, where it does not look at its `Stop` in time."""


@dataclass(slots=True)
class Stop:
    """A word from another thread: with a `reason` set, the run ends with what it has.

    The run tells in turn whether it may be `interruptible`, or is `telling` what it has, and its
    `deadline` on the monotonic clock, for it may be deep in a computation when that is due.  While
    it is `preparing` it has nothing yet, and leaves it to others to look at its `memory`.  Who
    interrupts holds `guard`, so that the run cannot get out of reach meanwhile.
    """

    reason: str | None = None
    requests: int = 0
    """How often the user has asked for an end."""
    interruptible: bool = False
    telling: bool = False
    preparing: bool = False
    deadline: float | None = None
    memory: int | None = None
    guard: Lock = field(default_factory=Lock)


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run has come."""

    states: int
    transitions: int
    waiting: int
    seconds: float
    memory: int
    alarm: str | None = None
    """What the user should know at once."""


Watcher = Callable[[Progress], None]

_MEMORY_INTERVAL = 0.1
_PAGE = getpagesize()
_STATM = Path("/proc/self/statm")


def resident_memory() -> int:
    """Return the bytes of memory that this process occupies now (its peak, where that is all we get)."""
    try:
        return int(_STATM.read_text().split()[1]) * _PAGE
    except OSError:
        peak = getrusage(RUSAGE_SELF).ru_maxrss
        return peak if sys.platform == "darwin" else peak * 1024


@dataclass(slots=True)
class Meter:
    """Watches one run: compares it with its limits and reports on it."""

    limits: Limits = NO_LIMITS
    stop: Stop = field(default_factory=Stop)
    watcher: Watcher | None = None
    started: float = field(default_factory=time.monotonic)
    _looked: float = 0.0

    @property
    def seconds(self) -> float:
        """The time since the run began."""
        return time.monotonic() - self.started

    @contextmanager
    def running(self) -> Iterator[None]:
        """Mark the time in which the run can take an interruption; runs may be nested."""
        seconds = self.limits.seconds
        outside = self.stop.interruptible, self.stop.deadline
        self.stop.deadline = None if seconds is None else self.started + seconds
        self.stop.interruptible = True
        try:
            yield
        finally:
            try:
                self.stop.interruptible = False
                with self.stop.guard:  # an interruption under way arrives here, not later
                    self.stop.deadline = outside[1]
            finally:
                self.stop.interruptible = outside[0]

    @contextmanager
    def telling(self) -> Iterator[None]:
        """Mark the time in which results are put together: that is not interrupted any more."""
        before = self.stop.interruptible, self.stop.telling
        try:
            with self.stop.guard:  # an interruption under way arrives before, not within
                self.stop.interruptible, self.stop.telling = False, True
            yield
        finally:
            self.stop.interruptible, self.stop.telling = before

    @contextmanager
    def preparing(self) -> Iterator[None]:
        """Mark the time before there is anything to tell; raise Unfinished if a limit is reached."""
        self.stop.preparing, self.stop.memory = True, self.limits.memory
        try:
            with self.running():
                yield
        except Interrupted:
            if self.stop.requests:
                raise
            raise Unfinished(self.why_interrupted()) from None
        finally:
            self.stop.preparing, self.stop.memory = False, None

    def why_interrupted(self) -> str:
        """Return what an interruption from outside was about."""
        return self.stop.reason or self._overtime() or "interrupted"

    def _overtime(self) -> str | None:
        if self.limits.seconds is None or self.seconds < self.limits.seconds:
            return None
        return seconds_reached(self.limits.seconds)

    def alarm(self, text: str) -> None:
        """Tell who watches something at once."""
        if self.watcher is not None:
            self.watcher(Progress(0, 0, 0, self.seconds, resident_memory(), text))

    def reason_to_stop(self, states: int, transitions: int, waiting: int) -> str | None:
        """Return why the run must end now, or None; cheap enough to ask for every state."""
        if self.stop.reason is not None:
            return self.stop.reason
        overtime = self._overtime()
        if overtime is not None:
            return overtime
        seconds = self.seconds
        if seconds - self._looked < _MEMORY_INTERVAL:
            return None
        self._looked = seconds
        memory = resident_memory()
        if self.watcher is not None:
            self.watcher(Progress(states, transitions, waiting, seconds, memory))
        if self.limits.memory is not None and memory >= self.limits.memory:
            return memory_reached(self.limits.memory)
        return None
