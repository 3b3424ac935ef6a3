"""An Event-B project as it stands in its files, whatever their format.

Components hold what they themselves say: nothing is inherited yet.  An extended event
has only its own additions, a refinement only its own variables and invariants.  In the
condition of `x :| P` the new value x' is `Name("x")` and the old one `Before("x")`, as in
classical B; in a witness the new value is `Name("x'")`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import Enum
from typing import Final

from secateur.maths.ast import Expr, Name
from secateur.maths.substitution import Assign, BecomesElement, BecomesSuch, Skip
from secateur.source import NOWHERE, Span
from secateur.source.records import dataclass

INITIALISATION: Final = "INITIALISATION"
"""The name of the event that every machine starts with."""

Substitution = Assign | BecomesElement | BecomesSuch | Skip


class Convergence(Enum):
    """What an event promises about the variant."""

    ORDINARY = "ordinary"
    CONVERGENT = "convergent"
    ANTICIPATED = "anticipated"


def _span() -> Span:
    return field(default=NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Predicate:
    """An axiom, an invariant or a guard, with its label; a theorem follows from those before it."""

    label: str
    predicate: Expr
    theorem: bool = False
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Witness:
    """A value for what a refinement drops: `label` is a parameter `p` or a new value `x'`."""

    label: str
    predicate: Expr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Action:
    """A labelled substitution; all actions of an event happen at once."""

    label: str
    substitution: Substitution
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Variant:
    """What convergent events decrease: a natural number or a finite set."""

    label: str
    expression: Expr
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Event:
    """An event as its machine writes it.

    `refines` names the abstract events (several where they are merged); an extended event
    refines exactly one and adds to it.  INITIALISATION refines INITIALISATION unsaid.
    """

    name: str
    convergence: Convergence = Convergence.ORDINARY
    extended: bool = False
    refines: tuple[str, ...] = ()
    parameters: tuple[Name, ...] = ()
    guards: tuple[Predicate, ...] = ()
    witnesses: tuple[Witness, ...] = ()
    actions: tuple[Action, ...] = ()
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Context:
    """Carrier sets and constants with their axioms (theorems among them, in order)."""

    name: str
    extends: tuple[Name, ...] = ()
    sets: tuple[Name, ...] = ()
    constants: tuple[Name, ...] = ()
    axioms: tuple[Predicate, ...] = ()
    span: Span = _span()


@dataclass(frozen=True, slots=True)
class Machine:
    """Variables with their invariants (theorems among them, in order) and events.

    `variables` are all that the machine has, those kept from its abstraction included.
    """

    name: str
    refines: Name | None = None
    sees: tuple[Name, ...] = ()
    variables: tuple[Name, ...] = ()
    invariants: tuple[Predicate, ...] = ()
    variants: tuple[Variant, ...] = ()
    events: tuple[Event, ...] = ()
    span: Span = _span()


@dataclass(frozen=True)
class Project:
    """Components by name, in the order read.

    `main` is the component that the user's path points at, or None for the project's choice
    (its most refined machine).
    """

    name: str
    contexts: Mapping[str, Context]
    machines: Mapping[str, Machine]
    main: str | None = None
    notes: tuple[str, ...] = field(default=(), compare=False)
    """What was read and passed over, such as theories that nothing uses."""
    left_out: Mapping[str, str] = field(default_factory=dict, compare=False)
    """Per component that is there in part only, why that is so."""
