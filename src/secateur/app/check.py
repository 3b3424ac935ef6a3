"""Checking a system as planned."""

from __future__ import annotations

from secateur.engine.limits import Meter, Stop, Watcher
from secateur.engine.plan import Wish, plan
from secateur.engine.search.protocol import Task
from secateur.system.result import Result
from secateur.system.system import System


def check(system: System, wish: Wish, stop: Stop, watcher: Watcher | None = None) -> Result:
    """Return the verdict on `system`; raise InputError if the wish is not lawful."""
    planned = plan(wish)
    task = Task(
        system=system,
        kinds=planned.kinds,
        collect=planned.collect,
        seed=planned.seed,
        ratio=planned.ratio,
        meter=Meter(planned.limits, stop, watcher),
    )
    return planned.search.search(task)
