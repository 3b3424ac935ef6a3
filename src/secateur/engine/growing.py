"""An alarm for variables that may grow without bound, while a search goes on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

_FIRST: Final = 4_000
_OFTEN: Final = 5
"""A variable that has grown each of so many times, with twice as many states each time, is told."""


class Growing:
    """Looks at the state found last whenever there are twice as many as before."""

    def __init__(self) -> None:
        self._next = _FIRST
        self._sizes: dict[str, list[int]] = {}
        self.alarms: dict[str, str] = {}
        """What was said, by variable."""

    def due(self, states: int) -> bool:
        """Whether it is time to look."""
        return states >= self._next

    def look(self, states: int, values: Iterable[tuple[str, Any]]) -> str | None:
        """Note the sizes of values; return what is to be said of those that only ever grow."""
        self._next = 2 * states
        news: list[str] = []
        for name, value in values:
            size = _size(value)
            if size is None:
                continue
            sizes = self._sizes.setdefault(name, [])
            if sizes and size <= sizes[-1]:
                sizes.clear()
            sizes.append(size)
            if len(sizes) > _OFTEN and name not in self.alarms:
                text = _sentence(name, sizes, value)
                self.alarms[name] = text
                news.append(text)
        return "; ".join(news) or None


def _size(value: Any) -> int | None:
    """Return what can grow about a value."""
    if type(value) is int:
        return abs(value)
    return len(value) if isinstance(value, frozenset) else None


def _sentence(name: str, sizes: list[int], value: Any) -> str:
    what = "the size of " if isinstance(value, frozenset) else ""
    seen = ", ".join(map(str, sizes[-_OFTEN:]))
    return f"{what}{name} grows ({seen}, ...): if nothing bounds it, the search has no end"
