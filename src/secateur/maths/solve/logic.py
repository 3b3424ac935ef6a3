"""Propagators between truths: conjunction, equivalence, counting."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from secateur.maths.solve.network import Bool, Gate, Network, Outlook, Propagator, Scalar, opposite

Truth = Bool | bool
"""A truth to be found, or one that is known already."""


def negation(p: Truth) -> Truth:
    """Return the opposite of `p`."""
    return opposite(p) if isinstance(p, Bool) else not p


def conjunction(net: Network, parts: Iterable[Truth]) -> Truth:
    """Return the truth of all of `parts` together."""
    unknown: dict[Bool, None] = {}
    for part in parts:
        known = part.value if isinstance(part, Bool) else part
        if known is False:
            return False
        if known is None:
            assert isinstance(part, Bool)
            if part.opposite in unknown:
                return False
            unknown[part] = None
    if not unknown:
        return True
    if len(unknown) == 1:
        return next(iter(unknown))
    result = Bool()
    gate = AllOf(result, tuple(unknown))
    net.gates.append(gate)
    net.add(gate, result, *unknown)
    return result


def disjunction(net: Network, parts: Iterable[Truth]) -> Truth:
    """Return the truth of at least one of `parts`."""
    return negation(conjunction(net, map(negation, parts)))


def equivalence(net: Network, p: Truth, q: Truth) -> Truth:
    """Return whether `p` and `q` agree."""
    if not isinstance(p, Bool):
        return q if p else negation(q)
    if not isinstance(q, Bool):
        return p if q else negation(p)
    if p is q:
        return True
    if p.opposite is q:
        return False
    result = Bool()
    net.add(Same(result, p, q), result, p, q)
    return result


class AllOf(Gate):
    """`result` is true if and only if all of `parts` are."""

    __slots__ = ("parts", "result")

    def __init__(self, result: Bool, parts: Sequence[Bool]) -> None:
        super().__init__()
        self.result = result
        self.parts = parts

    def undecided(self) -> Bool | None:
        """Return a part to branch on if it is known that some part is false, but not which."""
        if self.result.value is not False or any(p.value is False for p in self.parts):
            return None
        return next((p for p in self.parts if p.value is None), None)

    def outlook(self) -> Outlook:
        """Nothing is left to do once a false part explains a false result, or all is known."""
        if self.result.value is False and any(p.value is False for p in self.parts):
            return Outlook.NEVER
        known = self.result.value is not None and all(p.value is not None for p in self.parts)
        return Outlook.NEVER if known else Outlook.ON_CHANGE

    def run(self, net: Network) -> None:
        """Propagate both ways."""
        result = self.result.value
        if result:
            for part in self.parts:
                net.set(part, True)
            return
        open_part = None
        several = False
        for part in self.parts:
            if part.value is False:
                net.set(self.result, False)
                return
            if part.value is None:
                several = open_part is not None
                open_part = part
                if several and result is False:
                    return
        if open_part is None:
            net.set(self.result, True)
        elif result is False and not several:
            net.set(open_part, False)


class Same(Propagator):
    """`result` is true if and only if `left` and `right` agree."""

    __slots__ = ("left", "result", "right")

    def __init__(self, result: Bool, left: Bool, right: Bool) -> None:
        super().__init__()
        self.result = result
        self.left = left
        self.right = right

    def run(self, net: Network) -> None:
        """Two known truths give the third."""
        result, left, right = self.result.value, self.left.value, self.right.value
        if left is not None and right is not None:
            net.set(self.result, left is right)
        elif result is not None and left is not None:
            net.set(self.right, left is result)
        elif result is not None and right is not None:
            net.set(self.left, right is result)


class Count(Propagator):
    """`total` is the number of `parts` that are true, plus `certain`."""

    __slots__ = ("certain", "parts", "total")

    def __init__(self, total: Scalar, parts: Sequence[Bool], certain: int) -> None:
        super().__init__()
        self.total = total
        self.parts = parts
        self.certain = certain

    def run(self, net: Network) -> None:
        """Bound the total; at a bound, the open parts are settled."""
        least = self.certain
        undecided = []
        for part in self.parts:
            if part.value:
                least += 1
            elif part.value is None:
                undecided.append(part)
        total = self.total
        net.narrow(total, least, least + len(undecided))
        if total.hi == least:
            for part in undecided:
                net.set(part, False)
        elif total.lo == least + len(undecided):
            for part in undecided:
                net.set(part, True)


def count(net: Network, parts: Iterable[Truth]) -> Scalar | int:
    """Return how many of `parts` are true."""
    certain = 0
    unknown = []
    for part in parts:
        known = part.value if isinstance(part, Bool) else part
        if known:
            certain += 1
        elif known is None:
            assert isinstance(part, Bool)
            unknown.append(part)
    if not unknown:
        return certain
    total = Scalar(certain, certain + len(unknown))
    net.add(Count(total, unknown, certain), total, *unknown)
    return total
