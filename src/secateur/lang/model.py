"""A model of sets, constants, variables and operations: typed, flat, every name resolved.

Front ends for B and Event-B end here; `lower.py` turns it into a `System`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Protocol

from secateur.lang.options import Creation
from secateur.lang.processes import Execution, Process, Statement
from secateur.lang.wording import Wording
from secateur.maths.ast import Binder, Expr
from secateur.maths.execute.executor import Executor
from secateur.maths.execute.updates import Action
from secateur.maths.operators.protocol import Settings
from secateur.maths.substitution import Substitution
from secateur.maths.values import IllDefined, Value
from secateur.source import Span
from secateur.source.records import dataclass
from secateur.system.system import Breach, PropertyKind

Expander = Callable[[Expr, frozenset[str]], Expr]
"""Puts definitions into a formula that a user gives; the names given second are none."""


Named = Sequence[tuple[str, Value]]
"""Values by name."""


@dataclass(frozen=True, slots=True)
class CarrierSet:
    """A given set.  `elements` names those known; `size` is what the model says or None.

    Enumerated: `size == len(elements)` and `enumerated`.  Deferred: elements are named
    by the front end (`S1`, `S2`, ...) once the size is settled.
    """

    name: str
    elements: tuple[str, ...]
    enumerated: bool
    span: Span


@dataclass(frozen=True, slots=True)
class FreeType:
    """A free type: constructors with the set that their argument ranges over."""

    name: str
    constructors: tuple[tuple[str, Expr | None], ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Property:
    """A named predicate: an invariant conjunct, an assertion, a property of the constants."""

    name: str
    predicate: Expr
    chooses: bool = False
    """Whether it says nothing of the model, but chooses among constants that differ by a permutation."""


@dataclass(frozen=True, slots=True)
class Obligation:
    """What an execution promises; `x'` in the predicate is the value of x afterwards."""

    kind: PropertyKind
    name: str
    predicate: Expr


@dataclass(frozen=True, slots=True)
class Level:
    """An abstract event, executed along with the event that refines it.

    In its predicates `x'` is the value of x afterwards.  `unknowns` are found by solving
    them: parameters that the refinement has not, and new values `x'` of the variables that
    it has not.  Where there is no solution, the execution is no refinement.
    """

    name: str
    unknowns: tuple[Binder, ...]
    conditions: tuple[Property, ...]
    """Witnesses, guards and actions, in this order."""
    obligations: tuple[Obligation, ...] = ()
    refines: tuple[Level, ...] = ()
    """The events that this one refines: one of them must be able to follow."""


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation with typed parameters and results."""

    name: str
    parameters: tuple[Binder, ...]
    results: tuple[Binder, ...]
    body: Substitution
    span: Span
    obligations: tuple[Obligation, ...] = ()
    refines: tuple[Level, ...] = ()
    """The abstract events that this one refines: one of them must be able to follow."""
    feasible: bool = False
    """Whether the body promises to have an outcome wherever the guard holds."""
    process: str | None = None
    """Whose step it is, in languages that have processes."""
    executions: tuple[Execution, ...] = field(default=(), compare=False, repr=False)
    """The statements that the step executes, in languages that have processes."""


class Companion(Protocol):
    """What a language executes along with the bodies: Event-B, the events that are refined."""

    def initialisation(self, model: Model, action: Action, executor: Executor) -> Action:
        """Return `action`, the initialisation, with what goes along with it."""

    def operation(self, operation: Operation, action: Action, executor: Executor) -> Action:
        """Return `action`, the body of `operation`, with what goes along with it."""

    def breach(self, error: IllDefined) -> Breach | None:
        """Return the property that does not hold, if that is what `error` says."""


class Alone:
    """The companion of models in which bodies are all there is."""

    def initialisation(self, model: Model, action: Action, executor: Executor) -> Action:  # noqa: ARG002
        """Return `action`."""
        return action

    def operation(self, operation: Operation, action: Action, executor: Executor) -> Action:  # noqa: ARG002
        """Return `action`."""
        return action

    def breach(self, error: IllDefined) -> Breach | None:  # noqa: ARG002
        """Return None."""
        return None


@dataclass(frozen=True, slots=True)
class Product:
    """A model together with an automaton that watches it, and the formula that says what is wrong."""

    model: Model
    formula: str


