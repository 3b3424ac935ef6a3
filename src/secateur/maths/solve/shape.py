"""The structure of an unknown: which truths and numbers its value is made of."""

from __future__ import annotations

from collections import abc
from collections.abc import Callable, Hashable, Iterator
from itertools import combinations
from typing import Final

from secateur.maths.ast import Apply, Expr, RecordSet
from secateur.maths.operators import sequences, sets
from secateur.maths.solve.equality import MANY, known_elements
from secateur.maths.solve.logic import Truth
from secateur.maths.solve.network import INFINITY, Bool, Conflict, Scalar
from secateur.maths.solve.protocol import Evaluator
from secateur.maths.solve.select import atom_among
from secateur.maths.solve.spaces import SPACES
from secateur.maths.solve.terms import Bits, Cells, Couple, Known, Row, Sequence, Sum, Term
from secateur.maths.symbolic import ALL_STRINGS
from secateur.maths.symbolic.numbers import Integers
from secateur.maths.types import Base, Power, Product, Struct, Type
from secateur.maths.values import SetValue, Value, kind_of, ordered

LARGEST_PAIRED: Final = 64
"""A product with at most this many pairs is gone through pair by pair."""

SUBSETS_OF: Final = 10
"""The subsets of at most so many elements are listed."""

OTHER_TEXTS: Final = ("STRING1", "STRING2")
"""What strings are called that a model does not speak of."""

Ground = Callable[[Expr], Value | None]
"""Gives the value of a set expression if that is known."""
Possible = Callable[[Expr], frozenset[Value] | None]
"""Gives everything that a set which is itself to be found may contain."""

Greatest = Callable[[Expr], int | None]
"""Gives the greatest value that an integer expression may have."""


