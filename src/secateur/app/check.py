"""Checking a system as planned."""

from __future__ import annotations

from secateur.engine.limits import Meter, Stop, Watcher
from secateur.engine.plan import Wish, plan
from secateur.engine.search.protocol import Task
from secateur.system.result import Result, confirm
from secateur.system.system import System


def check(system: System, wish: Wish, stop: Stop, watcher: Watcher | None = None) -> Result:
    """Return the verdict on `system`; raise InputError if the wish is not lawful.

    Every trace is executed a second time before it is returned.
    """
    planned = plan(wish)
    task = Task(
        system=system,
        kinds=planned.kinds,
        ends=planned.ends,
        seed=planned.seed,
        ratio=planned.ratio,
        meter=Meter(planned.limits, stop, watcher),
    )
    result = planned.search.search(task)
    for violation in result.violations:
        confirm(violation)
    return result
