"""Looking at the limits, and after the code, from another thread while native code runs."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from secateur.engine.native.tiers import Tiers

_INTERVAL: Final = 0.05
"""Seconds between two looks."""


@contextmanager
def watching(look: Callable[[], bool], tiers: Tiers | None = None) -> Iterator[None]:
    """Call `look` now and then, until it returns that this is enough."""
    done = threading.Event()

    def watch() -> None:
        while not done.wait(_INTERVAL):
            if look():
                return
            if tiers is not None:
                tiers.attend()

    watcher = threading.Thread(target=watch, name="secateur limits", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()
        if tiers is not None:
            tiers.end()
