"""Sets of numbers: few of them one by one, many as a range.

Whatever is computed contains everything that can come out, and perhaps more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from secateur.maths.operators import comparison, integers, machine_integers
from secateur.maths.operators.protocol import Operator
from secateur.source.records import dataclass

MOST: Final = 64
"""So many numbers are told one by one."""
_MOST_PAIRS: Final = 1 << 10
"""So many pairs of operands are tried one by one."""

Range = tuple[int, int]
"""The least and the greatest value."""


@dataclass(frozen=True, slots=True)
class Values:
    """Numbers from `low` to `high`: those that are `listed`, or all of them."""

    low: int
    high: int
    listed: frozenset[int] | None = None

    @property
    def range(self) -> Range:
        """The least and the greatest of them."""
        return self.low, self.high

    def joined(self, other: Values) -> Values:
        """Return all numbers of both."""
        if self.listed is not None and other.listed is not None:
            if self.listed >= other.listed:
                return self
            if len(self.listed | other.listed) <= MOST:
                return listed(self.listed | other.listed)
        return between(min(self.low, other.low), max(self.high, other.high))

    def clipped(self, low: int, high: int) -> Values | None:
        """Return those within a range; None if there are none."""
        if low <= self.low and self.high <= high:
            return self
        if self.listed is not None:
            return _some(v for v in self.listed if low <= v <= high)
        low, high = max(low, self.low), min(high, self.high)
        return between(low, high) if low <= high else None

    def common(self, other: Values) -> Values | None:
        """Return the numbers that are in both; None if there are none."""
        if other.listed is None:
            return self.clipped(other.low, other.high)
        if self.listed is None:
            return other.clipped(self.low, self.high)
        return _some(self.listed & other.listed)

    def without(self, value: int) -> Values | None:
        """Return the others; None if there are none."""
        if self.listed is not None:
            return self if value not in self.listed else _some(self.listed - {value})
        if value == self.low:
            return between(self.low + 1, self.high)
        return between(self.low, self.high - 1) if value == self.high else self


def listed(values: Iterable[int]) -> Values:
    """Return some numbers, of which there are not too many."""
    found = frozenset(values)
    return Values(min(found), max(found), found)


def _some(values: Iterable[int]) -> Values | None:
    found = frozenset(values)
    return Values(min(found), max(found), found) if found else None


def between(low: int, high: int) -> Values:
    """Return all numbers from one to another."""
    return Values(low, high, frozenset(range(low, high + 1)) if high - low < MOST else None)


def rounded(found: Range, widest: Range) -> Range:
    """Return the least range of a whole number of bits around another, within that of the type."""
    low, high = found
    high = (1 << max(high, 0).bit_length()) - 1
    low = -(1 << (-low - 1).bit_length()) if low < 0 else 0
    return max(low, widest[0]), min(high, widest[1])


_UNBOUNDED: Final = (-(1 << 40), 1 << 40)

COMPARISONS: Final = (
    comparison.EQUAL,
    comparison.NOT_EQUAL,
    integers.LESS,
    integers.LESS_EQUAL,
    integers.GREATER,
    integers.GREATER_EQUAL,
)

_TURNED: Final = {
    integers.LESS: integers.GREATER,
    integers.LESS_EQUAL: integers.GREATER_EQUAL,
    integers.GREATER: integers.LESS,
    integers.GREATER_EQUAL: integers.LESS_EQUAL,
}


def turned(operator: Operator) -> Operator:
    """Return the comparison that holds of two numbers the other way round."""
    return _TURNED.get(operator, operator)


_OPPOSITES: Final = {
    comparison.EQUAL: comparison.NOT_EQUAL,
    comparison.NOT_EQUAL: comparison.EQUAL,
    integers.LESS: integers.GREATER_EQUAL,
    integers.GREATER_EQUAL: integers.LESS,
    integers.GREATER: integers.LESS_EQUAL,
    integers.LESS_EQUAL: integers.GREATER,
}


def opposite(operator: Operator) -> Operator:
    """Return the comparison that holds where another one does not."""
    return _OPPOSITES[operator]


def supposed(found: Values, operator: Operator, other: Values | None) -> Values | None:
    """Return the numbers that compare so with some of the others; None if there are none."""
    if operator is comparison.NOT_EQUAL:
        single = other is not None and other.low == other.high
        return found.without(other.low) if other is not None and single else found
    if operator is comparison.EQUAL:
        return found if other is None else found.common(other)
    low, high = _UNBOUNDED if other is None else other.range
    strict = operator in (integers.LESS, integers.GREATER)
    if operator in (integers.LESS, integers.LESS_EQUAL):
        return found.clipped(_UNBOUNDED[0], high - strict)
    return found.clipped(low + strict, _UNBOUNDED[1])


def negative(found: Values) -> Values:
    """Return the numbers with the opposite sign."""
    if found.listed is not None:
        return listed(-v for v in found.listed)
    return between(-found.high, -found.low)


def wrapped(operator: Operator, found: Values | None, bits: int) -> Values:
    """Return numbers cut to so many bits."""
    low, high = 0, (1 << bits) - 1
    if operator is machine_integers.WRAP_SIGNED:
        low, high = -(1 << (bits - 1)), (1 << (bits - 1)) - 1
    if found is None or (found.listed is None and not low <= found.low <= found.high <= high):
        return between(low, high)
    if found.listed is None:
        return found
    return listed((v - low) % (1 << bits) + low for v in found.listed)


def computed(operator: Operator, a: Values, b: Values) -> Values | None:
    """Return all results of an operation; None if nothing is known of them."""
    apply = operator.apply
    few = a.listed is not None and b.listed is not None
    if few and apply is not None and operator in _EXACT:
        assert a.listed is not None
        assert b.listed is not None
        if len(a.listed) * len(b.listed) <= _MOST_PAIRS:
            found = _all_results(apply, a.listed, b.listed, partial=operator in _DIVISIONS)
            if found is not None:
                return found
    bounds = _bounds(operator, a.range, b.range)
    return None if bounds is None else between(*bounds)


_DIVISIONS: Final = frozenset({integers.DIVIDE, machine_integers.REMAINDER})
_EXACT: Final = frozenset(
    {
        integers.ADD,
        integers.SUBTRACT,
        integers.MULTIPLY,
        machine_integers.BIT_AND,
        machine_integers.BIT_OR,
        machine_integers.BIT_XOR,
        *_DIVISIONS,
    }
)


def _all_results(
    apply: Callable[[int, int], int], a: frozenset[int], b: frozenset[int], *, partial: bool
) -> Values | None:
    """Return what all pairs lead to; what has no result leads nowhere."""
    found = frozenset(apply(x, y) for x in a for y in b if y or not partial)
    if not found:
        return None
    return listed(found) if len(found) <= MOST else between(min(found), max(found))


def _bounds(operator: Operator, a: Range, b: Range) -> Range | None:
    match operator:
        case integers.ADD:
            return a[0] + b[0], a[1] + b[1]
        case integers.SUBTRACT:
            return a[0] - b[1], a[1] - b[0]
        case integers.MULTIPLY:
            corners = [x * y for x in a for y in b]
            return min(corners), max(corners)
        case integers.DIVIDE if a[0] >= 0 and b[0] >= 0:
            return 0, a[1]
        case machine_integers.REMAINDER if a[0] >= 0:
            return 0, min(a[1], max(abs(b[0]), abs(b[1])) - 1) if b != (0, 0) else a[1]
        case machine_integers.BIT_AND if a[0] >= 0 and b[0] >= 0:
            return 0, min(a[1], b[1])
        case machine_integers.BIT_OR | machine_integers.BIT_XOR if a[0] >= 0 and b[0] >= 0:
            return 0, (1 << max(a[1], b[1]).bit_length()) - 1
        case machine_integers.SHIFT_RIGHT if a[0] >= 0 and b[0] >= 0:
            return 0, a[1]
        case _:
            return None
