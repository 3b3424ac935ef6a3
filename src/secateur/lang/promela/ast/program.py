"""A model with its names resolved."""

from __future__ import annotations

from secateur.lang.promela.ast.expression import Expr, Variable
from secateur.lang.promela.ast.place import place
from secateur.lang.promela.ast.statement import Sequence
from secateur.lang.promela.ast.unit import LtlBlock
from secateur.source import Span
from secateur.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Proctype:
    """A process type with its names resolved."""

    name: str
    parameters: tuple[Variable, ...]
    variables: tuple[Variable, ...]
    """All that are declared anywhere in the body, in the order written; not the parameters."""
    body: Sequence
    """Its declarations are gone, except as said in `resolve.py`."""
    active: int = 0
    """How many there are to begin with."""
    priority: int = 0
    provided: Expr | None = None
    deterministic: bool = False
    span: Span = place()


@dataclass(frozen=True, slots=True)
class EventTrace:
    """What may be sent and received in which order, or (`negated`) must not be."""

    proctype: Proctype
    negated: bool
    span: Span = place()


@dataclass(frozen=True, slots=True)
class Program:
    """A model with its names resolved; `init` is a proctype of that name, active once."""

    name: str
    mtypes: tuple[tuple[str, tuple[str, ...]], ...]
    """Per subtype ("" for none) the names, the i-th of which (from 1) has the number i."""
    globals: tuple[Variable, ...]
    proctypes: tuple[Proctype, ...]
    """In the order written."""
    nevers: tuple[Proctype, ...] = ()
    ltl: tuple[LtlBlock, ...] = ()
    notes: tuple[str, ...] = ()
    trace: EventTrace | None = None
