"""Contradictions among differences: `x < y & y < z & z < x` has no solution, whatever the bounds.

Narrowing alone would creep towards infinity over numbers that have no bound.
"""

from __future__ import annotations

from collections.abc import Iterator

from secateur.maths.solve.linear import Linear, Relation
from secateur.maths.solve.network import INFINITY, Conflict, Network, Scalar

Edge = tuple[Scalar, Scalar, int]
"""`(x, y, k)`: x is at most y + k."""


def refute_cycles(net: Network) -> None:
    """Raise Conflict if the differences that must hold contradict each other."""
    edges = [edge for p in net.propagators() if isinstance(p, Linear) for edge in _edges(p)]
    edges = [(x, y, k) for x, y, k in edges if INFINITY in (x.size(), y.size())]
    distance: dict[Scalar, int] = {v: 0 for x, y, _ in edges for v in (x, y)}
    # Bellman and Ford: what still gets smaller after as many rounds lies on a cycle.
    for _ in range(len(distance) + 1):
        shorter = False
        for x, y, k in edges:
            if distance[y] + k < distance[x]:
                distance[x] = distance[y] + k
                shorter = True
        if not shorter:
            return
    raise Conflict


def _edges(linear: Linear) -> Iterator[Edge]:
    """Yield what a comparison that must hold says of the difference of two numbers."""
    match linear.terms:
        case ((1, x), (-1, y)) | ((-1, y), (1, x)):
            pass
        case _:
            return
    k = linear.constant  # the sum is x - y + k
    holds = True if linear.truth is None else linear.truth.value
    match linear.relation, holds:
        case Relation.AT_MOST, True:
            yield x, y, -k
        case (Relation.AT_MOST, False) | (Relation.POSITIVE, True):
            yield y, x, k - 1
        case Relation.POSITIVE, False:
            yield x, y, -k
        case (Relation.EQUAL, True) | (Relation.DIFFERENT, False):
            yield x, y, -k
            yield y, x, k
        case _:
            return
