"""Edges as they are drawn: those between the same nodes are one arrow."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from secateur.report.graphs.protocol import DrawnEdge, Tone, shortened, with_count
from secateur.source.records import dataclass

MOST_LABELS: Final = 5
"""So many labels are shown at an arrow."""


@dataclass(frozen=True, slots=True)
class Arrow:
    """Edges of one tone and look from one node to another."""

    source: int
    target: int
    tone: Tone
    edges: tuple[DrawnEdge, ...]
    look: Mapping[str, str]

    @property
    def on_trace(self) -> bool:
        """Whether one of them is on the way to the error."""
        return any(edge.on_trace for edge in self.edges)


def arrows(edges: Iterable[DrawnEdge]) -> list[Arrow]:
    """Return the arrows for some edges, in the order of their first ones."""
    grouped: dict[object, list[DrawnEdge]] = {}
    for edge in edges:
        key = edge.source, edge.target, edge.tone, tuple(edge.look.items())
        grouped.setdefault(key, []).append(edge)
    return [
        Arrow(first.source, first.target, first.tone, tuple(group), first.look)
        for group in grouped.values()
        for first in group[:1]
    ]


def labels_of(arrow: Arrow, longest: int) -> list[str]:
    """Return the lines at an arrow; of many, those with the most transitions."""
    counted: dict[str, int] = {}
    for edge in arrow.edges:
        if edge.label:
            counted[edge.label] = counted.get(edge.label, 0) + edge.count
    lines = [
        with_count(DrawnEdge(0, 0, shortened(label, longest), count=count))
        for label, count in counted.items()
    ]
    if len(lines) <= MOST_LABELS:
        return lines
    kept = sorted(range(len(lines)), key=lambda i: -list(counted.values())[i])[: MOST_LABELS - 1]
    rest = len(lines) - len(kept)
    return [*(lines[i] for i in sorted(kept)), f"and {rest} more"]
