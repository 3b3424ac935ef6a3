"""The ways to execute a statement: when, and what it changes."""

from __future__ import annotations

from itertools import takewhile
from typing import NamedTuple

from secateur.lang.promela import ast
from secateur.lang.promela.automaton import Edge
from secateur.lang.promela.terms import Term
from secateur.lang.promela.world import Instance, Queue, Site, beginning_of
from secateur.maths.ast import Expr
from secateur.source.records import dataclass

Kind = tuple[bool, bool]
"""What else decides about the ways to execute a statement."""


@dataclass(frozen=True, slots=True)
class Write:
    """A variable, or one element of an array, gets a value."""

    name: str
    value: Term
    index: Term | None = None
    outside: bool = False
    """Whether the array is known to have no such element."""


@dataclass(frozen=True, slots=True)
class Birth:
    """A process is created, or would be."""

    site: Site
    created: Instance
    arguments: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Answer:
    """Who receives in a rendezvous."""

    instance: Instance
    edge: Edge
    receiving: Edge
    """The same edge, or the first one inside of a d_step."""
    before: tuple[Edge, ...] = ()
    """The edges of escapes that go before."""

    @property
    def earlier(self) -> tuple[Edge, ...]:
        """The statements that go before, if they can: of escapes, and of a d_step."""
        escaping = tuple(first for edge in self.before for first in beginning_of(edge))
        own = takewhile(lambda edge: edge is not self.receiving, beginning_of(self.edge))
        return (*escaping, *own)


class Variant(NamedTuple):
    """A way to execute a statement."""

    conditions: tuple[Expr, ...] = ()
    writes: tuple[Write, ...] = ()
    asserted: tuple[tuple[Expr, ast.Assert], ...] = ()
    partner: Answer | None = None
    """Who receives in a rendezvous."""
    message: tuple[Queue, tuple[Term, ...]] | None = None
    """What is sent or received."""
    unprovided: Site | None = None
    """Where a process is created for which there is no room."""
    fault: str | None = None
    """What is wrong with it, if it cannot be executed for that."""
    besides: bool = False
    """Whether the statement is executed in spite of its fault, as other variants say."""
    born: tuple[Birth, ...] = ()
    computed: tuple[Expr, ...] = ()
    """What is computed, whether it is kept or not."""
    implied: tuple[Expr, ...] = ()
    """What follows from the conditions in every state that can be: said for who does not know."""

    def where(self, *conditions: Expr) -> Variant:
        """Return the same way, where some conditions hold as well."""
        return self._replace(conditions=(*conditions, *self.conditions))


class Remembered:
    """The ways to execute statements, as long as one view is looked at.

    Whether a statement can be executed is asked before it is, with the same view.
    """

    def __init__(self) -> None:
        self._view: object = None
        self._known: dict[tuple[int, int, Kind], tuple[object, tuple[Variant, ...]]] = {}

    def recalled(
        self, view: object, instance: object, edge: object, kind: Kind
    ) -> tuple[Variant, ...] | None:
        """Return the ways that were found; begin anew with another view."""
        if view is not self._view:
            self._view = view
            self._known.clear()
        found = self._known.get((id(instance), id(edge), kind))
        return None if found is None else found[1]

    def keep(
        self,
        view: object,
        instance: object,
        edge: object,
        kind: Kind,
        found: tuple[Variant, ...],
    ) -> None:
        """Remember ways, unless other views have been looked at while they were found."""
        if view is self._view:
            # what is kept shares its identity with nothing else
            self._known[id(instance), id(edge), kind] = (instance, edge), found
