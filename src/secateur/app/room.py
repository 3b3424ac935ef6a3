"""Beginning anew with more room.

A model may be made for fewer processes than it turns out to have (`Model.larger` in
`lang/model.py`): what a run finds then is not all there is, and it is done again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final, TypeVar

from secateur.engine.limits import NO_LIMITS, Limits, Unfinished, seconds_reached

T = TypeVar("T")

_MOMENT: Final = 0.001
"""The seconds that are left where making room took all the others."""


def with_room(
    work: Callable[[float | None], T],
    grow: Callable[[Limits], bool],
    *,
    limits: Limits = NO_LIMITS,
    again: Callable[[T], bool] = lambda _: True,
    because: Callable[[T, str], T] = lambda found, _: found,
) -> T:
    """Return what `work` finds, done anew while there is too little room and `again` says so.

    `grow` makes room and says whether there was too little.  `work` is told how many seconds are
    left; when there are none, what was found last is returned, and so it is `because` of a limit
    that is reached while room is made.  What was found before a model grew is not about that
    model any more, so then something is always found anew.
    """
    seconds = limits.seconds
    began = time.monotonic()

    def left() -> float | None:
        return None if seconds is None else max(seconds - (time.monotonic() - began), _MOMENT)

    found = work(seconds)
    while again(found):
        if seconds is not None and time.monotonic() - began >= seconds:
            break
        hurried = replace(limits, seconds=left())
        try:
            if not grow(hurried):
                break
        except Unfinished as late:
            (reason,) = as_asked((late.reason,), hurried.seconds, seconds)
            return because(found, f"{reason} while room was made for more processes")
        found = work(left())
    return found


def as_asked(reasons: Iterable[str], left: float | None, seconds: float | None) -> tuple[str, ...]:
    """Return the reasons of a run that had `left`, told with the limit that was asked for."""
    if left is None or seconds is None:
        return tuple(reasons)
    said, meant = seconds_reached(left), seconds_reached(seconds)
    return tuple(meant if reason == said else reason for reason in reasons)
