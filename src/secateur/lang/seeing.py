"""What tells elements of a given set apart besides their names."""

from __future__ import annotations

from collections.abc import Iterator

from secateur.maths.ast import Apply, Expr, walk
from secateur.maths.operators.protocol import Operator


def seeing(e: Expr) -> Iterator[Operator]:
    """Yield the operators in an expression that see more of a value than B does."""
    for part in walk(e):
        if isinstance(part, Apply) and part.operator.tells_apart:
            yield part.operator
