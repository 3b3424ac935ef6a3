"""The ways to execute a statement: when, and what it changes."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile

from secateur.lang.promela import ast
from secateur.lang.promela.automaton import Edge
from secateur.lang.promela.terms import Term
from secateur.lang.promela.world import Instance, Queue, Site, beginning_of
from secateur.maths.ast import Expr


@dataclass(frozen=True, slots=True)
class Write:
    """A variable, or one element of an array, gets a value."""

    name: str
    value: Term
    index: Term | None = None


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


@dataclass(frozen=True, slots=True)
class Variant:
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
    born: tuple[tuple[Instance, tuple[Term, ...]], ...] = ()
    """The process that is created, with its arguments."""
    implied: tuple[Expr, ...] = ()
    """What follows from the conditions in every state that can be: said for who does not know."""
