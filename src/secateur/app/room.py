"""Beginning anew with more room.

A model may be made for fewer processes than it turns out to have (`Model.larger` in
`lang/model.py`): what a run finds then is not all there is, and it is done again.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def with_room(
    work: Callable[[float | None], T],
    grow: Callable[[], bool],
    *,
    seconds: float | None = None,
    again: Callable[[T], bool] = lambda _: True,
) -> T:
    """Return what `work` finds, done anew while there is too little room and `again` says so.

    `grow` makes room and says whether there was too little.  `work` is told how many of the
    `seconds` are left; when there are none, what was found last is returned.
    """
    began = time.monotonic()
    found = work(seconds)
    while again(found) and grow():
        left = None if seconds is None else seconds - (time.monotonic() - began)
        if left is not None and left <= 0:
            break
        found = work(left)
    return found
