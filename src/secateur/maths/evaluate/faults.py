"""Which of several faults is told: the same one whatever the order in which they were met."""

from __future__ import annotations

from collections.abc import Sequence

from secateur.maths.values import IllDefined
from secateur.source import Span


def first_fault(faults: Sequence[IllDefined]) -> IllDefined:
    """Return the fault that comes first in the text."""
    return min(faults, key=_place_and_words)


def once_each(faults: Sequence[IllDefined]) -> list[IllDefined]:
    """Return the first fault of each place, in the order of the text."""
    found: dict[Span | None, IllDefined] = {}
    for fault in sorted(faults, key=_place_and_words):
        found.setdefault(fault.span, fault)
    return list(found.values())


def _place_and_words(fault: IllDefined) -> tuple[int, int, str]:
    """Return what faults are ordered by."""
    span = fault.span
    start, end = (0, 0) if span is None else (span.start, span.end)
    return (start, end, fault.message)
