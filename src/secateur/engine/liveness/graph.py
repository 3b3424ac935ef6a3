"""The states and transitions that temporal formulas are about, found when they are asked for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from secateur.engine.limits import Meter, states_reached
from secateur.system.system import (
    Breach,
    Fault,
    Gap,
    Outgoing,
    PropertyKind,
    State,
    System,
    Transition,
)


class OutOfBounds(Exception):
    """A limit was reached: what was seen so far is not everything."""


class Graph:
    """A system from its initialised states on; each state is expanded once.

    What keeps it from being the whole truth is in `reasons`.  `outgoing` are all transitions
    out of a state, which is what atoms are about; `edges` are those that paths follow.
    """

    def __init__(self, system: System, meter: Meter, *, lenient: bool = False) -> None:
        self.system = system
        self.meter = meter
        self.lenient = lenient
        """Whether what is ill-defined simply does not happen, instead of being not known."""
        self.faults = 0
        """How many of the reasons are that something is ill-defined."""
        self.reasons: dict[str, None] = {}
        self.doubtful: set[State] = set()
        """The states of which something is not known: what is enabled there, or whether an atom holds."""
        self.before: dict[State, tuple[Transition, ...]] = {}
        """How each initialised state is come to from the root."""
        self._outgoing: dict[State, tuple[Transition, ...]] = {}
        self._edges: dict[State, tuple[Transition, ...]] = {}
        self._transitions = 0

    @property
    def states(self) -> int:
        """How many states were expanded."""
        return len(self._edges)

    @property
    def transitions(self) -> int:
        """How many transitions lead out of them."""
        return self._transitions

    def initial(self) -> Sequence[State]:
        """Return the states in which paths begin."""
        if not self.before:
            self._begin((), self.system.initial())
        return list(self.before)

    def _begin(self, way: tuple[Transition, ...], items: Iterable[Outgoing]) -> None:
        for item in items:
            if not isinstance(item, Transition):
                self.doubt(item)
            elif self.system.is_initialised(item.target):
                self.before.setdefault(item.target, (*way, item))
            else:
                self._begin((*way, item), self.system.successors(item.target))

    def edges(self, state: State) -> tuple[Transition, ...]:
        """Return the transitions out of a state that paths follow; this expands it."""
        found = self._edges.get(state)
        if found is None:
            self._look()
            found = self._edges[state] = self.followed(state, self.outgoing(state))
            self._transitions += len(found)
        return found

    def followed(self, _state: State, everything: tuple[Transition, ...]) -> tuple[Transition, ...]:
        """Return which of all transitions out of a state are followed: here, all."""
        return everything

    def outgoing(self, state: State) -> tuple[Transition, ...]:
        """Return all transitions out of a state."""
        found = self._outgoing.get(state)
        if found is None:
            listed: list[Transition] = []
            for item in self.system.successors(state):
                if isinstance(item, Transition):
                    listed.append(item)
                else:
                    self.doubt(item)
                    if not self.passes_over(item):
                        self.doubtful.add(state)
            found = self._outgoing[state] = tuple(listed)
        return found

    def passes_over(self, item: object) -> bool:
        """Whether a state is known in spite of something on the way out of it."""
        return (self.lenient and isinstance(item, Fault)) or _is_told_only(item)

    def _look(self) -> None:
        limit = self.meter.limits.states
        if limit is not None and self.states >= limit:
            self._stop(states_reached(limit))
        reason = self.meter.reason_to_stop(self.states, self._transitions, 0)
        if reason is not None:
            self._stop(reason)

    def _stop(self, reason: str) -> None:
        self.reasons[reason] = None
        raise OutOfBounds(reason)

    def doubt(self, item: object) -> None:
        """Note what keeps something from being known."""
        if _is_told_only(item):
            return
        match item:
            case Gap(where, reason):
                self.reasons[f"{where}: {reason}"] = None
            case Fault(where, message):
                reason = f"{where} is ill-defined: {message}"
                self.faults += reason not in self.reasons
                self.reasons[reason] = None
            case Breach(kind, name):
                self.reasons[f"{name} fails ({kind.value}), so that a step is missing"] = None


def _is_told_only(item: object) -> bool:
    """Whether it is an assertion of a step that fails: the step is taken nevertheless."""
    return isinstance(item, Breach) and item.kind is PropertyKind.ASSERTION
