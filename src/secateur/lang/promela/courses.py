"""What has happened in the course of a step, and steps as a whole."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import NamedTuple

from secateur.lang.promela import ast
from secateur.lang.promela.automaton import Automaton, Edge
from secateur.lang.promela.terms import Term
from secateur.lang.promela.variants import Answer, Birth
from secateur.lang.promela.view import UNCHANGED, View
from secateur.lang.promela.world import Instance, Queue, Site
from secateur.maths.ast import Expr
from secateur.source import Span
from secateur.source.records import dataclass


class Fault(NamedTuple):
    """Something that is wrong, and where."""

    what: str
    span: Span


@dataclass(frozen=True, slots=True)
class Taken:
    """A statement that was executed, by whom, and what was sent or received."""

    instance: Instance
    edge: Edge
    partner: Answer | None = None
    message: tuple[Queue, tuple[Term, ...]] | None = None

    @property
    def span(self) -> Span:
        """Where it is written; a rendezvous, where it is received."""
        return self.edge.span if self.partner is None else self.partner.receiving.span


class Course(NamedTuple):
    """What has happened so far in a step."""

    view: View = UNCHANGED
    conditions: tuple[Expr, ...] = ()
    """In the order in which they were met, in terms of the state before the step."""
    asserted: tuple[tuple[Expr, ast.Assert], ...] = ()
    taken: tuple[Taken, ...] = ()
    born: tuple[Birth, ...] = ()
    """The processes created, with their arguments."""
    implied: tuple[Expr, ...] = ()
    """What follows from the conditions, in every state that can be."""
    demanded: tuple[Expr, ...] = ()
    """What holds in any case, but has a value only if all that is computed has."""
    large: bool = False
    """Whether a condition or a value has become too large to go on with."""
    undefined: Fault | None = None
    """Why a condition has no value, so that nothing after it happens."""
    seen: Mapping[tuple[Automaton, int], tuple[int, int, View]] = {}
    """Places of the sequence where the step has been: how many conditions there were, how often there
    were more of them than before, and what was so."""


@dataclass(frozen=True, slots=True)
class Leap:
    """A whole step of a process that begins at `place`."""

    instance: Instance
    place: int
    course: Course
    unprovided: Site | None = None
    holder: Instance | None = None
    """Who alone may go on, if the sequence was cut."""
    fault: Fault | None = None
    """What is wrong, if the step cannot be taken for that."""
    settled: Mapping[str, Term] = field(default_factory=dict)
    """What is known of the process at that place, whatever the state."""
