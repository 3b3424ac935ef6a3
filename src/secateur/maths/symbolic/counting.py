"""How many relations and functions there are between finite sets."""

from __future__ import annotations

from collections.abc import Callable
from math import comb, factorial, perm

from secateur.maths.magnitude import admit, bits_of_power
from secateur.maths.symbolic.kinds import Kind


def relations(m: int, n: int, kind: Kind) -> int:
    """Return the number of relations of a kind from `m` elements to `n`."""
    admit(_effort(m, n, kind), "the size of", m, kind.arrow, n)
    if kind.functional and kind.injective:
        return _one_to_one(m, n, kind)
    if kind.functional:
        return _functions(m, n, kind)
    if kind.injective:
        raise AssertionError("no operator makes injective relations that are no functions")
    return _relations(m, n, kind)


def _effort(m: int, n: int, kind: Kind) -> int:
    """Return how many binary digits are handled at most."""
    bits = bits_of_power(n + 1, m) if kind.functional else m * n
    if kind.functional and kind.injective:
        bits = bits_of_power(max(m, n) + 1, min(m, n))
        return bits if kind.total or kind.surjective else bits * min(m, n)
    return bits * n if kind.surjective and (kind.functional or kind.total) else bits


def _one_to_one(m: int, n: int, kind: Kind) -> int:
    if kind.total and kind.surjective:
        return factorial(m) if m == n else 0
    if kind.total:
        return perm(n, m)
    if kind.surjective:
        return perm(m, n)
    return sum(comb(m, k) * comb(n, k) * factorial(k) for k in range(min(m, n) + 1))


def _functions(m: int, n: int, kind: Kind) -> int:
    choices = n if kind.total else n + 1
    if not kind.surjective:
        return int(choices**m)
    return _onto(n, lambda missed: (choices - missed) ** m)


def _relations(m: int, n: int, kind: Kind) -> int:
    if not kind.total:
        return ((1 << m) - 1) ** n if kind.surjective else 1 << (m * n)
    if not kind.surjective:
        return int(((1 << n) - 1) ** m)
    return _onto(n, lambda missed: ((1 << (n - missed)) - 1) ** m)


def _onto(n: int, missing: Callable[[int], int]) -> int:
    """Count by inclusion and exclusion; `missing(k)` have no image in `k` given elements of `n`."""
    return sum((-1) ** k * comb(n, k) * missing(k) for k in range(n + 1))
