"""A model checked in several ways, each with so much of the processor and no more.

What else a machine has to do does not change what comes to its end.
"""

from __future__ import annotations

import math
import multiprocessing
import resource
import signal
import time
from collections.abc import Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Final

import secateur
from secateur.app.model import CheckOptions, Model
from secateur.engine.pruning import CAVEAT
from secateur.source import InputError
from secateur.system.result import Result
from tools.promela.rows import SLOW, UNFINISHED, Side

LOADING: Final = 120.0
"""How long it may take to read a model, in seconds of the processor."""
_PATIENCE: Final = 20
"""How many seconds of the clock may pass for each one of the processor."""


def ours_of(
    model: Path, names: Sequence[str], seconds: float, options: CheckOptions
) -> dict[str, Side]:
    """Check a model in each way, in a process of its own that loads it once.

    What is found out about its actions serves all reductions.  After a way that comes to no
    end, another process goes on with those behind it.
    """
    found: dict[str, Side] = {}
    while len(found) < len(names):
        left = names[len(found) :]
        found.update(zip(left, _run(model, left, seconds, options), strict=False))
        if found[names[len(found) - 1]].note == f"{SLOW} to load":
            return {name: found.get(name, Side(-1, note=f"{SLOW} to load")) for name in names}
    return found


def _run(model: Path, names: Sequence[str], seconds: float, options: CheckOptions) -> list[Side]:
    """Return what the ways say, up to the first one that comes to no end."""
    receiver, sender = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.Process(target=_ours, args=(model, names, seconds, options, sender))
    process.start()
    sender.close()
    found: list[Side] = []
    loaded = False
    while len(found) < len(names):
        limit = seconds if loaded else LOADING
        try:
            said = receiver.recv() if receiver.poll(_PATIENCE * limit) else None
        except EOFError:
            process.join()
            if process.exitcode != -signal.SIGXCPU:
                found.append(Side(-1, note="ended without an answer"))
                break
            said = None
        if said is None:
            found.append(Side(-1, note=SLOW if loaded else f"{SLOW} to load"))
            break
        if isinstance(said, Side):
            found.append(said)
        loaded = True
    process.kill()
    process.join()
    return found


def allow(seconds: float) -> None:
    """Let this process end itself after so many more seconds of the processor."""
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (math.ceil(time.process_time() + seconds), hard))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _ours(
    model: Path, names: Sequence[str], seconds: float, options: CheckOptions, answer: Connection
) -> None:
    allow(LOADING)
    try:
        loaded = secateur.load(model)
    except InputError as why:
        for _ in names:
            answer.send(Side(-1, note=f"refused: {why.diagnostics[0].code}"))
        return
    answer.send("loaded")
    for name in names:
        allow(seconds)
        por, _, proviso = name.partition("/")
        asked: CheckOptions = {"por": por, "symmetry": "none", "engine": "explicit", "all": True}
        if proviso:
            asked |= {"proviso": proviso, "experiment": proviso == "none"}
        asked |= options
        answer.send(_side(loaded, loaded.check(**asked)))


def _side(model: Model, result: Result) -> Side:
    counted = result.statistics
    # A sequence that is cut has states that are none to Spin.
    states = counted.states - sum(counted.fresh.get(name, 0) for name in model.typed.inner)
    errors = frozenset(v.kind.value for v in result.violations)
    cut = [reason for reason in result.reasons if reason != CAVEAT]
    return Side(states, errors, UNFINISHED if cut else "")
