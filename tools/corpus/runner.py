"""Runs models in processes of their own, each with a limit of time and memory."""

from __future__ import annotations

import multiprocessing
import resource
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from tools.corpus.drive import examine
from tools.corpus.outcome import Outcome, Status
from tools.corpus.records import Record

# A forked child need not import the package again, which would take longer than most models.
_FORK = multiprocessing.get_context("fork")


@dataclass(frozen=True, slots=True)
class Limits:
    """What one model may use, and how many run at a time."""

    seconds: float = 60.0
    gigabytes: float = 6.0
    jobs: int = 2


@dataclass(frozen=True, slots=True)
class Task:
    """A model to look at; `explore` is false where loading it is enough."""

    record: Record
    file: Path
    explore: bool


@dataclass(slots=True)
class _Running:
    task: Task
    process: BaseProcess
    pipe: Connection
    started: float
    loaded: bool = False

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


def run_all(tasks: Sequence[Task], limits: Limits) -> Iterator[Outcome]:
    """Yield the outcome of every task as it comes in."""
    waiting = list(reversed(tasks))
    running: list[_Running] = []
    try:
        while waiting or running:
            while waiting and len(running) < limits.jobs:
                running.append(_start(waiting.pop(), limits))
            wait([r.pipe for r in running], timeout=0.2)
            for r in list(running):
                outcome = _poll(r, limits)
                if outcome is not None:
                    running.remove(r)
                    r.end()
                    yield outcome
    finally:
        for r in running:
            r.end()


def _start(task: Task, limits: Limits) -> _Running:
    ours, theirs = _FORK.Pipe(duplex=False)
    process = _FORK.Process(target=_child, args=(theirs, task, limits), daemon=True)
    process.start()
    theirs.close()
    return _Running(task, process, ours, time.monotonic())


def _poll(r: _Running, limits: Limits) -> Outcome | None:
    elapsed = time.monotonic() - r.started
    try:
        while r.pipe.poll():
            message = r.pipe.recv()
            if message == "loaded":
                r.loaded = True
            else:
                return _finished(r, message, elapsed)
    except EOFError:
        r.process.join()
        return _finished(r, {"error": f"the process ended with {r.process.exitcode}"}, elapsed)
    if elapsed > limits.seconds:
        return _finished(r, {"status": Status.TIMEOUT}, elapsed)
    return None


def _finished(r: _Running, seen: dict[str, Any], elapsed: float) -> Outcome:
    outcome = Outcome(r.task.record.path, r.task.record.tier, loaded=r.loaded)
    outcome.seconds = round(elapsed, 3)
    for name, value in seen.items():
        setattr(outcome, name, value)
    return outcome


def _child(pipe: Connection, task: Task, limits: Limits) -> None:
    size = int(limits.gigabytes * 2**30)
    resource.setrlimit(resource.RLIMIT_AS, (size, size))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    loaded: Callable[[], None] = lambda: pipe.send("loaded")  # noqa: E731
    try:
        seen = examine(task.file, explore=task.explore, loaded=loaded)
    except MemoryError:
        seen = {"status": Status.MEMORY}
    except Exception as error:  # noqa: BLE001 - whatever it is, it is our fault and to be reported
        frame = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{Path(frame.filename).name}:{frame.lineno} in {frame.name}"
        seen = {"status": Status.CRASH, "error": f"{type(error).__name__}: {error} ({place})"}
    pipe.send(seen)
    pipe.close()
