"""Other searches beside a full one: a reduced one, and one of sets of states.

A full native search is quick, and most models are done with before it is found out what could
be left out of them, or before sets of their states have taken shape.  So while it goes on, it is
interrupted now and then for searches that may take a small part of the time spent so far: if one
comes to an end, it is the answer; if not, little was lost.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from typing import Any, Final

from secateur.app.checking.tried import tried
from secateur.engine.limits import Limits
from secateur.engine.plan import Plan
from secateur.engine.search.protocol import Task
from secateur.engine.symbolic.diagrams.registry import installed
from secateur.engine.symbolic.wish import usual_sets
from secateur.lang.lower import MachineSystem
from secateur.system.engine import Engine
from secateur.system.result import Result
from secateur.system.verdict import Incomplete

FIRST: Final = 2.0
"""Seconds before the first attempt."""
SHARE: Final = 0.15
"""The part of the time so far that a reduced search may take, and one of sets."""
LATER: Final = 3.0
"""The next attempt is made after so many times the time so far."""
COMPILING: Final = 2.0
"""How many times the compilation must fit into an attempt, for it compiles as well."""


class Settled(Exception):
    """Raised within the full search when another one has come to an end."""

    def __init__(self, result: Result) -> None:
        super().__init__("another search has come to an end")
        self.result = result


def _remark(result: Result) -> str:
    whys = [r.why_little for r in result.reductions if r.why_little]
    return ": ".join(["a reduced search was tried beside and was not done sooner", *whys])


class Aside:
    """Makes attempts; called now and then by the full search."""

    def __init__(
        self, task: Task, system: MachineSystem, planned: Plan, *, may_reduce: bool
    ) -> None:
        # It would report on another search than the one that is watched.
        self._task = replace(task, meter=replace(task.meter, watcher=None))
        self._system = system
        self._planned = planned
        self._may_reduce = may_reduce
        self._next = FIRST
        self.remarks: tuple[str, ...] = ()
        """What is to be said of the last attempts, if they came to no end."""
        self._sets: Any = None
        """The machine as sets of states see it."""

    def __call__(self, engine: Engine) -> None:
        """Make attempts if it is time for them; raise Settled if one was enough."""
        seconds = self._task.meter.seconds
        allowed = SHARE * seconds
        if seconds < self._next or allowed < COMPILING * (engine.compile_seconds or 0.0):
            return
        self.remarks = tuple(
            remark for remark in (self._reduced(allowed), self._as_sets(allowed)) if remark
        )
        self._next = LATER * self._task.meter.seconds

    def _reduced(self, allowed: float) -> str:
        """Leave out what need not be visited; return what is to be said if that takes too long."""
        if not self._may_reduce:
            return ""
        # Most full searches are done before: what this takes is loaded by those who need it.
        usual = import_module("secateur.analysis.effort").USUAL
        check_pruned: Callable[..., Result] = import_module(
            "secateur.app.checking.pruned"
        ).check_pruned
        effort = replace(usual, seconds=allowed / 2, solving=allowed / 4)
        attempt = tried(
            self._task,
            lambda task: check_pruned(task, self._system, self._planned, effort),
            self._until(allowed),
        )
        if not isinstance(attempt.result.verdict, Incomplete):
            raise Settled(attempt.result)
        return _remark(attempt.result)

    def _as_sets(self, allowed: float) -> str:
        """Explore sets of states; return what is to be said if that takes too long."""
        if not self._planned.may_be_symbolic or not installed():
            return ""
        symbolic = import_module("secateur.app.checking.symbolic")
        if self._sets is None:  # what it has learned about the layout serves the next attempt
            self._sets = symbolic.SymbolicMachine(self._system, self._planned.kinds)
        fit, why = symbolic.fitness(self._sets.prepare())
        if not fit:
            return f"sets of states were not tried: {why}"
        attempt = tried(
            self._task,
            lambda task: symbolic.explored(task, self._sets, usual_sets()),
            self._until(allowed),
        )
        told = f"sets of states were explored beside: {why}"
        result = attempt.result
        # Something may not be known of a model although all its states were visited.
        visited = result.statistics.states > 0 and not result.statistics.waiting
        all_visited = attempt.done and visited and result.engine.remark is not None
        # Where violations are collected, one that was found in time is not all of them.
        first_ends = self._planned.kinds <= self._planned.ends
        decided = not isinstance(result.verdict, Incomplete) and (attempt.done or first_ends)
        if decided or all_visited:
            raise Settled(replace(attempt.result, notes=(*attempt.result.notes, told)))
        return f"{told}, and were not done sooner"

    def _until(self, allowed: float) -> Limits:
        return Limits(seconds=self._task.meter.seconds + allowed)
