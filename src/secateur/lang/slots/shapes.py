"""The form in which values of a variable are stored.

A shape is a guess from the type and the invariant: a value that does not fit is never cut
off: the shape is widened, and the exploration begins anew.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from secateur.lang.slots.spaces import (
    LARGEST_SPACE,
    Carrier,
    OutOfSpace,
    Pairs,
    Range,
    Space,
    pairs,
    space_of_type,
)
from secateur.maths.types import BOOL, INTEGER, Given, Power, Product, Struct, Type
from secateur.maths.values import Value
from secateur.source.records import dataclass

GUESSED: Final = Range(-128, 127)
"""Where an integer is looked for that nothing is said about."""
GUESSED_ARGUMENTS: Final = Range(0, 15)
"""Where an argument of a function is looked for that is an integer."""
MOST_INTEGERS: Final = 2 * LARGEST_SPACE
"""A set of integers that lie further apart is stored as a whole: there is a bit for each of them."""
WIDEST: Final = 32
"""An integer that needs more bits is stored in 64."""


@dataclass(frozen=True, slots=True)
class Dense:
    """One value of a space, as its number."""

    space: Space


@dataclass(frozen=True, slots=True)
class Wide:
    """An integer of 64 bits."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A pair, part by part."""

    left: Shape
    right: Shape


@dataclass(frozen=True, slots=True)
class Record:
    """A record, field by field in the order of their names."""

    names: tuple[str, ...]
    parts: tuple[Shape, ...]


@dataclass(frozen=True, slots=True)
class Subset:
    """A set of values of a space: a bit for each."""

    space: Space


@dataclass(frozen=True, slots=True)
class Function:
    """A function: a value for each argument, and a bit for whether there is one (unless `total`)."""

    domain: Space
    value: Shape
    total: bool


@dataclass(frozen=True, slots=True)
class Sequence:
    """A sequence of at most `limit` values."""

    limit: int
    value: Shape


@dataclass(frozen=True, slots=True)
class Opaque:
    """Any value, as its number in a table of all values of its type met so far."""

    type: Type


Shape = Dense | Wide | Pair | Record | Subset | Function | Sequence | Opaque


def shape_of_type(type_: Type, carriers: Mapping[str, Carrier]) -> Shape:
    """Return the shape of a value that only its type is known of."""
    match type_:
        case Product(left, right):
            return Pair(shape_of_type(left, carriers), shape_of_type(right, carriers))
        case Struct(fields):
            shapes = tuple(shape_of_type(t, carriers) for _, t in fields)
            return Record(tuple(n for n, _ in fields), shapes)
        case Power(element):
            return _set_shape(element, carriers)
    if type_ is INTEGER:
        return Dense(GUESSED)
    if type_ is BOOL or isinstance(type_, Given):
        space = space_of_type(type_, carriers)
        return Opaque(type_) if space is None else Dense(space)
    return Opaque(type_)


def _set_shape(element: Type, carriers: Mapping[str, Carrier]) -> Shape:
    space = space_of_type(element, carriers)
    if space is not None:
        return Subset(space)
    if element is INTEGER:
        return Subset(Range(0, 31))
    if isinstance(element, Product):
        domain = guessed_space(element.left, carriers)
        if domain is not None:
            value = shape_of_type(element.right, carriers)
            if not isinstance(value, Opaque):
                return Function(domain, value, total=False)
    return Opaque(Power(element))


def guessed_space(type_: Type, carriers: Mapping[str, Carrier]) -> Space | None:
    """Return a space for some values of a type: all of them, but of the integers only a few."""
    if type_ is INTEGER:
        return GUESSED_ARGUMENTS
    if isinstance(type_, Product):
        return pairs(guessed_space(type_.left, carriers), guessed_space(type_.right, carriers))
    return space_of_type(type_, carriers)


def widened(shape: Shape, value: Value, type_: Type, carriers: Mapping[str, Carrier]) -> Shape:
    """Return a shape for what `shape` holds and for `value` as well.

    Integers get twice as many bits, so that an exploration is not begun anew too often.
    """
    match shape, type_:
        case (Dense(Range() as space), _) if type_ is INTEGER:
            return _wider(space, value)
        case (Pair(left, right), Product()) if isinstance(value, tuple):
            return Pair(
                widened(left, value[0], type_.left, carriers),
                widened(right, value[1], type_.right, carriers),
            )
        case (Record(names, parts), Struct(fields)) if isinstance(value, tuple):
            each = zip(parts, value, fields, strict=True)
            return Record(names, tuple(widened(p, v, t, carriers) for p, v, (_, t) in each))
    if isinstance(type_, Power) and isinstance(value, frozenset):
        return _widened_set(shape, value, type_.element, carriers)
    return shape if isinstance(shape, Wide) and _in_word(value) else Opaque(type_)


