"""Power sets."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import combinations

from secateur.maths.magnitude import admit
from secateur.maths.show import brief
from secateur.maths.symbolic.space import Space, elements, is_empty, sample
from secateur.maths.values import SetValue, SymbolicSet, Value, cardinality, is_subset


class PowerSet(Space):
    """The subsets of `base`, possibly only those that are finite or not empty."""

    __slots__ = ("base", "finite", "nonempty")

    def __init__(self, base: SetValue, *, nonempty: bool = False, finite: bool = False) -> None:
        self.base = base
        self.nonempty = nonempty
        self.finite = finite and not isinstance(base, frozenset)

    def __contains__(self, value: object) -> bool:
        assert isinstance(value, frozenset | SymbolicSet)
        if self.nonempty and is_empty(value):
            return False
        if self.finite and cardinality(value) is None:
            return False
        return is_subset(value, self.base)

    def holds_all(self, values: Collection[Value]) -> bool:
        """Whether all `values` are elements: where these are listed sets, their union is looked at."""
        if not all(type(value) is frozenset for value in values):
            return super().holds_all(values)
        if self.nonempty and frozenset() in values:
            return False
        return is_subset(frozenset().union(*values), self.base)

    def is_empty(self) -> bool:
        """Whether there is no subset of the kind."""
        return self.nonempty and is_empty(self.base)

    def size(self) -> int | None:
        """Return the number of subsets."""
        n = cardinality(self.base)
        if n is None:
            return None
        admit(n, "the number of elements of", self)
        return (1 << n) - int(self.nonempty)

    def __iter__(self) -> Iterator[Value]:
        items = list(elements(self.base))
        for n in range(int(self.nonempty), len(items) + 1):
            yield from map(frozenset, combinations(items, n))

    def sample(self) -> Iterator[Value]:
        """Yield subsets of a few elements."""
        items = list(sample(self.base))
        return (frozenset(items[:n]) for n in range(int(self.nonempty), len(items) + 1))

    def structure(self) -> tuple[Value, ...]:
        """Return the set and the kind of subsets."""
        return (self.base, self.nonempty, self.finite)

    def within(self, other: SymbolicSet) -> bool | None:
        """Compare the sets and the kinds of subsets."""
        if not isinstance(other, PowerSet):
            return None
        if other.nonempty and not self.nonempty:
            return False
        if other.finite and not self.finite and cardinality(self.base) is None:
            return False
        return is_subset(self.base, other.base)

    def __repr__(self) -> str:
        name = ("FIN" if self.finite else "POW") + ("1" if self.nonempty else "")
        return f"{name}({brief(self.base)})"


def power_set(base: SetValue) -> SetValue:
    """Return the subsets of `base`."""
    return PowerSet(base)
