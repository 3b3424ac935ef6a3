"""Sets of sequences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import Enum
from itertools import permutations, product
from math import perm
from typing import Final

from secateur.maths.magnitude import admit, bits_of_power
from secateur.maths.show import brief
from secateur.maths.symbolic.functions import FunctionSpace
from secateur.maths.symbolic.kinds import TOTAL_BIJECTION, TOTAL_FUNCTION, TOTAL_INJECTION
from secateur.maths.symbolic.numbers import POSITIVES, integers
from secateur.maths.symbolic.relation import SymbolicRelation
from secateur.maths.symbolic.space import SMALL, Space, elements, is_empty, sample
from secateur.maths.values import (
    SetValue,
    SymbolicSet,
    Undecided,
    Value,
    cardinality,
    explicit,
    is_subset,
)


class Repetition(Enum):
    """How often a sequence may use an element: at will, at most once, exactly once."""

    FREE = "seq"
    INJECTIVE = "iseq"
    PERMUTATION = "perm"


_KINDS: Final = {
    Repetition.FREE: TOTAL_FUNCTION,
    Repetition.INJECTIVE: TOTAL_INJECTION,
    Repetition.PERMUTATION: TOTAL_BIJECTION,
}


class SequenceSpace(Space):
    """The sequences of elements of `base`."""

    __slots__ = ("base", "nonempty", "repetition")

    def __init__(self, base: SetValue, repetition: Repetition, *, nonempty: bool = False) -> None:
        self.base = base
        self.repetition = repetition
        self.nonempty = nonempty

    def __contains__(self, value: object) -> bool:
        assert isinstance(value, frozenset | SymbolicSet)
        if not isinstance(value, frozenset):
            length = value.size()
            if length is None or (self.nonempty and length == 0):
                return False
            if isinstance(value, SymbolicRelation) and length > SMALL:
                return value in FunctionSpace(
                    _KINDS[self.repetition], integers(1, length), self.base
                )
        table = sequence_table(explicit(value))
        if table is None or (self.nonempty and not table):
            return False
        if self.repetition is Repetition.FREE and isinstance(self.base, frozenset):
            return self.base.issuperset(table.values())
        images = set(table.values())
        if self.repetition is not Repetition.FREE and len(images) != len(table):
            return False
        if self.repetition is Repetition.PERMUTATION and cardinality(self.base) != len(images):
            return False
        base = self.base
        return images <= base if isinstance(base, frozenset) else base.holds_all(images)

    def is_empty(self) -> bool:
        """Whether there is no such sequence."""
        if self.repetition is Repetition.PERMUTATION:
            n = cardinality(self.base)
            return n is None or n < int(self.nonempty)
        return self.nonempty and is_empty(self.base)

    def size(self) -> int | None:
        """Return the number of sequences."""
        n = cardinality(self.base)
        if n is None:
            return 0 if self.repetition is Repetition.PERMUTATION else None
        least = int(self.nonempty)
        if self.repetition is Repetition.FREE:
            return None if n else 1 - least
        if self.repetition is Repetition.PERMUTATION:
            admit(bits_of_power(n, n), "the number of elements of", self)
            return perm(n, n) if n >= least else 0
        admit(bits_of_power(n, n) * n, "the number of elements of", self)
        return sum(perm(n, k) for k in range(least, n + 1))

    def __iter__(self) -> Iterator[Value]:
        if self.size() is None:
            raise Undecided(f"the elements of {self!r} cannot be listed: it is infinite")
        if self.size() == 0:
            return
        items = list(elements(self.base))
        only = self.repetition is Repetition.PERMUTATION
        for n in range(len(items) if only else int(self.nonempty), len(items) + 1):
            yield from map(as_sequence, permutations(items, n))

    def by_length(self, length: int) -> Iterator[Value]:
        """Yield the sequences of one length in canonical order; `base` must be finite."""
        items = elements(self.base)
        if self.repetition is Repetition.FREE:
            return map(as_sequence, product(items, repeat=length))
        return map(as_sequence, permutations(items, length))

    def sample(self) -> Iterator[Value]:
        """Yield short sequences, with and without repetition."""
        items = list(sample(self.base))
        found = map(as_sequence, ([], items[:1], items[:1] * 2, items[:2], items))
        return (sequence for sequence in found if sequence in self)

    def structure(self) -> tuple[Value, ...]:
        """Return the set and the kind of sequences."""
        return (self.base, self.repetition, self.nonempty)

    def within(self, other: SymbolicSet) -> bool | None:
        """Compare the sets and the kinds of sequences, where that suffices."""
        if isinstance(other, FunctionSpace):
            kind = other.kind
            fits = not kind.total and not kind.surjective and not kind.injective
            fits = fits and is_subset(POSITIVES, other.source)
            return (fits and is_subset(self.base, other.target)) or None
        if not isinstance(other, SequenceSpace):
            return None
        freer = other.repetition in (Repetition.FREE, self.repetition)
        permuted = other.repetition is Repetition.PERMUTATION
        if not freer or permuted or other.nonempty > self.nonempty:
            return None
        return is_subset(self.base, other.base) or None

    def __repr__(self) -> str:
        return f"{self.repetition.value}{'1' if self.nonempty else ''}({brief(self.base)})"


def as_sequence(items: Sequence[Value]) -> frozenset[Value]:
    """Return the sequence of `items`."""
    global _numbers  # noqa: PLW0603 - replaced as a whole
    numbers = _numbers
    if len(numbers) < len(items):
        numbers = _numbers = list(range(1, 2 * len(items)))
    sequence = frozenset(zip(numbers, items))  # noqa: B905 - there may be more numbers
    if len(items) >= _LONG:
        if len(_long) >= _LONG_KEPT:
            _long.clear()
        _long[id(sequence)] = (sequence, items)
    return sequence


_numbers: list[int] = [1]
"""The places of sequences, as many as were needed so far: they share these numbers."""
_LONG: Final = 256
_LONG_KEPT: Final = 100
_long: dict[int, tuple[frozenset[Value], Sequence[Value]]] = {}
"""The elements in order of the long sequences made last, by identity: most are used at once."""


def known_items(sequence: frozenset[Value]) -> Sequence[Value] | None:
    """Return the elements of a sequence in order, if they are remembered."""
    found = _long.get(id(sequence))
    return None if found is None else found[1]


def sequence_table(pairs: frozenset[Value]) -> dict[int, Value] | None:
    """Return what stands at each place of a sequence, None if `pairs` are none."""
    table: dict[int, Value] = dict(pairs)
    n = len(pairs)
    if len(table) != n or (n and (min(table) != 1 or max(table) != n)):
        return None
    return table
