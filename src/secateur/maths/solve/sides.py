"""A relation that is known, as it looks from either side."""

from __future__ import annotations

from collections.abc import Mapping

from secateur.maths.values import Value, ordered
from secateur.source.records import dataclass

Values = frozenset[Value]
NOTHING: Values = frozenset()


@dataclass(frozen=True, slots=True)
class Sides:
    """What a relation has on the other side of each value."""

    images: Mapping[Value, Values]
    preimages: Mapping[Value, Values]
    groups: Mapping[Values, Values]
    """Which values of the left side have the same image."""


def sides_of(pairs: Values) -> Sides:
    """Return both sides of a relation; may raise where its values cannot be put in order."""
    in_order = ordered(pairs)
    images = _gathered(in_order)
    return Sides(
        images,
        _gathered([(right, left) for left, right in in_order]),
        _gathered([(image, left) for left, image in images.items()]),
    )


def _gathered(pairs: list[tuple[Value, Value]]) -> dict[Value, Values]:
    """Return what each first value is paired with, in the order of the pairs."""
    found: dict[Value, list[Value]] = {}
    for first, second in pairs:
        found.setdefault(first, []).append(second)
    return {first: frozenset(seconds) for first, seconds in found.items()}
