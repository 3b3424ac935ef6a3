"""Which of several faults is told: the same one whatever the order in which they were met."""

from __future__ import annotations

from collections.abc import Sequence

from secateur.maths.values import IllDefined


def first_fault(faults: Sequence[IllDefined]) -> IllDefined:
    """Return the fault that comes first in the text."""
    return min(faults, key=place_and_words)


def place_and_words(fault: IllDefined) -> tuple[int, int, str]:
    """Return what faults are ordered by."""
    span = fault.span
    start, end = (0, 0) if span is None else (span.start, span.end)
    return (start, end, fault.message)