def _in_word(value: Value) -> bool:
    return isinstance(value, int) and -(1 << 63) < value < 1 << 63


def _wider(space: Range, value: int) -> Shape:
    low, high = min(space.low, value), max(space.high, value)
    bits = max(4, (space.size - 1).bit_length())
    while bits <= WIDEST and high - low >= 1 << bits:
        bits *= 2
    if bits > WIDEST:
        return Wide() if _in_word(value) else Opaque(INTEGER)
    slack = (1 << bits) - 1 - (high - low)
    # The numbers go on in the direction in which they have left.
    return Dense(Range(low, high + slack) if value > space.high else Range(low - slack, high))


def _widened_set(
    shape: Shape, value: frozenset[Value], element: Type, carriers: Mapping[str, Carrier]
) -> Shape:
    if isinstance(element, Product) and isinstance(shape, Function | Sequence):
        if len({left for left, _ in value}) == len(value):
            return _widened_function(shape, value, element, carriers)
        space = guessed_space(element, carriers)
        if space is not None:
            space = _with_values(space, list(value), element, carriers)
        return Opaque(Power(element)) if space is None else Subset(space)
    if isinstance(shape, Subset):
        space = _with_values(shape.space, list(value), element, carriers, MOST_INTEGERS)
        if space is not None:
            return Subset(space)
    return Opaque(Power(element))


def _widened_function(
    shape: Function | Sequence,
    value: frozenset[Value],
    element: Product,
    carriers: Mapping[str, Carrier],
) -> Shape:
    inner = shape.value
    for _, right in value:
        if not fits(inner, right):
            inner = widened(inner, right, element.right, carriers)
    if isinstance(shape, Sequence):
        if {left for left, _ in value} == set(range(1, len(value) + 1)):
            limit = shape.limit
            while limit < len(value):
                limit *= 2
            fits_still = limit <= LARGEST_SPACE
            return Sequence(limit, inner) if fits_still else Opaque(Power(element))
        shape = Function(Range(1, shape.limit), inner, total=False)
    domain = _with_values(shape.domain, [left for left, _ in value], element.left, carriers)
    if domain is None:
        return Opaque(Power(element))
    total = shape.total and domain == shape.domain and len(value) == domain.size
    return Function(domain, inner, total)


def _with_values(
    space: Space,
    values: list[Value],
    type_: Type,
    carriers: Mapping[str, Carrier],
    most: int = LARGEST_SPACE,
) -> Space | None:
    """Return a space with these values as well, and room for a few more."""
    if all(has(space, v) for v in values):
        return space
    if isinstance(space, Range) and type_ is INTEGER:
        low, high = min(values), max(values)
        room = space
        while room.low > low or room.high < high:
            step = room.size
            room = Range(
                room.low - (step if room.low > low else 0),
                room.high + (step if room.high < high else 0),
            )
            if room.size > 2 * most:
                break
        if room.size > most:
            room = Range(min(space.low, low), max(space.high, high))
        return room if room.size <= most else None
    if isinstance(space, Pairs) and isinstance(type_, Product):
        return pairs(
            _with_values(space.left, [v[0] for v in values], type_.left, carriers),
            _with_values(space.right, [v[1] for v in values], type_.right, carriers),
        )
    return space_of_type(type_, carriers)


def has(space: Space, value: Value) -> bool:
    """Whether a value is among those of a space."""
    try:
        space.index(value)
    except OutOfSpace:
        return False
    return True


def fits(shape: Shape, value: Value) -> bool:
    """Whether a value can be stored in a shape."""
    match shape:
        case Dense(space):
            return has(space, value)
        case Wide():
            return _in_word(value)
        case Pair(left, right):
            both = isinstance(value, tuple)
            return both and fits(left, value[0]) and fits(right, value[1])
        case Record(_, parts):
            return isinstance(value, tuple) and all(map(fits, parts, value))
        case Opaque():
            return True
    if not isinstance(value, frozenset):
        return False
    match shape:
        case Subset(space):
            return all(has(space, v) for v in value)
        case Function(domain, inner, total):
            lefts = {left for left, _ in value}
            return (
                len(lefts) == len(value)
                and (not total or len(value) == domain.size)
                and all(has(domain, left) and fits(inner, right) for left, right in value)
            )
        case Sequence(limit, inner):
            return (
                len(value) <= limit
                and {left for left, _ in value} == set(range(1, len(value) + 1))
                and all(fits(inner, right) for _, right in value)
            )