class Shaper:
    """Makes terms for unknowns in a known set, or of a type."""

    def __init__(
        self, evaluator: Evaluator, ground: Ground, possible: Possible, greatest: Greatest
    ) -> None:
        self.evaluator = evaluator
        self.ground = ground
        self.possible = possible
        self.greatest = greatest
        self.windowed = False
        """Whether sets of integers without end are cut to those from MININT to MAXINT."""
        self._in_order: dict[tuple[Hashable, frozenset[Value]], tuple[Value, ...]] = {}

    def in_set(self, s: Expr, type_: Type) -> Term | None:
        """Return an unknown element of `s`; None if its structure is not known.

        Every element has this structure; not every value with it need be an element.
        Raises Conflict if there is no element at all.
        """
        match s, type_:
            case Apply(operator, (left, right)), Power(Product(_, value_type)) if (
                operator in SPACES
            ):
                if "function" in SPACES[operator]:
                    return self._function(s, left, right, value_type)
                return self._subsets_of_product(left, right)
            case Apply(operator, (base,)), _ if operator in _POWERS:
                return self._subsets(self.elements(base))
            case Apply(operator, (base,)), _ if operator in _FINITE_SEQUENCES:
                every = operator is sequences.PERMUTATIONS and self.ground(base) is not None
                return self._sequence(self.elements(base), total=every)
            case Apply(operator, (left, right)), Product(a, b) if operator is sets.PRODUCT:
                return self._pair(s, (left, a), (right, b))
            case RecordSet(fields), Struct(types):
                return self._record(sorted(fields, key=lambda f: f[0]), types)
            case _:
                value = self.ground(s)
                if value is not None:
                    return self.in_value(value, type_)
                elements = self.possible(s)
                return None if elements is None else self._one_of(elements)

    def elements(self, s: Expr) -> frozenset[Value] | None:
        """Return everything that `s` may contain; None if that is not known or too much."""
        value = self.ground(s)
        if self.windowed and isinstance(value, Integers):
            return self._window(value)
        if self.windowed and value is ALL_STRINGS:
            return self._texts
        return self.possible(s) if value is None else known_elements(value)

    def _window(self, s: Integers) -> frozenset[Value]:
        """Return the elements from MININT to MAXINT, or as many at the end of `s`."""
        low, high = self.evaluator.settings.minint, self.evaluator.settings.maxint
        width = high - low
        if s.low is not None and s.low > high:
            low, high = s.low, s.low + width
        elif s.high is not None and s.high < low:
            low, high = s.high - width, s.high
        least = low if s.low is None else max(low, s.low)
        greatest = high if s.high is None else min(high, s.high)
        return frozenset(range(least, greatest + 1))

    def in_value(self, s: SetValue, type_: Type) -> Term | None:
        """Return an unknown element of a known set."""
        if isinstance(s, Integers):
            lo = -INFINITY if s.low is None else s.low
            hi = INFINITY if s.high is None else s.high
            if lo > hi:
                raise Conflict
            return Sum(((1, Scalar(lo, hi)),))
        elements = known_elements(s)
        if elements is not None:
            return self._one_of(elements)
        return self.of_type(type_)

    def _one_of(self, elements: frozenset[Value]) -> Term:
        if not elements:
            raise Conflict
        sides = _sides(elements)
        if sides is not None:
            return Couple(*map(self._one_of, sides))
        # Unknowns among the same values share them, so that they can be compared.
        key = (kind_of(next(iter(elements))), elements)
        values = self._in_order.get(key)
        if values is None:
            values = self._in_order[key] = tuple(ordered(elements))
        return atom_among(values)

    def of_type(self, type_: Type) -> Term | None:
        """Return an unknown of a type; None if its structure has no bound."""
        match type_:
            case Base.INTEGER:
                return Sum(((1, Scalar(-INFINITY, INFINITY)),))
            case Base.BOOL:
                return Bool()
            case Product(left, right):
                a, b = self.of_type(left), self.of_type(right)
                return None if a is None or b is None else Couple(a, b)
            case Power(element):
                return self._subsets(known_elements(self.evaluator.all_values(element)))
            case Struct(fields):
                parts = [self.of_type(t) for _, t in fields]
                known = tuple(part for part in parts if part is not None)
                names = tuple(name for name, _ in fields)
                return Row(names, known) if len(known) == len(parts) else None
            case Base.STRING | Base.REAL:
                return None
            case _:
                elements = known_elements(self.evaluator.all_values(type_))
                return None if elements is None else self._one_of(elements)

    def of_type_within_settings(self, type_: Type) -> Term | None:
        """Return an unknown of a type, with integers from MININT to MAXINT and a few strings only."""
        elements = self._within_settings(type_)
        if elements is not None:
            return self._one_of(elements)
        match type_:
            case Power(element):
                return self._subsets(self._within_settings(element))
            case Product(left, right):
                a, b = self.of_type_within_settings(left), self.of_type_within_settings(right)
                return None if a is None or b is None else Couple(a, b)
            case _:
                return None

    def _within_settings(self, type_: Type) -> frozenset[Value] | None:
        """Return the values of a type with integers from MININT to MAXINT only, if not too many."""
        settings = self.evaluator.settings
        match type_:
            case Base.INTEGER:
                return frozenset(range(settings.minint, settings.maxint + 1))
            case Product(left, right):
                xs, ys = self._within_settings(left), self._within_settings(right)
                if xs is None or ys is None or len(xs) * len(ys) > MANY:
                    return None
                return frozenset((x, y) for x in xs for y in ys)
            case Power(element):
                base = self._within_settings(element)
                if base is None or len(base) > SUBSETS_OF:
                    return None
                return frozenset(_subsets(ordered(base)))
            case Base.STRING:
                return self._texts
            case Base.REAL | Struct():
                return None
            case _:
                return known_elements(self.evaluator.all_values(type_))

    @property
    def _texts(self) -> frozenset[Value]:
        """The strings that are tried where there is no bound."""
        return frozenset((*self.evaluator.settings.texts, *OTHER_TEXTS))

    def subset_of(self, s: Expr) -> Term | None:
        """Return an unknown subset of `s`."""
        return self._subsets(self.elements(s))

    def _subsets(self, elements: frozenset[Value] | None) -> Term | None:
        return None if elements is None else Bits({x: Bool() for x in ordered(elements)})

    def _subsets_of_product(self, left: Expr, right: Expr) -> Term | None:
        xs, ys = self.elements(left), self.elements(right)
        if xs is None or ys is None:
            return None
        return self.relation(ordered(xs), ordered(ys))

    def relation(self, xs: abc.Sequence[Value], ys: abc.Sequence[Value]) -> Term | None:
        """Return an unknown relation between these."""
        if len(xs) * len(ys) > MANY:
            return None
        return Bits({(x, y): Bool() for x in xs for y in ys})

    def _function(self, s: Apply, source: Expr, target: Expr, type_: Type) -> Term | None:
        elements = self.elements(source)
        if elements is None:
            return None
        total = "total" in SPACES[s.operator] and self.ground(source) is not None
        return self.function(ordered(elements), lambda: self.in_set(target, type_), total=total)

    def function(
        self, keys: abc.Sequence[Value], image: Callable[[], Term | None], *, total: bool
    ) -> Term | None:
        """Return an unknown function on (some of) these keys."""
        cells: dict[Value, tuple[Truth, Term]] = {}
        for key in keys:
            try:
                term = image()
            except Conflict:
                if total:
                    raise
                return Known(frozenset())
            if term is None:
                return None
            cells[key] = (True if total else Bool(), term)
        return Cells(cells) if cells else Known(frozenset())

    def _sequence(self, elements: frozenset[Value] | None, *, total: bool) -> Term | None:
        """Return an unknown sequence without repetition: as long as its base at most."""
        if elements is None:
            return None
        keys = range(1, len(elements) + 1)
        return as_sequence(self.function(keys, lambda: self._one_of(elements), total=total))

    def _pair(self, s: Expr, left: tuple[Expr, Type], right: tuple[Expr, Type]) -> Term | None:
        value = self.ground(s)
        listed = None if value is None else known_elements(value, LARGEST_PAIRED)
        if listed is not None and not listed:
            raise Conflict
        a, b = self.in_set(*left), self.in_set(*right)
        return None if a is None or b is None else Couple(a, b)

    def _record(
        self, fields: abc.Sequence[tuple[str, Expr]], types: abc.Sequence[tuple[str, Type]]
    ) -> Term | None:
        parts = [self.in_set(s, t) for (_, s), (_, t) in zip(fields, types, strict=True)]
        known = tuple(part for part in parts if part is not None)
        names = tuple(name for name, _ in fields)
        return Row(names, known) if len(known) == len(parts) else None


def as_sequence(function: Term | None) -> Term | None:
    """Return an unknown function of which it is known that it is a sequence."""
    return Sequence(function.cells) if isinstance(function, Cells) else function


def _sides(elements: frozenset[Value]) -> tuple[frozenset[Value], frozenset[Value]] | None:
    """Return the two sets of which some elements are the product, if they are one."""
    if type(next(iter(elements))) is not tuple:
        return None
    left = frozenset([x for x, _ in elements])
    right = frozenset([y for _, y in elements])
    return (left, right) if len(left) * len(right) == len(elements) else None


def _subsets(elements: list[Value]) -> Iterator[frozenset[Value]]:
    for size in range(len(elements) + 1):
        yield from map(frozenset, combinations(elements, size))


_POWERS: Final = frozenset(
    {sets.POWER_SET, sets.POWER_SET1, sets.FINITE_SUBSETS, sets.FINITE_SUBSETS1}
)
_FINITE_SEQUENCES: Final = frozenset(
    {
        sequences.INJECTIVE_SEQUENCES,
        sequences.INJECTIVE_SEQUENCES1,
        sequences.PERMUTATIONS,
    }
)
"""Sequences that cannot be longer than their base is large."""
