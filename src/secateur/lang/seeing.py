"""Functions that see more of a value than B does: how it is written, or its place in an order.

Elements of a given set are told apart by their names, and by these.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from secateur.maths.ast import Apply, Expr, walk
from secateur.maths.operators.protocol import Operator
from secateur.maths.operators.registry import EXTERNALS

_SEEING: Final = frozenset(
    EXTERNALS[name]
    for name in ("CHOOSE", "SORT", "LESS", "LEQ_SYM_BREAK", "TO_STRING", "FORMAT_TO_STRING")
)


def seeing(e: Expr) -> Iterator[Operator]:
    """Yield such functions in an expression."""
    return (
        part.operator for part in walk(e) if isinstance(part, Apply) and part.operator in _SEEING
    )
