"""Shapes with no more room for numbers than the values that have been seen need.

Only numbers that nothing is said about: a range that follows from the invariant is seldom
left, and one that is narrower may be.  A shape is a guess in any case, so that a wrong one
costs time and nothing else: what does not fit is noticed, and the shape is widened.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Final

from secateur.lang.slots.cells import Allocator, allocate, mask
from secateur.lang.slots.shapes import (
    GUESSED,
    Dense,
    Function,
    Pair,
    Record,
    Sequence,
    Shape,
    Subset,
    Wide,
)
from secateur.lang.slots.spaces import LARGEST_SPACE, Pairs, Range, Space
from secateur.maths.values import Value

SMALL: Final = 256
"""So many values are few, where it is proven that there are no others."""


def fitted(
    shapes: Mapping[str, Shape], seen: Mapping[str, Iterable[Value]], proven: Collection[str]
) -> dict[str, Shape]:
    """Return the shapes of variables with room for what was seen of some of them.

    Where it is proven what is enough, and that is little, it stays: what does not fit would be
    a fault that might happen.
    """
    loose = [name for name in seen if not (name in proven and _is_small(shapes[name]))]
    return {**shapes, **{name: _tightened(shapes[name], seen[name]) for name in loose}}


def narrowed(
    shapes: Mapping[str, Shape],
    seen: Mapping[str, Iterable[Value]],
    enough: Callable[[Mapping[str, Shape]], bool],
) -> dict[str, Shape] | None:
    """Return the shapes with room for what was seen of a few variables, if that is enough.

    Those that save most come first, and no more of them than it takes: what others are given
    beyond what was seen is room for what was not.
    """
    tight = {
        name: _filled(_tightened(shapes[name], values), shapes[name])
        for name, values in seen.items()
    }
    saved = {name: _width(shapes[name]) - _width(tight[name]) for name in tight}
    found = dict(shapes)
    for name in sorted(tight, key=lambda n: -saved[n]):
        if not saved[name]:
            break
        found[name] = tight[name]
        if enough(found):
            return found
    return None


def _filled(tight: Shape, shape: Shape) -> Shape:
    """Return a shape with room for all numbers of `shape` that it takes no further bits for."""
    match tight, shape:
        case Dense(Range(low, high)), Dense(Range() as whole):
            most = low + (1 << max(1, (high - low).bit_length())) - 1
            return Dense(Range(low, min(most, whole.high)))
        case Function(domain, value, total), Function(value=inner):
            return Function(domain, _filled(value, inner), total)
        case Sequence(limit, value), Sequence(value=inner):
            return Sequence(limit, _filled(value, inner))
        case _:
            return tight


def _width(shape: Shape) -> int:
    """Return how many bits a shape takes."""
    room = Allocator()
    cell = allocate(shape, 1, room)
    return sum(word.bit_count() for word in mask([cell], room.words))


def _tightened(shape: Shape, values: Iterable[Value]) -> Shape:
    """Return a shape for these values, which fit into the given one; at least one is needed."""
    seen = list(values)
    if not seen:
        return shape
    match shape:
        case Dense(space):
            return Dense(_hull(space, seen))
        case Wide():
            low, high = min(seen), max(seen)
            return Dense(Range(low, high)) if high - low < LARGEST_SPACE else shape
        case Pair(left, right):
            return Pair(
                _tightened(left, (v[0] for v in seen)), _tightened(right, (v[1] for v in seen))
            )
        case Record(names, parts):
            return Record(
                names, tuple(_tightened(p, (v[i] for v in seen)) for i, p in enumerate(parts))
            )
        case Subset(space):
            elements = {e for v in seen for e in v}
            return Subset(_hull(space, list(elements))) if elements else shape
        case Function(domain, value, total):
            return Function(domain, _tightened(value, {e[1] for v in seen for e in v}), total)
        case Sequence(limit, value):
            return Sequence(limit, _tightened(value, {e[1] for v in seen for e in v}))
        case _:
            return shape


def _is_small(shape: Shape) -> bool:
    """Whether it has numbers of few values, or elements that are such."""
    match shape:
        case Dense(space):
            return space.size <= SMALL
        case Function(_, value, _):
            return _is_small(value)
        case _:
            return False


def _hull(space: Space, values: list[Value]) -> Space:
    """Return the part of a space between the least and the greatest of some numbers."""
    match space:
        case Range() if space.size >= GUESSED.size:
            return Range(min(values), max(values))
        case Pairs(left, right):
            return Pairs(_hull(left, [v[0] for v in values]), _hull(right, [v[1] for v in values]))
        case _:
            return space
