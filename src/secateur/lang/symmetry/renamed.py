"""Values with other elements in the place of theirs."""

from __future__ import annotations

from collections.abc import Mapping

from secateur.maths.values import Element, FreeValue, RecordValue, Value
from secateur.system.symmetry import Asymmetric


def renamed(value: Value, image: Mapping[int, Element]) -> Value:
    """Return a value with elements replaced by their images; raise Asymmetric for a rule."""
    match value:
        case Element():
            return image.get(int(value), value)
        case bool() | int() | str() | float():
            return value
        case frozenset():
            return frozenset([renamed(v, image) for v in value])
        case RecordValue():
            return RecordValue(value.names, [renamed(v, image) for v in value])
        case FreeValue():
            return FreeValue(value[0], value.constructor, *[renamed(v, image) for v in value[1:]])
        case tuple():
            return tuple([renamed(v, image) for v in value])
    raise Asymmetric(f"{value} is known by a rule, which may tell elements apart")
