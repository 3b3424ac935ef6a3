"""What the invariant says about the values of a variable, read as a shape.

Only a guess is needed: a value that does not fit is noticed (see `shapes.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field
from typing import Final

from secateur.lang.slots.shapes import (
    GUESSED_ARGUMENTS,
    Dense,
    Function,
    Opaque,
    Pair,
    Record,
    Sequence,
    Shape,
    Subset,
    Wide,
    guessed_space,
    shape_of_type,
)
from secateur.lang.slots.spaces import (
    LARGEST_SPACE,
    Carrier,
    Range,
    Records,
    Space,
    pairs,
    space_of_type,
    subsets,
)
from secateur.maths.ast import Apply, Expr, Labelled, Name, RecordSet, SetDisplay, conjuncts
from secateur.maths.operators import comparison, function_spaces, integers, sequences, sets
from secateur.maths.operators.protocol import Operator
from secateur.maths.types import BOOL, INTEGER, Given, Power, Product, Struct, Type
from secateur.maths.values import IllDefined, SymbolicSet, Undecided, Value
from secateur.source.records import dataclass

FIRST_LIMIT: Final = 8
"""The length of a sequence that is provided for at first."""

_TOTAL: Final = function_spaces.OF_TOTAL_FUNCTIONS
_PARTIAL: Final = function_spaces.OF_PARTIAL_FUNCTIONS
_RELATIONS: Final = frozenset(
    {
        function_spaces.RELATIONS,
        function_spaces.TOTAL_RELATIONS,
        function_spaces.SURJECTIVE_RELATIONS,
        function_spaces.TOTAL_SURJECTIVE_RELATIONS,
    }
)
_SEQUENCES: Final = frozenset(
    o for o in sequences.OPERATORS if o.signature is not None and "sequences" in o.name
)
_SUBSETS: Final = frozenset(
    o for o in sets.OPERATORS if o.name in {"power set", "finite subsets"} or "non-empty" in o.name
)
_COMPARISONS: Final[Mapping[Operator, tuple[int, int]]] = {
    # what is added to the other side for the (least, greatest) value; None is no bound
    integers.LESS: (0, -1),
    integers.LESS_EQUAL: (0, 0),
    integers.GREATER: (1, 0),
    integers.GREATER_EQUAL: (0, 0),
}

Evaluate = Callable[[Expr], Value | None]
"""The value of an expression over constants that is the same for all of their solutions, or None."""


@dataclass(frozen=True, slots=True)
class Claims:
    """Reads shapes off formulas."""

    carriers: Mapping[str, Carrier]
    evaluate: Evaluate
    definitions: Mapping[str, Expr] = field(default_factory=dict)
    """What constants are said to be equal to."""

    def shape(self, name: str, type_: Type, invariants: Iterable[Expr]) -> Shape:
        """Return the shape of variable `name`: what its typing predicate says, or its type."""
        found: Shape | None = None
        low: int | None = None
        high: int | None = None
        for conjunct in invariants:
            for part in _parts(conjunct):
                claimed = self._claimed(name, type_, part)
                if claimed is not None and (found is None or _better(claimed, found)):
                    found = claimed
                if type_ is INTEGER:
                    least, greatest = self._bounds(name, part)
                    low = _tighter(low, least, max)
                    high = _tighter(high, greatest, min)
        if type_ is INTEGER:
            return _range(found, low, high)
        return shape_of_type(type_, self.carriers) if found is None else found

    def _claimed(self, name: str, type_: Type, e: Expr) -> Shape | None:
        match e:
            case Apply(comparison.MEMBER, (Name(text), set_)) if text == name:
                return self.element(set_, type_)
            case Apply(comparison.SUBSET | comparison.STRICT_SUBSET, (Name(text), set_)) if (
                text == name and isinstance(type_, Power)
            ):
                space = self.room(set_, type_.element)
                return None if space is None else Subset(space)
        return None

    def _bounds(self, name: str, e: Expr) -> tuple[int | None, int | None]:
        match e:
            case Apply(operator, (Name(text), other)) if text == name:
                if operator in {integers.GREATER, integers.GREATER_EQUAL}:
                    return self._number(other, _COMPARISONS[operator][0]), None
                if operator in {integers.LESS, integers.LESS_EQUAL}:
                    return None, self._number(other, _COMPARISONS[operator][1])
            case Apply(operator, (other, Name(text))) if text == name:
                if operator in {integers.LESS, integers.LESS_EQUAL}:
                    return self._number(other, int(operator is integers.LESS)), None
                if operator in {integers.GREATER, integers.GREATER_EQUAL}:
                    return None, self._number(other, -int(operator is integers.GREATER))
        return None, None

    def _number(self, e: Expr, more: int) -> int | None:
        value = self.evaluate(e)
        return value + more if isinstance(value, int) else None

    def element(self, set_: Expr, type_: Type) -> Shape | None:
        """Return a shape for the elements of a set, which are of a type; None where nothing is known."""
        match set_, type_:
            case (Apply(operator, (left, right)), Power(Product() as pair)) if (
                operator in _TOTAL or operator in _PARTIAL
            ):
                return self._function(left, right, pair, total=operator in _TOTAL)
            case (Apply(operator, (left, right)), Power(Product() as pair)) if (
                operator in _RELATIONS
            ):
                space = pairs(self.room(left, pair.left), self.room(right, pair.right))
                return None if space is None else Subset(space)
            case (Apply(operator, (of,)), Power(Product() as pair)) if operator in _SEQUENCES:
                return Sequence(FIRST_LIMIT, self._of(of, pair.right))
            case (Apply(operator, (of,)), Power(element)) if operator in _SUBSETS:
                if isinstance(element, Product) and isinstance(of, Apply):
                    relation = self._claimed_relation(of, element)
                    if relation is not None:
                        return relation
                space = self.room(of, element)
                return None if space is None else Subset(space)
            case (Apply(sets.PRODUCT, (left, right)), Product()):
                return Pair(self._of(left, type_.left), self._of(right, type_.right))
            case (RecordSet(fields), Struct(typed)):
                sets_by_name = dict(fields)
                parts = tuple(self._of(sets_by_name[n], t) for n, t in typed)
                return Record(tuple(n for n, _ in typed), parts)
            case (Name(text), Power()) if text in self.definitions:
                return self.element(self.definitions[text], type_)
        space = self.space(set_, type_)
        return None if space is None or isinstance(type_, Power) else Dense(space)

    def _claimed_relation(self, of: Apply, element: Product) -> Shape | None:
        if of.operator is not sets.PRODUCT:
            return None
        space = pairs(self.room(of.args[0], element.left), self.room(of.args[1], element.right))
        return None if space is None else Subset(space)

    def _of(self, set_: Expr, type_: Type) -> Shape:
        return self.element(set_, type_) or shape_of_type(type_, self.carriers)

    def _function(self, left: Expr, right: Expr, pair: Product, *, total: bool) -> Shape | None:
        domain = self.room(left, pair.left)
        if domain is None:
            return None
        value = self._of(right, pair.right)
        if isinstance(value, Opaque):
            return None
        known = self.evaluate(left)
        return Function(domain, value, total and known is not None and _size(known) == domain.size)

    def space(self, set_: Expr, type_: Type) -> Space | None:
        """Return a space that holds the elements of a set, which are of a type."""
        value = self.evaluate(set_)
        if value is not None and type_ is INTEGER:
            return _integers(value)
        match set_, type_:
            case (Apply(sets.PRODUCT, (left, right)), Product()):
                return pairs(self.space(left, type_.left), self.space(right, type_.right))
            case (Apply(operator, (of,)), Power(element)) if operator in _SUBSETS:
                return subsets(self.space(of, element))
            case (Apply(sets.UNION, (left, right)), _) if type_ is INTEGER:
                return _both(self.space(left, type_), self.space(right, type_))
            case (Apply(sets.INTERSECTION, (left, right)), _) if type_ is INTEGER:
                return self.space(left, type_) or self.space(right, type_)
            case (Apply(sets.DIFFERENCE | sets.SET_MINUS, (left, _)), _) if type_ is INTEGER:
                return self.space(left, type_)
            case (SetDisplay(items), _) if type_ is INTEGER and items:
                numbers = [n for n in map(self.evaluate, items) if isinstance(n, int)]
                if len(numbers) == len(items):
                    return Range(min(numbers), max(numbers))
        if value is not None and isinstance(value, frozenset) and value:
            return _hull(list(value), type_, self.carriers)
        return space_of_type(type_, self.carriers)

    def room(self, set_: Expr, type_: Type) -> Space | None:
        """Return a space that holds the first elements of a set, at least: a guess if need be."""
        found = self.space(set_, type_)
        if found is not None or self.evaluate(set_) is not None:
            return found
        match set_, type_:
            case (Apply(sets.INTERVAL, (low, high)), _):
                return self._guessed_interval(low, high)
            case (Apply(sets.PRODUCT, (left, right)), Product()):
                return pairs(self.room(left, type_.left), self.room(right, type_.right))
        return guessed_space(type_, self.carriers)

    def _guessed_interval(self, low: Expr, high: Expr) -> Space:
        """Return room for an interval one end of which, or both, is not known yet."""
        size = GUESSED_ARGUMENTS.size
        least, greatest = self.evaluate(low), self.evaluate(high)
        if isinstance(least, int):
            return Range(least, least + size - 1)
        if isinstance(greatest, int):
            return Range(min(0, greatest), max(greatest, size - 1))
        return GUESSED_ARGUMENTS


def _parts(e: Expr) -> Iterable[Expr]:
    while isinstance(e, Labelled):
        e = e.body
    for part in conjuncts(e):
        if isinstance(part, Labelled):
            yield from _parts(part)
        else:
            yield part


def _better(a: Shape, b: Shape) -> bool:
    """Whether the first of two shapes takes less room or says more."""
    rank = {Function: 0, Sequence: 0, Pair: 1, Dense: 1, Subset: 2}
    if isinstance(a, Function) and isinstance(b, Function):
        return a.total and not b.total
    if isinstance(a, Dense) and isinstance(b, Dense):
        return a.space.size < b.space.size
    return rank.get(type(a), 3) < rank.get(type(b), 3)


def _tighter(a: int | None, b: int | None, choose: Callable[[int, int], int]) -> int | None:
    return b if a is None else a if b is None else choose(a, b)


def _range(found: Shape | None, low: int | None, high: int | None) -> Shape:
    if isinstance(found, Dense) and isinstance(found.space, Range):
        low = found.space.low if low is None else max(low, found.space.low)
        high = found.space.high if high is None else min(high, found.space.high)
    if low is None:
        low = -128 if high is None else min(0, high)
    if high is None:
        high = low + 255
    if high < low:
        low, high = high, low
    return Dense(Range(low, high)) if high - low < 1 << 32 else Wide()


def _size(value: Value) -> int | None:
    """Return how many elements a set has; None if that is not known."""
    if not isinstance(value, SymbolicSet):
        return len(value)
    try:
        return value.size() if value.worth_listing() else None
    except (IllDefined, Undecided):
        return None


def _integers(value: Value) -> Space | None:
    """Return the range that a set of integers lies in; what has no end is given some room."""
    if isinstance(value, SymbolicSet):
        size = _size(value)
        if size is None:
            return None
        if size > LARGEST_SPACE:
            least, greatest = getattr(value, "low", None), getattr(value, "high", None)
            if isinstance(least, int) and isinstance(greatest, int):
                return Range(least, greatest)
            return None
        value = value.expand()
    return Range(min(value), max(value)) if value else Range(0, 0)


def _both(a: Space | None, b: Space | None) -> Space | None:
    if isinstance(a, Range) and isinstance(b, Range):
        return Range(min(a.low, b.low), max(a.high, b.high))
    return None


def _hull(values: list[Value], type_: Type, carriers: Mapping[str, Carrier]) -> Space | None:
    """Return a space with all of these values; its integers go from the least to the greatest."""
    if type_ is INTEGER:
        return Range(min(values), max(values))
    if type_ is BOOL or isinstance(type_, Given):
        return space_of_type(type_, carriers)
    if isinstance(type_, Product):
        return pairs(
            _hull([v[0] for v in values], type_.left, carriers),
            _hull([v[1] for v in values], type_.right, carriers),
        )
    if isinstance(type_, Struct):
        parts = [
            _hull([v[i] for v in values], t, carriers) for i, (_, t) in enumerate(type_.fields)
        ]
        known = tuple(p for p in parts if p is not None)
        return (
            Records(tuple(n for n, _ in type_.fields), known) if len(known) == len(parts) else None
        )
    return space_of_type(type_, carriers)
