"""A search within narrower limits than were asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

from secateur.engine.limits import Limits, Meter, seconds_reached, states_reached
from secateur.engine.search.protocol import Task
from secateur.system.result import Result


@dataclass(frozen=True, slots=True)
class Attempt:
    """What was found, and whether that is all."""

    result: Result
    done: bool
    """Whether it has come to an end, or to a limit that was asked for."""


def tried(task: Task, search: Callable[[Task], Result], short: Limits) -> Attempt:
    """Return the result of a short attempt."""
    given = task.meter.limits
    least = Limits(
        _less(given.states, short.states), _less(given.seconds, short.seconds), given.memory
    )
    meter = Meter(least, task.meter.stop, task.meter.watcher, task.meter.started)
    result = search(replace(task, meter=meter))
    too_short = set()
    if least.states is not None and least.states != given.states:
        too_short.add(states_reached(int(least.states)))
    if least.seconds is not None and least.seconds != given.seconds:
        too_short.add(seconds_reached(least.seconds))
    return Attempt(result, not too_short & set(result.reasons))


Number = TypeVar("Number", int, float)


def _less(a: Number | None, b: Number | None) -> Number | None:
    """Return the lesser of two limits, None being no limit."""
    return a if b is None else b if a is None else min(a, b)
