"""A reduced search beside a full one.

A full native search is quick, and most models are done with before it is found out what could
be left out of them.  So while it goes on, it is interrupted now and then for a reduced search
that may take a small part of the time spent so far: if that comes to an end, it is the answer;
if not, little was lost.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from secateur.analysis.effort import USUAL
from secateur.app.pruned import check_pruned
from secateur.app.tried import tried
from secateur.engine.limits import Limits
from secateur.engine.plan import Plan
from secateur.engine.search.protocol import Task
from secateur.lang.lower import MachineSystem
from secateur.system.engine import Engine
from secateur.system.result import Result
from secateur.system.verdict import Incomplete

FIRST: Final = 2.0
"""Seconds before the first attempt."""
SHARE: Final = 0.15
"""The part of the time so far that an attempt may take."""
LATER: Final = 3.0
"""The next attempt is made after so many times the time so far."""
COMPILING: Final = 2.0
"""How many times the compilation must fit into an attempt, for it compiles as well."""


class Settled(Exception):
    """Raised within the full search when the reduced one has come to an end."""

    def __init__(self, result: Result) -> None:
        super().__init__("a reduced search has come to an end")
        self.result = result


def _remark(result: Result) -> str:
    whys = [r.why_little for r in result.reductions if r.why_little]
    return ": ".join(["a reduced search was tried beside and was not done sooner", *whys])


class Aside:
    """Makes attempts; called now and then by the full search."""

    def __init__(self, task: Task, system: MachineSystem, planned: Plan) -> None:
        # It would report on another search than the one that is watched.
        self._task = replace(task, meter=replace(task.meter, watcher=None))
        self._system = system
        self._planned = planned
        self._next = FIRST
        self.remarks: tuple[str, ...] = ()
        """What is to be said of the last attempt, if it came to no end."""

    def __call__(self, engine: Engine) -> None:
        """Make an attempt if it is time for one; raise Settled if that was enough."""
        seconds = self._task.meter.seconds
        allowed = SHARE * seconds
        if seconds < self._next or allowed < COMPILING * (engine.compile_seconds or 0.0):
            return
        effort = replace(USUAL, seconds=allowed / 2, solving=allowed / 4)
        attempt = tried(
            self._task,
            lambda task: check_pruned(task, self._system, self._planned, effort),
            Limits(seconds=seconds + allowed),
        )
        if not isinstance(attempt.result.verdict, Incomplete):
            raise Settled(attempt.result)
        self.remarks = (_remark(attempt.result),)
        self._next = LATER * self._task.meter.seconds
