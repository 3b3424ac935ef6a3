"""The waist: what languages provide and searches explore."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from enum import Enum
from typing import Any, Protocol

from secateur.source import Span
from secateur.source.records import dataclass

State = Hashable
"""A state is opaque to a search: it is hashed, compared and handed back."""


@dataclass(frozen=True, slots=True)
class Step:
    """What happens on a transition: an operation with arguments and results."""

    operation: str
    arguments: tuple[tuple[str, Any], ...] = ()
    results: tuple[tuple[str, Any], ...] = ()


SETUP_CONSTANTS = "SETUP_CONSTANTS"
INITIALISATION = "INITIALISATION"


@dataclass(frozen=True, slots=True)
class Transition:
    """A step and the state that it leads to."""

    step: Step
    target: State


class PropertyKind(Enum):
    """What a property is about; the value is the word used in reports and JSON."""

    __hash__ = object.__hash__  # that of Enum is not in C, and asked for often

    DEADLOCK = "deadlock"
    INVARIANT = "invariant"
    ASSERTION = "assertion"
    GOAL = "goal"
    WELL_DEFINEDNESS = "welldefinedness"
    REFINEMENT = "refinement"
    VARIANT = "variant"


@dataclass(frozen=True, slots=True)
class Fault:
    """Something ill-defined on the way out of a state, or in one of its properties.

    `where` is the operation or property at fault; `message` says what happened
    (`division by zero`), `span` where it stands in the text.
    """

    where: str
    message: str
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Gap:
    """Something that could not be found out: the exploration is incomplete here."""

    where: str
    reason: str


@dataclass(frozen=True, slots=True)
class Breach:
    """A property that does not hold in a state.

    Or, of a step out of a state: that it is no refinement, or breaks a promise about the
    variant.  `name` is the property's label or text; `witness` binds the quantified
    variables (or the step's parameters) for which it fails, so that a user sees why;
    `span` is where it is written.
    """

    kind: PropertyKind
    name: str
    span: Span | None = None
    witness: tuple[tuple[str, Any], ...] = ()


Outgoing = Transition | Fault | Gap | Breach
"""What is met on the way out of a state."""


class System(Protocol):
    """A model as searches see it.

    Every method is deterministic: the same state gives the same answers in the same
    order.  `initial` are the transitions out of the (uncounted) root.  With constants
    they are SETUP_CONSTANTS, one per solution, and the states that they reach are not
    yet initialised: their successors are the INITIALISATION transitions.
    """

    @property
    def name(self) -> str:
        """What the user calls the model."""

    @property
    def operations(self) -> Sequence[str]:
        """The names of the operations, in the order declared."""

    def initial(self) -> Iterable[Outgoing]:
        """Yield the transitions out of the root."""

    def successors(self, state: State) -> Iterable[Outgoing]:
        """Yield the transitions out of `state`: distinct (step, target)."""

    def is_initialised(self, state: State) -> bool:
        """Whether `state` has variables; only then do properties and deadlock apply."""

    def may_end(self, state: State) -> bool:
        """Whether a run may end in `state`, so that it is no deadlock if nothing leads out of it.

        Asked of initialised states without transitions only.  It is true only where that is
        certain, and never where the language has no such states.
        """

    def breaches(
        self, state: State, kinds: frozenset[PropertyKind]
    ) -> Iterable[Breach | Fault | Gap]:
        """Yield the properties of these kinds that fail in `state` (for a goal: that it is reached)."""

    def values(self, state: State) -> Sequence[tuple[str, Any]]:
        """Return the constants and variables of `state` by name, in the order declared."""

    def shown(self, state: State) -> Sequence[tuple[str, Any]]:
        """Return `values` as people read them, where the language has other words for some."""

    def why_no_initial_state(self) -> str:
        """Say why nothing can be initialised; asked only where that is so."""
