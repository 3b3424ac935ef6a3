"""One run of one model, and what is to be known of it."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from secateur import load
from secateur.app.model import CheckOptions
from tools.por.compare import NOTHING

CLASSES: Final[Mapping[str, CheckOptions]] = {
    # all deadlocks are collected, so that their number can be compared
    "deadlock": {**NOTHING, "deadlock": True, "all": True},
    "deadlock+invariant": {**NOTHING, "deadlock": True, "invariant": True},
    "invariant": {**NOTHING, "invariant": True},
}


@dataclass(frozen=True, slots=True)
class Run:
    """The size of what was explored, and what was found."""

    states: int
    transitions: int
    verdict: str
    deadlocks: int
    """The number of states that were seen to be deadlocks."""
    engine: str
    analysis: float
    """Seconds to find out how actions are related."""
    seconds: float
    """From loading to the verdict, the analysis included."""
    finished: bool

    def size(self) -> str:
        """Return states and transitions for a table."""
        return f"{self.states:,} / {self.transitions:,}"


def measure(file: Path, options: CheckOptions, seconds: float, setups: int | None = None) -> Run:
    """Load a model and check it, with nothing kept from earlier runs."""
    with _empty_cache():
        start = time.perf_counter()
        asked: CheckOptions = {**options, "max_seconds": seconds}
        result = load(file, max_setups=setups).check(**asked)
        spent = time.perf_counter() - start
    return Run(
        states=result.statistics.states,
        transitions=result.statistics.transitions,
        verdict=type(result.verdict).__name__.lower(),
        deadlocks=sum(v.count for v in result.violations if v.kind.value == "deadlock"),
        engine=result.engine.name,
        analysis=sum(r.seconds for r in result.reductions),
        seconds=spent,
        finished=not any("seconds was reached" in reason for reason in result.reasons),
    )


@contextmanager
def _empty_cache() -> Iterator[None]:
    """Let answers of the solver be kept in a folder that is thrown away."""
    before = os.environ.get("XDG_CACHE_HOME")
    with TemporaryDirectory() as folder:
        os.environ["XDG_CACHE_HOME"] = folder
        try:
            yield
        finally:
            if before is None:
                del os.environ["XDG_CACHE_HOME"]
            else:
                os.environ["XDG_CACHE_HOME"] = before


def line(cells: Sequence[str]) -> str:
    """Return one line of a table."""
    return f"| {' | '.join(cells)} |"


def head(names: Sequence[str]) -> str:
    """Return the first two lines of a table."""
    return f"{line(names)}\n|{'---|' * len(names)}"