@dataclass(frozen=True, slots=True)
class Words:
    """What a language calls things, for messages."""

    properties: str = "the PROPERTIES"
    """All that is demanded of the constants."""
    property: str = "conjunct"
    """One of those demands."""
    deadlock: str = "deadlock"
    """A state in which nothing can happen, though something should."""
    nothing: str = "no operation is enabled"
    """What is the matter with such a state."""
    formulas: str = "definition ASSERT_LTL or ASSERT_CTL"
    """Where temporal formulas stand."""


@dataclass(frozen=True, slots=True)
class Settled:
    """Which numbers variables, or the elements of arrays, are in every state that is reached.

    `at` says for a variable with one of its values what is so where it has that value: of other
    variables, of all elements of an array, or of one of them.  What is not listed may be anything.
    Behind something ill-defined nothing of this need be so.
    """

    values: Mapping[str, frozenset[int]] = field(default_factory=dict)
    at: Mapping[tuple[str, int], Mapping[tuple[str, int | None], frozenset[int]]] = field(
        default_factory=dict
    )


@dataclass(frozen=True)
class Model:
    """The whole of it."""

    name: str
    sets: tuple[CarrierSet, ...]
    freetypes: tuple[FreeType, ...]
    constants: tuple[Binder, ...]
    properties: tuple[Property, ...]
    variables: tuple[Binder, ...]
    invariants: tuple[Property, ...]
    assertions: tuple[Property, ...]
    initialisation: Substitution
    operations: tuple[Operation, ...]
    callable: Mapping[str, Operation]
    """Every operation that a body may call, by its full name; `operations` are the visible ones."""
    definitions: Mapping[str, Expr] = field(default_factory=dict)
    """The definitions without parameters that type-check: GOAL, SCOPE, ASSERT_LTL... among them."""
    settings: Settings = Settings()
    preferences: Mapping[str, str] = field(default_factory=dict)
    """What SET_PREF_* definitions and `-p` say, by preference name."""
    notes: tuple[str, ...] = ()
    assumptions: tuple[str, ...] = ()
    """What was chosen for the user and bounds the verdict, such as a deferred set's size."""
    expand: Expander = field(default=lambda formula, _: formula, compare=False, repr=False)
    """Puts in what a formula about the model may use: definitions and external functions."""
    initial_levels: tuple[Level, ...] = ()
    """The abstract initialisations that the initialisation refines."""
    max_setups: int | None = None
    """So many valuations of the constants are looked at; all of them if this is None."""
    unchecked: tuple[str, ...] = ()
    """What the model demands and nobody looks at here: the verdict cannot be complete."""
    components: tuple[str, ...] = ()
    """What the model is made of, if that is not the files that its parts stand in."""
    words: Words = Words()
    typing: tuple[Expr, ...] = ()
    """What is so in every state by construction, such as the range of a variable: nobody checks it."""
    settled: Settled = Settled()
    """Which numbers variables can be, as far as that is proven."""
    products: Mapping[str, Product] = field(default_factory=dict)
    """Claims that are automata, by name."""
    larger: Callable[[], Model | None] = field(default=lambda: None, compare=False, repr=False)
    """Makes a model with more room, if a run of this one has shown that it has too little."""
    room: tuple[Creation, ...] = field(default=(), compare=False, repr=False)
    """What it was made larger for, in that order."""
    shown: Callable[[Named], Named] = field(
        default=lambda values: values, compare=False, repr=False
    )
    """Makes the values of a state readable, where the language has other words for them."""
    wording: Wording = field(default_factory=dict)
    """The variables whose numbers have names, for whoever tells of them."""
    ends: Expr | None = None
    """Where a run may end: a state without transitions in which this holds is no deadlock."""
    inner: frozenset[str] = frozenset()
    """Operations that lead to states which are there for us only: a step is not over then."""
    stutters: bool = False
    """Whether, to formulas of LTL, a run that has ended stays in its last state for ever."""
    processes: tuple[Process, ...] = ()
    """Who takes the steps, in languages that have processes."""
    statements: tuple[Statement, ...] = ()
    """All that is written for the processes."""
    companion: Companion = field(default=Alone(), compare=False, repr=False)
    """What is executed along with the initialisation and the operations."""
