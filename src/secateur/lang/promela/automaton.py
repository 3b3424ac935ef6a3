"""What a process does, as a graph: locations, and the statements that lead from one to another.

The locations, their numbers and the edges are those of Spin's `pan -d` (statement merging
off), so that numbers of states and transitions can be compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from functools import cached_property

from secateur.lang.promela.ast import (
    Assert,
    Assign,
    Condition,
    Else,
    Print,
    Receive,
    Send,
)
from secateur.source import NOWHERE, Span
from secateur.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Jump:
    """`goto`, `break` or what joins the ends of options: always executable, changes nothing."""

    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Terminate:
    """The process is no more; only the youngest process can go."""

    span: Span = field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Deterministic:
    """A `d_step`: from the graph's start to its `end`, as one statement.

    It is executable where the first statement of the graph is; if a later one is not, that
    is an error.  Of several edges that could be taken, the first is.
    """

    graph: Automaton
    span: Span = field(default=NOWHERE, compare=False, repr=False)


Step = (
    Condition | Else | Assign | Send | Receive | Assert | Print | Jump | Terminate | Deterministic
)


@dataclass(frozen=True, slots=True)
class Edge:
    """A statement between two locations."""

    source: int
    target: int
    step: Step
    keeps: bool
    """Whether the process alone goes on afterwards, as far as it can: the target is inside `atomic`."""
    span: Span = field(default=NOWHERE, compare=False, repr=False)
    rivals: tuple[Edge, ...] = ()
    """It is taken only where none of these can be: statements that go before."""
    inside: bool = False
    """Whether it is a statement of a `d_step` that was taken apart."""
    escaping: bool = False
    """Whether it is an `else` with which an escape begins: it asks for `rivals` only."""
    number: int = field(default=0, compare=False)
    """Which statement of the body it is: one with which a choice begins may leave several locations."""


@dataclass(frozen=True, slots=True)
class Escape:
    """The statements that leave an `unless`, in the order in which Spin tries them."""

    start: int
    """Where the escape sequence begins."""
    edges: tuple[Edge, ...]


@dataclass(frozen=True, slots=True)
class Location:
    """A place in a body."""

    number: int
    labels: tuple[str, ...] = ()
    end: bool = False
    """Whether a process may be here for good: it has a label that begins with `end`, or is over."""
    progress: bool = False
    accept: bool = False
    escapes: tuple[Escape, ...] = ()
    """What goes before (`unless`), if it can; those that go first, first."""
    span: Span = field(default=NOWHERE, compare=False, repr=False)
    inside: bool = False
    """Whether it is inside of a `d_step` that was taken apart: there, to stop is a mistake."""


@dataclass(frozen=True, eq=False)
class Automaton:
    """A body as a graph."""

    name: str
    start: int
    end: int
    """Where the body is over: from here, `Terminate` leads nowhere (-1); of a `d_step`, its exit."""
    locations: Sequence[Location]
    edges: Sequence[Edge]
    """In the order in which Spin tries them."""
    unreachable: Sequence[Edge] = ()
    """What is written but no path leads to; for reports only."""

    @cached_property
    def leaving(self) -> dict[int, list[Edge]]:
        """The edges by the location that they leave, in order."""
        found: dict[int, list[Edge]] = {place.number: [] for place in self.locations}
        for edge in self.edges:
            found[edge.source].append(edge)
        return found

    def tried(self, number: int) -> list[Edge]:
        """Return all edges that can be taken at a location, in order: those of escapes first."""
        escaping = [edge for escape in self.at[number].escapes for edge in escape.edges]
        return [*escaping, *self.leaving[number]]

    @cached_property
    def at(self) -> dict[int, Location]:
        """The locations by their numbers."""
        return {place.number: place for place in self.locations}
