"""What a graph is to those who write or draw it, and what a format is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from enum import Enum
from typing import Final

from secateur.source.records import dataclass

MOST_REASONS: Final = 5
"""So many reasons are told in a picture: there may be hundreds that are alike."""

_MOST_LETTERS: Final = 80
"""So much of a value is told in a line below a picture."""


class Mark(Enum):
    """What is special about a node; the value is the word used in files."""

    INITIAL = "initial"
    VIOLATING = "violating"
    DEADLOCK = "deadlock"
    GOAL = "goal"
    OPEN = "unexplored"
    ON_TRACE = "trace"


class Tone(Enum):
    """What an edge says."""

    STEP = "step"
    ENABLES = "enables"
    DISABLES = "disables"


@dataclass(frozen=True, slots=True)
class DrawnNode:
    """A node: a heading, names with values, and how many states it stands for.

    `look` has what a user says of how it is drawn, as attributes of Graphviz.
    """

    heading: str = ""
    values: tuple[tuple[str, str], ...] = ()
    states: int = 1
    marks: frozenset[Mark] = frozenset()
    remarks: tuple[str, ...] = ()
    """What is wrong there."""
    look: Mapping[str, str] = field(default_factory=dict)

    @property
    def lines(self) -> list[str]:
        """What stands in it."""
        heading = [self.heading] if self.heading else []
        return [*heading, *(f"{name} = {value}" for name, value in self.values)]


@dataclass(frozen=True, slots=True)
class DrawnEdge:
    """An edge from node to node by number; `count` is how many transitions it stands for."""

    source: int
    target: int
    label: str = ""
    event: str = ""
    count: int = 1
    on_trace: bool = False
    tone: Tone = Tone.STEP
    look: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DrawnGraph:
    """A graph that can be written in every format.

    `beginnings` are labels with the nodes that they lead to from nowhere.  `remarks` are
    lines to be read with it; `reasons` say why it is not complete.
    """

    name: str
    nodes: tuple[DrawnNode, ...]
    edges: tuple[DrawnEdge, ...]
    beginnings: tuple[tuple[str, int], ...] = ()
    merged_by: tuple[str, ...] | None = None
    """What the states in a node agree in; None if each node is one state."""
    remarks: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    everywhere: tuple[tuple[str, str], ...] = ()
    """Names with values that are the same in all nodes, and not said there."""
    look: Mapping[str, str] = field(default_factory=dict)

    @property
    def notes(self) -> tuple[str, ...]:
        """The remarks, what is the same everywhere, and what is missing."""
        same = tuple(
            f"everywhere: {name} = {shortened(value, _MOST_LETTERS)}"
            for name, value in self.everywhere
        )
        told = [f"incomplete: {reason}" for reason in self.reasons[:MOST_REASONS]]
        if len(self.reasons) > MOST_REASONS:
            told.append(f"incomplete: and for {len(self.reasons) - MOST_REASONS} more reasons")
        return (*self.remarks, *same, *told)


@dataclass(frozen=True, slots=True)
class GraphFormat:
    """A format with the suffixes of its files; `picture` if it is for looking at."""

    name: str
    title: str
    suffixes: tuple[str, ...]
    write: Callable[[DrawnGraph], str]
    picture: bool = False


def shortened(text: str, most: int) -> str:
    """Return a text on one line of at most `most` characters."""
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 1] + "…"


def with_count(edge: DrawnEdge) -> str:
    """Return the label of an edge, and how many transitions it stands for if that is not one."""
    return edge.label if edge.count == 1 else f"{edge.label} ×{edge.count:,}"
