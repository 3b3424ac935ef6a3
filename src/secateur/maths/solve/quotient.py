"""Propagators for division, remainder and power."""

from __future__ import annotations

from math import isqrt
from typing import Final

from secateur.maths.operators.integers import divide
from secateur.maths.solve.network import INFINITY, Bound, Network, Propagator, Scalar

LISTED: Final = 1024
"""A dividend with at most so many values is gone through."""


class _ByKnown(Propagator):
    """`result` comes from `base` and the known number `by`."""

    __slots__ = ("base", "by", "result")

    def __init__(self, result: Scalar, base: Scalar, by: int) -> None:
        super().__init__()
        self.result = result
        self.base = base
        self.by = by


class _ByNumber(Propagator):
    """`result` comes from `base` and `by`, a number that may be to be found itself."""

    __slots__ = ("base", "by", "result")

    def __init__(self, result: Scalar, base: Scalar, by: Scalar) -> None:
        super().__init__()
        self.result = result
        self.base = base
        self.by = by


class Quotient(_ByNumber):
    """`result` is `base / by`, rounded towards zero; nothing is said of a division by zero."""

    __slots__ = ()

    def run(self, net: Network) -> None:
        """Division is monotonic in the dividend."""
        if self.by.lo == self.by.hi:
            if self.by.lo != 0:
                self._divide(net, self.by.lo)
        elif self.by.lo > 0 and self.base.lo >= 0:
            greatest = self.base.hi
            if greatest != INFINITY:
                greatest //= self.by.lo
            least = 0 if self.by.hi == INFINITY else self.base.lo // self.by.hi
            net.narrow(self.result, least, greatest)

    def _divide(self, net: Network, by: int) -> None:
        ends = [_quotient(self.base.lo, by), _quotient(self.base.hi, by)]
        net.narrow(self.result, min(ends), max(ends))
        size = abs(by)
        largest = max(abs(self.result.lo), abs(self.result.hi))
        limit = largest if largest == INFINITY else largest * size + size - 1
        net.narrow(self.base, -limit, limit)
        towards = self.result if by > 0 else None
        if towards is not None and towards.lo > 0:
            net.narrow(self.base, towards.lo * size, INFINITY)


def _quotient(a: Bound, b: int) -> Bound:
    if a in (INFINITY, -INFINITY):
        return a if b > 0 else -a
    return divide(int(a), b)


class Remainder(_ByNumber):
    """`result` is `base mod by`; nothing is said while it may be ill-defined."""

    __slots__ = ()

    def run(self, net: Network) -> None:
        """Bound the remainder; list it where the base is listed; step the base's ends."""
        base, result = self.base, self.result
        if base.lo < 0 or self.by.lo <= 0:
            return
        net.narrow(result, 0, min(self.by.hi - 1, base.hi))
        if self.by.lo == self.by.hi:
            self._step(net, self.by.lo)
        else:
            net.narrow(self.by, result.lo + 1, INFINITY)

    def _step(self, net: Network, by: int) -> None:
        base, result = self.base, self.result
        if base.size() <= min(by * 4, LISTED):
            pairs = [(x, x % by) for x in base.listed()]
            net.restrict(result, frozenset(r for _, r in pairs))
            if result.size() < by:
                net.restrict(base, frozenset(x for x, r in pairs if result.possible(r)))
        elif result.lo == result.hi:
            lo = base.lo + (result.lo - base.lo) % by
            hi = base.hi if base.hi == INFINITY else base.hi - (base.hi - result.lo) % by
            net.narrow(base, lo, hi)


class Power(_ByKnown):
    """`result` is `base ** by`, for an exponent of at least 1."""

    __slots__ = ()

    def run(self, net: Network) -> None:
        """Odd powers grow with the base, even ones with its magnitude."""
        base, by, result = self.base, self.by, self.result
        if by % 2:
            net.narrow(result, _power(base.lo, by), _power(base.hi, by))
            net.narrow(base, -_root(-result.lo, by), _root(result.hi, by))
            return
        sizes = (abs(base.lo), abs(base.hi))
        least = 0 if base.lo <= 0 <= base.hi else min(sizes)
        net.narrow(result, _power(least, by), _power(max(sizes), by))
        limit = _root(result.hi, by)
        net.narrow(base, -limit, limit)
        nearest = -_root(-result.lo, by)  # the base is at least so far from zero
        if nearest > 0:
            if base.lo > -nearest:
                net.narrow(base, nearest, INFINITY)
            elif base.hi < nearest:
                net.narrow(base, -INFINITY, -nearest)


LARGEST_POWER: Final = 4096
"""Powers with more bits than this are not computed to narrow with."""


def _power(x: Bound, n: int) -> Bound:
    """Return `x ** n`, or an infinity beyond it."""
    if abs(x) == INFINITY or int(abs(x)).bit_length() * n > LARGEST_POWER:
        return INFINITY if x > 0 else -INFINITY
    return x**n


def _root(x: Bound, n: int) -> Bound:
    """Return the greatest integer whose n-th power is at most `x` (n odd, or x positive).

    `-_root(-x, n)` is the least one whose n-th power is at least `x`.
    """
    if abs(x) == INFINITY:
        return x
    if x < 0:
        return -_root_above(-int(x), n)
    return _root_below(int(x), n)


def _root_below(x: int, n: int) -> int:
    if n == 2:
        return isqrt(x)
    low, high = 0, 1 << (x.bit_length() // n + 1)
    while high - low > 1:
        middle = (low + high) // 2
        if middle**n <= x:
            low = middle
        else:
            high = middle
    return low


def _root_above(x: int, n: int) -> int:
    root = _root_below(x, n)
    return root if root**n == x else root + 1
