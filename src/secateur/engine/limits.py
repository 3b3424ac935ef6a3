"""When to stop looking, and what to tell meanwhile."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from resource import RUSAGE_SELF, getpagesize, getrusage


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a run may use; None is no limit.  Memory is the process's, in bytes."""

    states: int | None = None
    seconds: float | None = None
    memory: int | None = None


class Interrupted(BaseException):
    """Raised inside a run from outside, where it does not look at its `Stop` in time."""


@dataclass(slots=True)
class Stop:
    """A flag that another thread may set; the run that polls it ends with what it has."""

    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run has come."""

    states: int
    transitions: int
    waiting: int
    seconds: float
    memory: int


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

    limits: Limits = Limits()
    stop: Stop = field(default_factory=Stop)
    watcher: Watcher | None = None
    started: float = field(default_factory=time.monotonic)
    _looked: float = 0.0

    @property
    def seconds(self) -> float:
        """The time since the run began."""
        return time.monotonic() - self.started

    def reason_to_stop(self, states: int, transitions: int, waiting: int) -> str | None:
        """Return why the run must end now, or None; cheap enough to ask for every state."""
        if self.stop.reason is not None:
            return self.stop.reason
        seconds = self.seconds
        if self.limits.seconds is not None and seconds >= self.limits.seconds:
            return f"the limit of {self.limits.seconds:g} seconds was reached"
        if seconds - self._looked < _MEMORY_INTERVAL:
            return None
        self._looked = seconds
        memory = resident_memory()
        if self.watcher is not None:
            self.watcher(Progress(states, transitions, waiting, seconds, memory))
        if self.limits.memory is not None and memory >= self.limits.memory:
            return f"the limit of {self.limits.memory / 2**20:g} MB of memory was reached"
        return None
