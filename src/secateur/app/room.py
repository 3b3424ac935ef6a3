"""Beginning anew with more room.

A model may be made for fewer processes than it turns out to have (`Model.larger` in
`lang/model.py`): what a run finds then is not all there is, and it is done again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Final, TypeVar

from secateur.engine.limits import seconds_reached

T = TypeVar("T")

_MOMENT: Final = 0.001
"""The seconds that are left where making room took all the others."""


def with_room(
    work: Callable[[float | None], T],
    grow: Callable[[], bool],
    *,
    seconds: float | None = None,
    again: Callable[[T], bool] = lambda _: True,
) -> T:
    """Return what `work` finds, done anew while there is too little room and `again` says so.

    `grow` makes room and says whether there was too little.  `work` is told how many of the
    `seconds` are left; when there are none, what was found last is returned.  What was found
    before a model grew is not about that model any more, so then something is always found anew.
    """
    began = time.monotonic()
    found = work(seconds)
    while again(found):
        over = seconds is not None and time.monotonic() - began >= seconds
        if over or not grow():
            break
        left = None if seconds is None else seconds - (time.monotonic() - began)
        found = work(left if left is None else max(left, _MOMENT))
    return found


def as_asked(reasons: Iterable[str], left: float, seconds: float) -> tuple[str, ...]:
    """Return the reasons of a run that had `left`, told with the limit that was asked for."""
    said, meant = seconds_reached(left), seconds_reached(seconds)
    return tuple(meant if reason == said else reason for reason in reasons)
