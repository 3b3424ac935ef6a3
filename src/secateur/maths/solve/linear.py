"""Sums with integer coefficients, compared with zero."""

from __future__ import annotations

from enum import Enum
from math import isqrt
from typing import Final

from secateur.maths.solve.network import (
    INFINITY,
    Bool,
    Bound,
    Conflict,
    Network,
    Outlook,
    Propagator,
    Scalar,
)

Terms = tuple[tuple[int, Scalar], ...]


LISTED: Final = 1024
"""A factor with at most so many values is tried for divisibility."""


class Relation(Enum):
    """How a sum stands to zero."""

    EQUAL = "="
    DIFFERENT = "/="
    AT_MOST = "<="
    POSITIVE = ">"


_OPPOSITE = {
    Relation.EQUAL: Relation.DIFFERENT,
    Relation.DIFFERENT: Relation.EQUAL,
    Relation.AT_MOST: Relation.POSITIVE,
    Relation.POSITIVE: Relation.AT_MOST,
}


class Linear(Propagator):
    """`truth` is true if and only if the sum of `terms` and `constant` stands so to zero."""

    __slots__ = ("constant", "relation", "terms", "truth")

    def __init__(self, terms: Terms, constant: int, relation: Relation, truth: Bool | None) -> None:
        super().__init__()
        self.terms = terms
        self.constant = constant
        self.relation = relation
        self.truth = truth

    def run(self, net: Network) -> None:
        """Enforce the relation or its opposite, or find out which holds."""
        truth = self.truth
        if truth is None or truth.value is True:
            self._enforce(net, self.relation)
        elif truth.value is False:
            self._enforce(net, _OPPOSITE[self.relation])
        else:
            known = self._entailed()
            if known is not None:
                net.set(truth, known)

    def outlook(self) -> Outlook:
        """A difference needs to be told of fixed numbers only; what is entailed, of nothing."""
        truth = True if self.truth is None else self.truth.value
        if truth is None:
            return Outlook.ON_CHANGE
        if self._entailed() is truth:
            return Outlook.NEVER
        differs = Relation.DIFFERENT if truth else Relation.EQUAL
        return Outlook.ON_FIX if self.relation is differs else Outlook.ON_CHANGE

    def apart(self) -> tuple[Scalar, Scalar] | None:
        """Return two scalars that this propagator keeps different, and nothing else."""
        if (
            self.relation is not Relation.EQUAL
            or self.truth is None
            or self.truth.value is not False
        ):
            return None
        match self.terms, self.constant:
            case ((1, v), (-1, w)) | ((-1, v), (1, w)), 0:
                return v, w
            case _:
                return None

    def _enforce(self, net: Network, relation: Relation) -> None:
        if relation is Relation.DIFFERENT:
            self._differ(net)
        elif relation is Relation.EQUAL:
            self._at_most(net, 1)
            self._at_most(net, -1)
            if len(self.terms) <= 2:
                self._same_values(net)
        elif relation is Relation.AT_MOST:
            self._at_most(net, 1)
        else:
            self._at_most(net, -1, 1)

    def _bounds(self) -> tuple[Bound, Bound]:
        lo: Bound = self.constant
        hi: Bound = self.constant
        for c, v in self.terms:
            if c > 0:
                lo += c * v.lo
                hi += c * v.hi
            else:
                lo += c * v.hi
                hi += c * v.lo
        return lo, hi

    def _entailed(self) -> bool | None:
        lo, hi = self._bounds()
        if self.relation is Relation.AT_MOST:
            return True if hi <= 0 else False if lo > 0 else None
        if self.relation is Relation.POSITIVE:
            return True if lo > 0 else False if hi <= 0 else None
        equal = self.relation is Relation.EQUAL
        if lo > 0 or hi < 0 or (len(self.terms) == 2 and self._disjoint()):
            return not equal
        return equal if lo == hi else None

    def _disjoint(self) -> bool:
        (a, v), (b, w) = self.terms
        if abs(a) != 1 or abs(b) != 1 or (v.values is None and w.values is None):
            return False
        if v.values is None:
            (a, v), (b, w) = (b, w), (a, v)
        factor = -a * b
        shift = -self.constant * b
        assert v.values is not None
        return not any(w.possible(factor * x + shift) for x in v.values)

    def _at_most(self, net: Network, sign: int, slack: int = 0) -> None:
        """Enforce `sign * sum + slack <= 0` on the bounds."""
        least: Bound = sign * self.constant + slack
        unbounded = None
        for c, v in self.terms:
            step = sign * c
            low = step * (v.lo if step > 0 else v.hi)
            if low == -INFINITY:
                if unbounded is not None:
                    return
                unbounded = v
            else:
                least += low
        if unbounded is None and least > 0:
            raise Conflict
        for c, v in self.terms:
            if v.lo == v.hi or (unbounded is not None and v is not unbounded):
                continue
            step = sign * c
            if step > 0:
                room = -least if unbounded is not None else step * v.lo - least
                net.narrow(v, -INFINITY, room // step)
            else:
                room = -least if unbounded is not None else step * v.hi - least
                net.narrow(v, -(room // -step), INFINITY)

    def _same_values(self, net: Network) -> None:
        if len(self.terms) == 1:
            return
        (a, v), (b, w) = self.terms
        if abs(a) != 1 or abs(b) != 1:
            return
        factor = -a * b
        if v.values is not None:
            shift = -self.constant * b
            net.restrict(w, frozenset([factor * x + shift for x in v.values]))
        if w.values is not None:
            shift = -self.constant * a
            net.restrict(v, frozenset([factor * x + shift for x in w.values]))

    def _differ(self, net: Network) -> None:
        rest = self.constant
        open_term = None
        for c, v in self.terms:
            if v.lo == v.hi:
                rest += c * v.lo
            elif open_term is None:
                open_term = (c, v)
            else:
                return
        if open_term is None:
            if rest == 0:
                raise Conflict
            return
        c, v = open_term
        if rest % c == 0:
            net.remove(v, -rest // c)


class Product(Propagator):
    """`result` is `left` times `right`, on the bounds."""

    __slots__ = ("left", "result", "right")

    def __init__(self, result: Scalar, left: Scalar, right: Scalar) -> None:
        super().__init__()
        self.result = result
        self.left = left
        self.right = right

    def run(self, net: Network) -> None:
        """Narrow the product by its factors and, away from zero, each factor by the rest."""
        result, left, right = self.result, self.left, self.right
        corners = [_times(a, b) for a in (left.lo, left.hi) for b in (right.lo, right.hi)]
        least = min(corners)
        if left is right and least < 0:
            least = 0
        net.narrow(result, least, max(corners))
        self._divide(net, left, right)
        self._divide(net, right, left)
        if result.lo == result.hi != 0:
            self._keep_divisors(net, left)
            self._keep_divisors(net, right)

    def _keep_divisors(self, net: Network, factor: Scalar) -> None:
        if factor.lo != factor.hi and factor.size() <= LISTED:
            number = self.result.lo
            divisors = frozenset(x for x in factor.listed() if x and number % x == 0)
            net.restrict(factor, divisors)

    def _divide(self, net: Network, target: Scalar, other: Scalar) -> None:
        """Bound `target` by the magnitudes of the product and of the other factor."""
        result = self.result
        if result.lo <= 0 <= result.hi:
            if target is other:
                root = _root_above(max(result.hi, 0))
                net.narrow(target, -root, root)
            if other.lo <= 0 <= other.hi:
                return
        # Where the product is not zero, neither is the factor: its least size is 1.
        around_zero = other.lo <= 0 <= other.hi
        smallest = 1 if around_zero else min(abs(other.lo), abs(other.hi))
        largest = max(abs(result.lo), abs(result.hi))
        if target is other:
            limit = _root_above(largest)
        else:
            limit = INFINITY if largest == INFINITY else largest // smallest
        net.narrow(target, -limit, limit)
        if result.lo > 0 and target.lo >= 0 and other.lo >= 0 and 0 < other.hi < INFINITY:
            net.narrow(target, -(-result.lo // other.hi), INFINITY)
        if result.lo > 0 or result.hi < 0:
            same_sign = result.lo > 0
            if other.lo >= 0:
                net.narrow(target, 1, INFINITY) if same_sign else net.narrow(target, -INFINITY, -1)
            elif other.hi <= 0:
                net.narrow(target, -INFINITY, -1) if same_sign else net.narrow(target, 1, INFINITY)


def _times(a: Bound, b: Bound) -> Bound:
    return 0 if a == 0 or b == 0 else a * b


def _root_above(n: Bound) -> Bound:
    """Return the least number whose square is at least `n`."""
    if n == INFINITY:
        return INFINITY
    root = isqrt(int(n))
    return root if root * root == n else root + 1
