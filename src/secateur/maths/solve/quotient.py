"""Propagators for division, remainder and power by a known number."""

from __future__ import annotations

from secateur.maths.operators.integers import divide
from secateur.maths.solve.network import INFINITY, Bound, Network, Propagator, Scalar


class _ByKnown(Propagator):
    """`result` comes from `base` and the known number `by`."""

    __slots__ = ("base", "by", "result")

    def __init__(self, result: Scalar, base: Scalar, by: int) -> None:
        super().__init__()
        self.result = result
        self.base = base
        self.by = by


class Quotient(_ByKnown):
    """`result` is `base / by`, rounded towards zero."""

    __slots__ = ()

    def run(self, net: Network) -> None:
        """Division is monotonic in the dividend."""
        ends = [_quotient(self.base.lo, self.by), _quotient(self.base.hi, self.by)]
        net.narrow(self.result, min(ends), max(ends))
        size = abs(self.by)
        largest = max(abs(self.result.lo), abs(self.result.hi))
        limit = largest if largest == INFINITY else largest * size + size - 1
        net.narrow(self.base, -limit, limit)
        towards = self.result if self.by > 0 else None
        if towards is not None and towards.lo > 0:
            net.narrow(self.base, towards.lo * size, INFINITY)


def _quotient(a: Bound, b: int) -> Bound:
    if a in (INFINITY, -INFINITY):
        return a if b > 0 else -a
    return divide(int(a), b)


class Remainder(_ByKnown):
    """`result` is `base mod by`; nothing is said while `base` may be negative."""

    __slots__ = ()

    def run(self, net: Network) -> None:
        """Bound the remainder; list it where the base is listed; step the base's ends."""
        base, by, result = self.base, self.by, self.result
        if base.lo < 0:
            return
        net.narrow(result, 0, min(by - 1, base.hi))
        if base.size() <= by * 4:
            pairs = [(x, x % by) for x in base.listed()]
            net.restrict(result, frozenset(r for _, r in pairs))
            if result.size() < by:
                net.restrict(base, frozenset(x for x, r in pairs if result.possible(r)))
        elif result.lo == result.hi:
            lo = base.lo + (result.lo - base.lo) % by
            hi = base.hi if base.hi == INFINITY else base.hi - (base.hi - result.lo) % by
            net.narrow(base, lo, hi)


class Power(_ByKnown):
    """`result` is `base ** by` for a base that is not negative."""

    __slots__ = ()

    def run(self, net: Network) -> None:
        """Powers grow with the base."""
        base, by, result = self.base, self.by, self.result
        if base.lo < 0:
            return
        net.narrow(result, base.lo**by, INFINITY if base.hi == INFINITY else base.hi**by)
        if result.hi != INFINITY:
            hi = max(int(result.hi), 0)
            limit = 1 << (hi.bit_length() // by + 1)
            while limit > 0 and limit**by > hi:
                limit = limit // 2 if (limit // 2) ** by > hi else limit - 1
            net.narrow(base, -INFINITY, limit)
