"""Items that are found one after the other, and but once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

T = TypeVar("T")


class Replayed(Generic[T]):
    """What `find` yields, for everybody who asks: found when it is first wanted, then kept.

    Each iteration starts with what is known and goes on with the search where it stands.  A
    search that was ended by an exception is begun anew by whoever wants more; it must yield the
    same items in the same order.
    """

    def __init__(self, find: Callable[[], Iterator[T]]) -> None:
        self._find = find
        self._known: list[T] = []
        self._search: Iterator[T] | None = None
        self._passed = 0
        """How many items the search under way has yielded."""
        self._complete = False

    def __iter__(self) -> Iterator[T]:
        at = 0
        while True:
            while at >= len(self._known) and not self._complete:
                self._advance()
            if at >= len(self._known):
                return
            yield self._known[at]
            at += 1

    def _advance(self) -> None:
        if self._search is None:
            self._search, self._passed = self._find(), 0
        search = self._search
        self._search = None  # until it has come back, it may be the last that was heard of it
        for item in search:
            self._search = search
            self._passed += 1
            if self._passed > len(self._known):
                self._known.append(item)
            return
        self._complete = True
