"""Progress on stderr: a live line on a terminal, a plain line now and then in a pipe."""

from __future__ import annotations

import sys
from dataclasses import field
from typing import IO, Final

from secateur.cli.output import silence
from secateur.engine.limits import Progress
from secateur.source.records import dataclass

_PIPE_INTERVAL: Final = 5.0
_LIVE_INTERVAL: Final = 0.2


@dataclass(slots=True)
class ProgressPrinter:
    """Prints what a search tells, not more often than anyone can read."""

    stream: IO[str] = field(default_factory=lambda: sys.stderr)
    _next: float = 0.0
    _shown: int = 0

    def __post_init__(self) -> None:
        self._next = 0.0 if self.stream.isatty() else _PIPE_INTERVAL

    def __call__(self, progress: Progress) -> None:
        """Show `progress` if it is time for it."""
        if progress.alarm is not None:
            self.close()
            self._put(f"warning: {progress.alarm}\n")
            return
        if progress.seconds < self._next:
            return
        line = describe(progress)
        if self.stream.isatty():
            self._next = progress.seconds + _LIVE_INTERVAL
            self._put(f"\r{line:<{self._shown}}")
            self._shown = len(line)
        else:
            self._next = progress.seconds + _PIPE_INTERVAL
            self._put(line + "\n")

    def close(self) -> None:
        """Take the live line away."""
        if self._shown:
            self._put("\r" + " " * self._shown + "\r")
            self._shown = 0

    def _put(self, text: str) -> None:
        try:
            self.stream.write(text)
            self.stream.flush()
        except OSError:  # nobody listens any more; the search goes on
            silence(self.stream)


def describe(progress: Progress) -> str:
    """Return one line: states, rate, queue, memory, elapsed."""
    rate = progress.states / progress.seconds if progress.seconds > 0 else 0
    return (
        f"{progress.states} states, {progress.transitions} transitions, {rate:.0f} states/s, "
        f"{progress.waiting} waiting, {progress.memory / 2**20:.0f} MB, {progress.seconds:.1f} s"
    )
