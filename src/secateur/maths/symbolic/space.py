"""What the sets built from other sets share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Final

from secateur.maths.values import SetValue, SymbolicSet, Undecided, Value, ordered

SMALL: Final = 10_000
"""A result with at most this many elements is listed at once."""


class Space(SymbolicSet):
    """A symbolic set that remembers its elements once they were listed."""

    __slots__ = ("_listed",)
    _listed: frozenset[Value]

    def expand(self) -> frozenset[Value]:
        """Return the same set with its elements listed."""
        try:
            return self._listed
        except AttributeError:
            self._listed = super().expand()
            return self._listed

    def worth_listing(self) -> bool:
        """Whether that goes for all the sets that this one is made of."""
        parts = self.structure() or ()
        return all(part.worth_listing() for part in parts if isinstance(part, SymbolicSet))


def elements(s: SetValue) -> Iterable[Value]:
    """Return the elements in canonical order."""
    return ordered(s) if isinstance(s, frozenset) else s


FEW: Final = 8
"""So many elements of a set at most are a sample of it."""


def sample(s: SetValue) -> Iterator[Value]:
    """Return a few elements of `s`, the same in every run."""
    return islice(ordered(s), FEW) if isinstance(s, frozenset) else islice(s.sample(), FEW)


def is_small(s: SetValue, limit: int = SMALL) -> bool:
    """Whether `s` is known to have few elements."""
    if isinstance(s, frozenset):
        return len(s) <= limit
    if not s.worth_listing():
        return False
    try:
        size = s.size()
    except Undecided:
        return False
    return size is not None and size <= limit


def is_empty(s: SetValue) -> bool:
    """Whether `s` has no element."""
    return not s if isinstance(s, frozenset) else s.is_empty()


def decided(question: Callable[[], bool | None]) -> bool | None:
    """Return the answer to `question`, None if it cannot be decided."""
    try:
        return question()
    except Undecided:
        return None
