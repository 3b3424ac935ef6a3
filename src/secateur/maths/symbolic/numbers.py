"""Sets of numbers and strings that are not listed."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import Final

from secateur.maths.values import IllDefined, SetValue, SymbolicSet, Undecided, Value

LISTED_INTERVAL: Final = 256
"""An interval of at most this many numbers is a `frozenset`."""


class Integers(SymbolicSet):
    """The integers from `low` to `high`; None where there is no bound."""

    __slots__ = ("high", "low")

    def __init__(self, low: int | None, high: int | None) -> None:
        self.low = low
        self.high = high

    def __contains__(self, value: object) -> bool:
        assert isinstance(value, int)
        if self.low is not None and value < self.low:
            return False
        return self.high is None or value <= self.high

    def holds_all(self, values: Collection[Value]) -> bool:
        """Compare the least and the greatest, which Python finds quickly."""
        if not values:
            return True
        if self.low is not None and min(values) < self.low:
            return False
        return self.high is None or max(values) <= self.high

    def size(self) -> int | None:
        """Return the number of integers."""
        if self.low is None or self.high is None:
            return None
        return max(0, self.high - self.low + 1)

    def __iter__(self) -> Iterator[int]:
        if self.low is None or self.high is None:
            raise Undecided(f"the elements of {self!r} cannot be listed: it is infinite")
        return iter(range(self.low, self.high + 1))

    def is_empty(self) -> bool:
        """Whether the bounds leave no room."""
        return self.size() == 0

    def sample(self) -> Iterator[Value]:
        """Yield numbers around 0, or from a bound on."""
        start = self.low if self.low is not None else (self.high or 0)
        return (x for x in (start + step for step in _STEPS) if x in self)

    def structure(self) -> tuple[Value, ...]:
        """Return the bounds."""
        return (self.low, self.high)

    def within(self, other: SymbolicSet) -> bool | None:
        """Compare the bounds."""
        if not isinstance(other, Integers):
            return None
        if self.is_empty():
            return True
        low = other.low is None or (self.low is not None and other.low <= self.low)
        high = other.high is None or (self.high is not None and self.high <= other.high)
        return low and high

    def intersection(self, other: Integers) -> SetValue:
        """Return the common integers."""
        lows = [b for b in (self.low, other.low) if b is not None]
        highs = [b for b in (self.high, other.high) if b is not None]
        return integers(max(lows, default=None), min(highs, default=None))

    def joined(self, other: Integers) -> SetValue | None:
        """Return the union if that is an interval again, else None."""
        first, second = sorted((self, other), key=lambda s: (s.low is not None, s.low or 0))
        apart = first.high is not None and second.low is not None and first.high + 1 < second.low
        if apart:
            return None
        highs = (first.high, second.high)
        return integers(
            first.low, None if None in highs else max(h for h in highs if h is not None)
        )

    def extended(self, added: frozenset[Value]) -> SetValue | None:
        """Return the union if that is an interval again, else None."""
        low, high = self.low, self.high
        while low is not None and low - 1 in added:
            low -= 1
        while high is not None and high + 1 in added:
            high += 1
        larger = Integers(low, high)
        return integers(low, high) if all(x in larger for x in added) else None

    def without(self, removed: frozenset[Value]) -> SetValue | None:
        """Return the difference if that is an interval again, else None."""
        low, high = self.low, self.high
        while low is not None and low in removed:
            low += 1
        while high is not None and high in removed:
            high -= 1
        rest = Integers(low, high)
        if any(x in rest for x in removed):
            return None
        return integers(low, high)

    def less(self, removed: Integers) -> SetValue | None:
        """Return the difference if that is an interval again, else None."""
        common = self.intersection(removed)
        if isinstance(common, frozenset):
            return self.without(common)
        assert isinstance(common, Integers)
        if common.low == self.low:
            return frozenset() if common.high == self.high else integers(_after(common), self.high)
        return integers(self.low, _before(common)) if common.high == self.high else None

    def least(self) -> int:
        """Return the lower bound."""
        if self.low is None:
            raise IllDefined(f"{self!r} has no least element")
        return self.low

    def greatest(self) -> int:
        """Return the upper bound."""
        if self.high is None:
            raise IllDefined(f"{self!r} has no greatest element")
        return self.high

    def __repr__(self) -> str:
        if self.high is None:
            names = {None: "INTEGER", 0: "NATURAL", 1: "NATURAL1"}
            return names.get(self.low) or f"{{x|x >= {self.low}}}"
        return f"{{x|x <= {self.high}}}" if self.low is None else f"({self.low}..{self.high})"


_STEPS: Final = (0, 1, -1, 2, -2, 3, -3, 4)
"""Where to look for what tells functions apart: near, as it may take long to apply them further away."""


def _after(s: Integers) -> int:
    assert s.high is not None
    return s.high + 1


def _before(s: Integers) -> int:
    assert s.low is not None
    return s.low - 1


def integers(low: int | None, high: int | None) -> SetValue:
    """Return the integers between two bounds, listed if they are few."""
    if low is None or high is None:
        return Integers(low, high)
    return interval(low, high)


@lru_cache(maxsize=4096)
def interval(low: int, high: int) -> SetValue:
    """Return `low..high`, listed if the numbers are few.

    Remembered: models write the same intervals over and over, and a set that is the
    same object is compared and hashed at once.
    """
    if high - low < LISTED_INTERVAL:
        return frozenset(range(low, high + 1))
    return Integers(low, high)


_SAMPLES: Final[dict[str, tuple[Value, ...]]] = {
    "STRING": ("", "a", "b"),
    "REAL": (0.0, 1.0, -1.0, 0.5),
}


class _Everything(SymbolicSet):
    """All values of an infinite basic type."""

    __slots__ = ("name",)

    def __init__(self, name: str) -> None:
        self.name = name

    def __contains__(self, value: object) -> bool:
        return True

    def holds_all(self, values: Collection[Value]) -> bool:  # noqa: ARG002  (typing has asked)
        """Hold whatever there is."""
        return True

    def size(self) -> int | None:
        """Return None: infinite."""
        return None

    def __iter__(self) -> Iterator[Value]:
        raise Undecided(f"the elements of {self!r} cannot be listed: it is infinite")

    def is_empty(self) -> bool:
        """Never."""
        return False

    def sample(self) -> Iterator[Value]:
        """Yield a few values."""
        return iter(_SAMPLES[self.name])

    def structure(self) -> tuple[Value, ...]:
        """Return the name."""
        return (self.name,)

    def covers(self, other: SymbolicSet) -> bool | None:  # noqa: ARG002  (typing has asked)
        """Hold all sets of that type."""
        return True

    def __repr__(self) -> str:
        return self.name


INTEGERS: Final = Integers(None, None)
NATURALS: Final = Integers(0, None)
POSITIVES: Final = Integers(1, None)
ALL_STRINGS: Final = _Everything("STRING")
ALL_REALS: Final = _Everything("REAL")


def is_universal(s: SetValue) -> bool:
    """Whether `s` is known to hold all values of its type."""
    if isinstance(s, Integers):
        return s.low is None and s.high is None
    return isinstance(s, _Everything)
