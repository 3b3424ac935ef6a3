"""Garbage in cycles is looked for seldom while a model is explored.

Values of models are sets and tuples that never refer to each other in a circle, and there are
many of them: Python, which looks through all that are new over and over, would spend a sixth of
the time of most runs on that, and half of it where sets are large.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from secateur.system.collecting import SOLVING

EVERY: Final = 10.0
"""Seconds between two looks at all objects, at least."""
SHARE: Final = 20
"""One part in so many of the time may be spent on that."""


@contextmanager
def seldom_swept() -> Iterator[Callable[[], None]]:
    """Leave out what Python does by itself; yield what is to be called now and then instead.

    Who has told Python not to look for garbage gets what was asked for.
    """
    if not gc.isenabled():
        yield lambda: None
        return
    gc.disable()
    try:
        yield _Sweeper()
    finally:
        _take_all_for_old()
        gc.enable()


def _take_all_for_old() -> None:
    """Let Python take no object for new: it would look through all of them at once."""
    if not gc.get_freeze_count():  # what others have frozen is not to thaw
        gc.freeze()
        gc.unfreeze()


class _Sweeper:
    """Collects garbage when it is time."""

    def __init__(self) -> None:
        self._next = time.monotonic() + EVERY

    def __call__(self) -> None:
        before = time.monotonic()
        if before < self._next or not SOLVING.acquire(blocking=False):
            return
        try:
            gc.collect()
        finally:
            SOLVING.release()
        after = time.monotonic()
        self._next = after + max(EVERY, SHARE * (after - before))
