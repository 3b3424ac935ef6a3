"""Checking a system as planned, with the engine that is fit for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from typing import Final

from secateur.engine.limits import (
    Limits,
    Meter,
    Stop,
    Watcher,
    seconds_reached,
    states_reached,
)
from secateur.engine.native.available import why_not_native
from secateur.engine.plan import Plan, Wish, plan
from secateur.engine.search.protocol import Task
from secateur.lang.lower import MachineSystem
from secateur.system.result import Engine, Result, confirm
from secateur.system.system import System

TRIED_STATES: Final = 1000
TRIED_SECONDS: Final = 0.3
"""A model that is done with within these is not worth compiling."""


def check(system: System, wish: Wish, stop: Stop, watcher: Watcher | None = None) -> Result:
    """Return the verdict on `system`; raise InputError if the wish is not lawful.

    Every trace is executed a second time before it is returned.
    """
    planned = plan(wish)
    meter = Meter(planned.limits, stop, watcher)
    task = Task(system, planned.kinds, planned.ends, planned.seed, planned.ratio, meter)
    why_not = "not asked for" if planned.native is False else why_not_native()
    if why_not is not None or not isinstance(system, MachineSystem):
        result = _confirmed(planned.search.search(task), executed=False)
        return _without_native(result, planned, why_not)
    # With fingerprints even a small model is not said to hold: what is asked for is done.
    patient = planned.native is None and not planned.fingerprint
    quick = _tried(task, planned) if patient else None
    if quick is not None:
        return _confirmed(quick, executed=False)
    # Loading the compiler takes a while, and most models do not need it.
    explore: Callable[..., Result] = import_module("secateur.app.native").explore_machine
    # The native engine knows states; the steps between them were executed by the evaluator.
    return _confirmed(explore(task, system, planned), executed=True)


def _without_native(result: Result, planned: Plan, why: str | None) -> Result:
    """Return the result of the Python engine, which says so where the other is missed."""
    if why is None:
        return result
    asked = planned.compress or planned.fingerprint or planned.threads > 1
    if not asked and result.statistics.states <= TRIED_STATES:
        return result
    return replace(result, engine=Engine(remark=f"not native: {why}"))


def _confirmed(result: Result, *, executed: bool) -> Result:
    for violation in result.violations:
        confirm(violation, executed=executed)
    return result


def _tried(task: Task, planned: Plan) -> Result | None:
    """Return the result of a short attempt in Python, or None if it has not come to an end."""
    given = task.meter.limits
    most_states = TRIED_STATES if given.states is None else min(given.states, TRIED_STATES)
    most_seconds = TRIED_SECONDS if given.seconds is None else min(given.seconds, TRIED_SECONDS)
    short = Limits(most_states, most_seconds, given.memory)
    meter = Meter(short, task.meter.stop, task.meter.watcher, task.meter.started)
    result = planned.search.search(replace(task, meter=meter))
    too_short = set()
    if most_states != given.states:
        too_short.add(states_reached(most_states))
    if most_seconds != given.seconds:
        too_short.add(seconds_reached(most_seconds))
    return None if too_short & set(result.reasons) else result
