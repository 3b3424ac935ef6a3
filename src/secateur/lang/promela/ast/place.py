"""Where a node of the tree stands in the text."""

from __future__ import annotations

from dataclasses import field

from secateur.source import NOWHERE, Span


def place() -> Span:
    """The field for it: nowhere unless said, and of no matter where nodes are compared."""
    return field(default=NOWHERE, compare=False, repr=False)
