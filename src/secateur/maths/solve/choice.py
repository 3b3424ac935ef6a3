"""Propagators between a number and truths about it, and among numbers that select or differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from secateur.maths.solve.network import (
    INFINITY,
    Bool,
    Conflict,
    Network,
    Propagator,
    Scalar,
)


class ValueTruths(Propagator):
    """Each truth in `scalar.equals` says whether the number is that value."""

    __slots__ = ("scalar",)

    def __init__(self, scalar: Scalar) -> None:
        super().__init__()
        self.scalar = scalar

    def run(self, net: Network) -> None:
        """Propagate between the possible values and the truths."""
        scalar = self.scalar
        assert scalar.equals is not None
        for x, truth in scalar.equals.items():
            if truth.value is None:
                if not scalar.possible(x):
                    net.set(truth, False)
                elif scalar.lo == scalar.hi:
                    net.set(truth, True)
            elif truth.value:
                net.assign(scalar, x)
            else:
                net.remove(scalar, x)
                if scalar.lo == scalar.hi == x:
                    raise Conflict


def equals(net: Network, v: Scalar, x: Any) -> Bool | bool:
    """Return whether `v` is the value `x`."""
    if not v.possible(x):
        return False
    if v.lo == v.hi:
        return True
    if v.equals is None:
        v.equals = {}
        channel = ValueTruths(v)
        net.add(channel, v)
    else:
        channel = next(each for each in v.watchers if isinstance(each, ValueTruths))
    truth = v.equals.get(x)
    if truth is None:
        truth = v.equals[x] = Bool()
        net.add(channel, truth)
    return truth


class Among(Propagator):
    """`truth` is true if and only if the number is one of `values`."""

    __slots__ = ("scalar", "truth", "values")

    def __init__(self, truth: Bool, scalar: Scalar, values: frozenset[Any]) -> None:
        super().__init__()
        self.truth = truth
        self.scalar = scalar
        self.values = values

    def run(self, net: Network) -> None:
        """Restrict the number once the truth is known, or find the truth."""
        scalar, values = self.scalar, self.values
        if self.truth.value:
            net.restrict(scalar, values)
        elif scalar.values is not None:
            inside = sum(x in values for x in scalar.values)
            self._settle(net, inside, len(scalar.values))
        elif scalar.size() <= 2 * len(values):
            inside = sum(x in values for x in scalar.listed())
            self._settle(net, inside, int(scalar.size()))
        elif not any(scalar.lo <= x <= scalar.hi for x in values):
            self._settle(net, 0, 1)

    def _settle(self, net: Network, inside: int, size: int) -> None:
        if self.truth.value is None:
            if inside == 0:
                net.set(self.truth, False)
            elif inside == size:
                net.set(self.truth, True)
        elif inside:
            outside = frozenset(x for x in self.scalar.listed() if x not in self.values)
            net.restrict(self.scalar, outside)


class Select(Propagator):
    """`result` is the one of `options` that `index` selects.

    An index without an option leaves the result open: the expression is ill-defined
    there, which is for the evaluator to say.
    """

    __slots__ = ("index", "options", "result")

    def __init__(self, result: Scalar, index: Scalar, options: Mapping[Any, Scalar | Any]) -> None:
        super().__init__()
        self.result = result
        self.index = index
        self.options = options

    def run(self, net: Network) -> None:
        """Drop indices whose option cannot be the result; bound the result by the rest."""
        index, options, result = self.index, self.options, self.result
        lo, hi = INFINITY, -INFINITY
        total = True
        impossible = []
        for i in index.listed() if index.size() <= 4 * len(options) else options:
            option = options.get(i)
            if option is None:
                total = False
            elif not _overlap(option, result):
                if index.possible(i):
                    impossible.append(i)
            elif index.possible(i):
                lo = min(lo, option.lo if isinstance(option, Scalar) else option)
                hi = max(hi, option.hi if isinstance(option, Scalar) else option)
        for i in impossible:
            net.remove(index, i)
        if total and index.size() <= 4 * len(options):
            net.narrow(result, lo, hi)
        if index.lo == index.hi:
            self._same(net, options.get(index.lo))

    def _same(self, net: Network, option: Scalar | Any | None) -> None:
        result = self.result
        if isinstance(option, Scalar):
            net.narrow(result, option.lo, option.hi)
            net.narrow(option, result.lo, result.hi)
            if option.values is not None:
                net.restrict(result, option.values)
            if result.values is not None:
                net.restrict(option, result.values)
        elif option is not None:
            net.assign(result, option)


def _overlap(option: Scalar | Any, result: Scalar) -> bool:
    if not isinstance(option, Scalar):
        return result.possible(option)
    if option.hi < result.lo or option.lo > result.hi:
        return False
    if option.values is None or result.values is None:
        return True
    return not option.values.isdisjoint(result.values)


class Extreme(Propagator):
    """`result` is the greatest of `numbers` (the least if `sign` is -1)."""

    __slots__ = ("numbers", "result", "sign")

    def __init__(self, result: Scalar, numbers: Sequence[Scalar], sign: int) -> None:
        super().__init__()
        self.result = result
        self.numbers = numbers
        self.sign = sign

    def run(self, net: Network) -> None:
        """The result lies between the extremes of the bounds; no number lies beyond it."""
        result, numbers = self.result, self.numbers
        best = max if self.sign > 0 else min
        net.narrow(result, best(v.lo for v in numbers), best(v.hi for v in numbers))
        for v in numbers:
            if self.sign > 0:
                net.narrow(v, -INFINITY, result.hi)
            else:
                net.narrow(v, result.lo, INFINITY)
        able = [v for v in numbers if v.lo <= result.hi and v.hi >= result.lo]
        if len(able) == 1:
            net.narrow(able[0], result.lo, result.hi)


class AllDifferent(Propagator):
    """`truth` is true if and only if no two of `scalars` are equal."""

    __slots__ = ("scalars", "truth")
    slow = True

    def __init__(self, scalars: Sequence[Scalar], truth: Bool) -> None:
        super().__init__()
        self.scalars = scalars
        self.truth = truth

    def run(self, net: Network) -> None:
        """Keep them apart, or find out whether they are."""
        if self.truth.value:
            self._take_fixed(net)
            if all(v.size() <= 4 * len(self.scalars) for v in self.scalars):
                self._place_single(net)
            return
        fixed = [v.lo for v in self.scalars if v.lo == v.hi]
        if len(set(fixed)) < len(fixed):
            net.set(self.truth, False)
        elif len(fixed) == len(self.scalars):
            net.set(self.truth, True)

    def _take_fixed(self, net: Network) -> None:
        taken: set[Any] = set()
        fresh = [v for v in self.scalars if v.lo == v.hi]
        others = [v for v in self.scalars if v.lo != v.hi]
        while fresh:
            values = [v.lo for v in fresh]
            if len(taken.union(values)) < len(taken) + len(values):
                raise Conflict
            taken.update(values)
            for v in others:
                for x in values:
                    net.remove(v, x)
            fresh = [v for v in others if v.lo == v.hi]
            others = [v for v in others if v.lo != v.hi]

    def _place_single(self, net: Network) -> None:
        homes: dict[Any, Scalar | None] = {}
        for v in self.scalars:
            for x in v.values if v.values is not None else range(v.lo, v.hi + 1):
                homes[x] = None if x in homes else v
        if len(homes) < len(self.scalars):
            raise Conflict
        if len(homes) == len(self.scalars):
            # Every value is needed: one that fits in a single place goes there.
            for x, home in homes.items():
                if home is not None:
                    net.assign(home, x)


class DifferentIfPresent(Propagator):
    """`truth` is true if and only if no two scalars that are present are equal.

    What is not present may have any value: nothing is ruled out for it.
    """

    __slots__ = ("parts", "truth")
    slow = True

    def __init__(self, parts: Sequence[tuple[Bool, Scalar]], truth: Bool) -> None:
        super().__init__()
        self.parts = parts
        self.truth = truth

    def run(self, net: Network) -> None:
        """Keep them apart, or find out whether they are."""
        if self.truth.value:
            self._keep_apart(net)
            return
        present = [(p, v) for p, v in self.parts if p.value is not False]
        fixed = [v.lo for p, v in present if p.value and v.lo == v.hi]
        if len(set(fixed)) < len(fixed):
            net.set(self.truth, False)
        elif len(fixed) == len(present):
            net.set(self.truth, True)

    def _keep_apart(self, net: Network) -> None:
        taken: set[Any] = set()
        others = [(p, v) for p, v in self.parts if p.value is not False]
        while True:
            values = [v.lo for p, v in others if p.value and v.lo == v.hi]
            if len(taken.union(values)) < len(taken) + len(values):
                raise Conflict
            if not values:
                return
            taken.update(values)
            others = [(p, v) for p, v in others if not p.value or v.lo != v.hi]
            for p, v in others:
                if p.value:
                    for x in values:
                        net.remove(v, x)
                elif v.size() <= len(taken) and all(x in taken for x in v.listed()):
                    net.set(p, False)
            others = [(p, v) for p, v in others if p.value is not False]
