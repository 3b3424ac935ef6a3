"""A search within narrower limits than were asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final, TypeVar

from secateur.engine.limits import Limits, Meter, seconds_reached, states_reached
from secateur.engine.search.protocol import Task
from secateur.source.records import dataclass
from secateur.system.result import Result


@dataclass(frozen=True, slots=True)
class Attempt:
    """What was found, and whether that is all."""

    result: Result
    done: bool
    """Whether it has come to an end, or to a limit that was asked for."""


@dataclass(slots=True)
class Hasty(Meter):
    """Ends an attempt as soon as it is plain that it will take too long.

    Every state that waits has to be expanded: where the time left does not suffice for that at
    the pace so far, it is over.
    """

    _began: float | None = None
    """When the first states were known: to find them has a pace of its own."""
    _expanded: int = 0
    """How many states had been expanded by then."""

    def reason_to_stop(self, states: int, transitions: int, waiting: int) -> str | None:
        """Return why the attempt must end now, or None."""
        reason = Meter.reason_to_stop(self, states, transitions, waiting)
        limit = self.limits.seconds
        if reason is not None or limit is None:
            return reason
        now, expanded = self.seconds, states - waiting
        if self._began is None:
            self._began, self._expanded = now, expanded
        spent, done = now - self._began, expanded - self._expanded
        if spent < _ENOUGH * limit or _HOPE * (limit - now) * done > spent * waiting:
            return None
        return seconds_reached(limit)


_ENOUGH: Final = 0.15
"""The part of the time that it takes to know the pace."""
_HOPE: Final = 2.0
"""How many times as fast as so far it may go on."""


def tried(
    task: Task, search: Callable[[Task], Result], short: Limits, kind: type[Meter] = Meter
) -> Attempt:
    """Return the result of a short attempt."""
    given = task.meter.limits
    least = Limits(
        _less(given.states, short.states), _less(given.seconds, short.seconds), given.memory
    )
    meter = kind(least, task.meter.stop, task.meter.watcher, task.meter.started)
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
