"""Measuring ourselves: `python -m bench.ours MODEL [options]` prints one JSON object."""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from importlib import import_module
from pathlib import Path
from resource import RUSAGE_SELF, getrusage

import secateur


@dataclass(frozen=True, slots=True)
class Measured:
    """One run.

    Seconds of processors include packing, compiling and the statistics, but not the loading
    of our modules and of the model.
    """

    verdict: str
    engine: str
    states: int
    transitions: int
    cpu: float
    wall: float
    jit: float
    bytes_per_state: float
    peak: int
    """The most memory that the process had, in bytes."""
    search: float = 0.0
    """Seconds of the processor for the exploration alone, of one thread."""
    statistics: float = 0.0
    """Those for counting the values of variables afterwards."""


def measure(model: Path, options: str) -> Measured:
    """Measure in a process of its own, so that nothing is warm."""
    command = [sys.executable, "-m", "bench.ours", str(model), *options.split()]
    # An installation has its modules as byte code; to make that is not what is measured.
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(command, check=False, capture_output=True, text=True, env=environment)
    if done.returncode != 0:
        sys.exit(f"{model}: {done.stderr}")
    return Measured(**json.loads(done.stdout))


def _measure(path: Path, given: argparse.Namespace) -> Measured:
    model = secateur.load(path)
    import_module("secateur.app.checking.native")  # modules are loaded once, whatever is explored
    wall, cpu = time.perf_counter(), time.process_time()
    result = model.check(
        all=True,
        deadlock=False,
        native=True,
        threads=given.threads,
        compress=given.compress,
        fingerprint=given.fingerprint,
        por=given.por,
        engine=given.engine,
        max_seconds=given.max_seconds,
    )
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    counted, engine = result.statistics, result.engine
    return Measured(
        type(result.verdict).__name__,
        engine.name,
        counted.states,
        counted.transitions,
        cpu,
        wall,
        engine.compile_seconds or 0.0,
        (engine.memory or 0) / max(1, counted.states),
        getrusage(RUSAGE_SELF).ru_maxrss * 1024,
        engine.search_seconds or 0.0,
        engine.statistics_seconds or 0.0,
    )


def main() -> None:
    """Measure the model on the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--compress", action="store_true")
    parser.add_argument("--fingerprint", action="store_true")
    parser.add_argument("--por", default="auto")
    parser.add_argument("--engine", default="auto")
    parser.add_argument("--max-seconds", type=float)
    given = parser.parse_args()
    print(json.dumps(asdict(_measure(given.model, given))))


if __name__ == "__main__":
    main()
