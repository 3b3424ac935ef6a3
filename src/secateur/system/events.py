"""The waist at its finest: slots, event instances and what each of them touches.

A state is one integer, bit by bit the packed state.  Masks are integers of the same kind:
`state & action.reads` is what an action can see.  Reductions and relations between actions
are about these and nothing else; a language that provides them gets both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from secateur.source import Span
from secateur.source.records import dataclass
from secateur.system.system import PropertyKind, System


@dataclass(frozen=True, slots=True)
class Slot:
    """The finest part of a state that is read or written on its own.

    A scalar variable, the value of a function at one argument, the membership of one
    element.  `codes` are the patterns that its bits can have, in the state's own places;
    None if they are too many to be listed.
    """

    name: str
    bits: int
    codes: Sequence[int] | None


@dataclass(frozen=True, slots=True)
class Conjunct:
    """A condition without which an action cannot happen, and the bits that it looks at."""

    text: str
    reads: int


@dataclass(frozen=True, slots=True)
class Action:
    """An event with its parameters bound.

    `reads` are the bits on which its results depend where the guard holds: also those that
    it may, but need not, write.  It happens where all conjuncts hold and it has a result;
    if it is `total`, it has one wherever they hold.  `deterministic`: it has at most one.
    `ordered` conjuncts at the beginning of the guard are evaluated one after the other, up
    to the first that is false; the order of the others does not matter.
    """

    operation: str
    arguments: tuple[tuple[str, Any], ...]
    guard: tuple[Conjunct, ...]
    reads: int
    may_write: int
    must_write: int
    deterministic: bool
    total: bool
    ordered: int = 0
    span: Span | None = None
    """Where the operation stands in the text."""
    process: str | None = None
    """Whose step it is, where the language has processes."""
    fixed: int = 0
    """Bits that have the same value after each of its steps, as far as that is known: `fixed_to`."""
    fixed_to: int = 0

    @property
    def sees(self) -> int:
        """All bits on which it depends whether the action happens, and with which results."""
        seen = self.reads
        for conjunct in self.guard:
            seen |= conjunct.reads
        return seen


@dataclass(frozen=True, slots=True)
class Check:
    """A property of states: it is violated where its predicate does not hold."""

    kind: PropertyKind
    name: str
    reads: int
    span: Span | None = None


@dataclass(frozen=True, slots=True)
class Occurring:
    """Which codes slots have in every state that is reached without a fault on the way.

    `together` has for two slots, by their numbers, the codes that they have at once.  Of slots that
    are not mentioned nothing is said.
    """

    codes: Mapping[int, tuple[int, ...]]
    together: Mapping[tuple[int, int], frozenset[int]]


class Guard(NamedTuple):
    """Which conjuncts of a guard are false in a state, and which have no value; bit by bit.

    The bit after the last conjunct stands for "it has a result", if the action is not total
    and everything else holds.
    """

    false: int
    undefined: int

    @property
    def holds(self) -> bool:
        """Whether the action happens."""
        return not self.false and not self.undefined


def disabled(action: Action, guard: Guard) -> bool:
    """Whether an action surely does not happen: not even as a fault."""
    first = (1 << action.ordered) - 1
    trouble = (guard.false | guard.undefined) & first
    if trouble:
        return bool(trouble & -trouble & guard.false)
    return bool(guard.false)


class EventSystem(System, Protocol):
    """A system whose states are integers and whose transitions belong to numbered actions.

    `guard`, `results` and `holds` answer for every state whose slots have lawful codes,
    reachable or not, and answer alike each time.
    """

    @property
    def slots(self) -> Sequence[Slot]:
        """The slots; together they make up the state."""

    @property
    def actions(self) -> Sequence[Action]:
        """The actions; each transition is one of theirs."""

    @property
    def checks(self) -> Sequence[Check]:
        """The properties of states."""

    def guard(self, action: int, state: int) -> Guard:
        """Say which conjuncts keep an action from happening."""

    def results(self, action: int, state: int) -> tuple[int, ...] | None:
        """Return the states that an action leads to, each once, where its guard holds.

        None if that cannot be said here (it is ill-defined, or a result has no code): then
        `successors` knows.
        """

    def holds(self, check: int, state: int) -> bool | None:
        """Say whether a property holds; None if that cannot be said here."""
