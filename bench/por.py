"""`python -m bench --por`: what partial order reduction costs, in seconds of the processor.

1. Where nothing is saved: `--por auto` against `--por none`, from the model in memory to the verdict.
2. Where a reduction is at work: what a state that is visited costs, successors and everything,
   beside what it costs without reduction.  The search alone counts, less the analysis of events,
   which is done once for each pair of them, whatever the number of states.

Both are measured in turn, each in a process of its own, and the best of several rounds counts.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from unittest.mock import patch

import secateur
from bench.cases import CORPUS, MODELS
from secateur._native import Explorer

MOST_IDLE: Final = 1.25
"""What `--por auto` may cost where it saves nothing."""
MOST_PER_STATE: Final = 3.0
"""What a state may cost with reduction, beside one without."""


@dataclass(frozen=True, slots=True)
class Measured:
    """One run: the states, and seconds of the processor for everything and for the search."""

    states: int
    total: float
    search: float


@dataclass(frozen=True, slots=True)
class Idle:
    """A model that is not reduced; with `processes`, as many as these instead of 12."""

    model: Path
    asked: str
    processes: int = 12


@dataclass(frozen=True, slots=True)
class Active:
    """A model, what is asked for, and the reductions that are tried."""

    model: Path
    asked: str
    reductions: tuple[str, ...]


_POR: Final = CORPUS / "Ivo/BenchmarksPOR"
IDLE: Final = (
    Idle(MODELS / "Scheduler12.mch", "invariant"),
    Idle(MODELS / "Scheduler12.mch", "invariant", processes=13),  # long enough to try
    Idle(MODELS / "TokenRing16.mch", "deadlock"),
    Idle(CORPUS / "Benchmarks/obsw_M001_eventb.mch", "deadlock"),
    Idle(CORPUS / "Benchmarks/CAN_BUS.mch", "invariant"),
)
# Models of which so much is left that the time for a state can be told.
ACTIVE: Final = (
    Active(MODELS / "TokenRing16.mch", "deadlock", ("stubborn", "upset")),
    Active(MODELS / "TokenRing16.mch", "invariant", ("stubborn", "ample")),
    Active(CORPUS / "Tickets/93/lift.eventb", "invariant", ("stubborn", "ample")),
    Active(MODELS / "Scheduler12.mch", "deadlock", ("stubborn", "upset")),
    Active(CORPUS / "Benchmarks/CAN_BUS.mch", "deadlock", ("stubborn",)),
    Active(_POR / "Sieve/sieve_parallel_mch.eventb", "deadlock", ("stubborn", "upset")),
    Active(
        _POR / "Concurrent_Program_Development/conc_1_mch_finite.eventb", "deadlock", ("upset",)
    ),
)


class Timed(Explorer):
    """An explorer that tells how long it was at work, less what others did for it."""

    seconds = 0.0

    def run(self, step: Any, check: Any, row: Any = None, poll: Any = None) -> str:
        """Run, and look at the clock."""
        begun = time.thread_time()
        apart = 0.0

        def timed(relation: str, of: int, conjunct: int) -> Sequence[int]:
            nonlocal apart
            asked = time.thread_time()
            found: Sequence[int] = row(relation, of, conjunct)
            apart += time.thread_time() - asked
            return found

        ending = super().run(step, check, None if row is None else timed, poll)
        Timed.seconds = time.thread_time() - begun - apart  # that of the last run counts
        return ending


def run(path: Path, asked: str, por: str) -> Measured:
    """Check a model in this process."""
    model = secateur.load(path)
    begun = time.process_time()
    with patch("secateur.engine.native.explore.Explorer", Timed):
        result = model.check(
            por=por,
            all=True,
            native=True,
            deadlock=asked == "deadlock",
            invariant=asked == "invariant",
            assertions=False,
            goal=False,
            refinement=False,
            variant=False,
        )
    total = time.process_time() - begun
    return Measured(result.statistics.states, total, Timed.seconds)


def measure(path: Path, asked: str, por: str) -> Measured:
    """Check a model in a process of its own, so that nothing is warm."""
    command = [sys.executable, "-m", "bench.por", str(path), asked, por]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{path}: {done.stderr}")
    return Measured(**json.loads(done.stdout))


def table(rounds: int, only: str) -> int:
    """Measure, print both tables, and return 1 if something costs too much."""
    idle = show(_idle(rounds, only), "where nothing is saved, everything", MOST_IDLE)
    active = show(_active(rounds, only), "per state, the search alone", MOST_PER_STATE)
    return 0 if idle and active else 1


Row = tuple[str, Measured, Measured, float]


def show(rows: Iterable[Row], title: str, most: float) -> bool:
    """Print a table; return whether no ratio is greater than `most`."""
    print(f"\n{title:44}{'states':>10}{'-> reduced':>11}{'CPU s':>8}{'->':>8}{'ratio':>7}")
    right = True
    for name, plain, reduced, ratio in rows:
        within = ratio <= most
        right &= within
        remark = "" if within else f"  more than {most}"
        print(
            f"{name:44}{plain.states:10}{reduced.states:11}{plain.search:8.2f}"
            f"{reduced.search:8.2f}{ratio:7.2f}{remark}",
            flush=True,
        )
    return right


def _idle(rounds: int, only: str) -> Iterable[Row]:
    for case in IDLE:
        if not _present(case.model, only):
            continue
        with TemporaryDirectory() as folder:
            model = case.model if case.processes == 12 else _larger(case, Path(folder))
            plain, reduced = _alternately(rounds, model, case.asked, ("none", "auto"))
            best, other = _best(plain, _total), _best(reduced, _total)
            yield (
                f"{model.stem} {case.asked} auto",
                Measured(best.states, best.total, best.total),
                Measured(other.states, other.total, other.total),
                other.total / best.total,
            )


def _larger(case: Idle, folder: Path) -> Path:
    """Write a model with more processes."""
    more = ", ".join(f"p{n}" for n in range(12, case.processes + 1))
    path = folder / case.model.name.replace("12", str(case.processes))
    text = case.model.read_text(encoding="utf-8").replace("p12", more)
    path.write_text(text.replace("12", str(case.processes), 1), encoding="utf-8")
    return path


def _active(rounds: int, only: str) -> Iterable[Row]:
    for case in ACTIVE:
        if not _present(case.model, only):
            continue
        names = ("none", *case.reductions)
        plain, *others = _alternately(rounds, case.model, case.asked, names)
        best = _best(plain, _search)
        for name, runs in zip(case.reductions, others, strict=True):
            reduced = _best(runs, _search)
            ratio = _per_state(reduced) / _per_state(best)
            yield f"{case.model.stem} {case.asked} {name}", best, reduced, ratio


def _present(model: Path, only: str) -> bool:
    if not model.exists():
        print(f"NOT MEASURED: {model}, which is not there")
    return model.exists() and only.lower() in model.stem.lower()


def _alternately(
    rounds: int, model: Path, asked: str, names: tuple[str, ...]
) -> list[list[Measured]]:
    runs: list[list[Measured]] = [[] for _ in names]
    for _ in range(rounds):
        for name, into in zip(names, runs, strict=True):
            into.append(measure(model, asked, name))
    return runs


def _best(runs: list[Measured], key: Callable[[Measured], float]) -> Measured:
    return min(runs, key=key)


def _total(run: Measured) -> float:
    return run.total


def _search(run: Measured) -> float:
    return run.search


def _per_state(run: Measured) -> float:
    return run.search / run.states


def main() -> None:
    """Measure the run on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("asked")
    parser.add_argument("por")
    given = parser.parse_args()
    print(json.dumps(asdict(run(given.model, given.asked, given.por))))


if __name__ == "__main__":
    main()
