"""Values in messages."""

from __future__ import annotations

from typing import Final

from secateur.maths.print_value import show_value
from secateur.maths.values import Value

_BRIEF: Final = 80


def brief(value: Value) -> str:
    """Return `value` in B's notation, shortened to what fits into a message."""
    if isinstance(value, frozenset) and len(value) > _BRIEF:
        return f"a set of {len(value)} elements"
    text = show_value(value)
    return text if len(text) <= _BRIEF else text[: _BRIEF - 3] + "..."
