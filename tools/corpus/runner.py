"""Runs pieces of work in processes of their own, each with a limit of time and memory."""

from __future__ import annotations

import multiprocessing
import resource
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, Generic, TypeVar

from tools.corpus.outcome import Status

Key = TypeVar("Key")

Seen = dict[str, Any]
"""What a piece of work returns: fields of an outcome, by name."""
Work = Callable[[Callable[[Seen], None]], Seen]

# A forked child need not import the package again, which would take longer than most models.
_FORK = multiprocessing.get_context("fork")
# But it copies every page of its parent that it touches: where time is measured, it begins anew.
_FRESH = multiprocessing.get_context("spawn")


@dataclass(frozen=True, slots=True)
class Limits:
    """What one piece of work may use, and how many run at a time."""

    seconds: float = 60.0
    gigabytes: float = 6.0
    jobs: int = 2
    load_first: tuple[str, ...] = ()
    """Modules that each process loads by itself before its clock starts; if none, it is forked."""


@dataclass(frozen=True, slots=True)
class Job(Generic[Key]):
    """A piece of work; it may send fields ahead, which count even if it is killed later."""

    key: Key
    work: Work


@dataclass(slots=True)
class _Running(Generic[Key]):
    job: Job[Key]
    process: BaseProcess
    pipe: Connection
    started: float
    seen: Seen

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


def run_all(jobs: Sequence[Job[Key]], limits: Limits) -> Iterator[tuple[Key, Seen]]:
    """Yield what was seen of every job as it comes in; `status` is missing if all went well."""
    waiting = list(reversed(jobs))
    running: list[_Running[Key]] = []
    try:
        while waiting or running:
            while waiting and len(running) < limits.jobs:
                running.append(_start(waiting.pop(), limits))
            wait([r.pipe for r in running], timeout=0.2)
            for r in list(running):
                if _finished(r, limits):
                    running.remove(r)
                    r.end()
                    yield r.job.key, r.seen
    finally:
        for r in running:
            r.end()


def _start(job: Job[Key], limits: Limits) -> _Running[Key]:
    ours, theirs = _FORK.Pipe(duplex=False)
    arguments = (theirs, job.work, limits)
    process: BaseProcess
    if limits.load_first:
        process = _FRESH.Process(target=_child, args=arguments, daemon=True)
    else:
        process = _FORK.Process(target=_child, args=arguments, daemon=True)
    process.start()
    theirs.close()
    return _Running(job, process, ours, time.monotonic(), {})


def _finished(r: _Running[Key], limits: Limits) -> bool:
    elapsed = time.monotonic() - r.started
    try:
        while r.pipe.poll():
            last, fields = r.pipe.recv()
            r.seen |= fields
            if last:
                return True
    except EOFError:
        r.process.join()
        r.seen["status"] = Status.CRASH
        r.seen["error"] = f"the process ended with {r.process.exitcode}"
        r.seen["seconds"] = round(elapsed, 3)
        return True
    if elapsed > limits.seconds:
        r.seen |= {"status": Status.TIMEOUT, "seconds": round(elapsed, 3)}
        return True
    return False


def _child(pipe: Connection, work: Work, limits: Limits) -> None:
    size = int(limits.gigabytes * 2**30)
    resource.setrlimit(resource.RLIMIT_AS, (size, size))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for module in limits.load_first:
        import_module(module)
    began = time.monotonic()
    try:
        seen = work(lambda fields: pipe.send((False, fields)))
    except MemoryError:
        seen = {"status": Status.MEMORY}
    except Exception as error:  # noqa: BLE001 - whatever it is, it is our fault and to be reported
        frame = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{Path(frame.filename).name}:{frame.lineno} in {frame.name}"
        seen = {"status": Status.CRASH, "error": f"{type(error).__name__}: {error} ({place})"}
    pipe.send((True, {**seen, "seconds": round(time.monotonic() - began, 3)}))
    pipe.close()
