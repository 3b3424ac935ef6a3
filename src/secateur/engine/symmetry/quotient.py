"""The quotient of a system: each state is replaced by the one that stands for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from secateur.engine.symmetry.protocol import Merging
from secateur.system.events import Action, Check, EventSystem, Guard, Slot
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
from secateur.system.trace import Trace


class Quotient:
    """A system whose steps lead to representatives.

    All states of it are states of the system, and what holds in one holds in those that it
    stands for; so any search will do.  A path of it need not be one of the system: a step may
    lead to another state than the one that stands for it.  `unfolded` finds a real path.
    """

    def __init__(self, system: System, merging: Merging) -> None:
        self.system = system
        self.merging = merging
        self.name = system.name
        self.operations: Sequence[str] = system.operations

    def initial(self) -> Iterator[Outgoing]:
        """Yield the transitions out of the root."""
        return self._merged(self.system.initial())

    def successors(self, state: State) -> Iterator[Outgoing]:
        """Yield the transitions out of `state`."""
        return self._merged(self.system.successors(state))

    def _merged(self, items: Iterable[Outgoing]) -> Iterator[Outgoing]:
        representative = self.merging.representative
        for item in items:
            if isinstance(item, Transition):
                yield Transition(item.step, representative(item.target))
            else:
                yield item

    def is_initialised(self, state: State) -> bool:
        """Whether the variables have values."""
        return self.system.is_initialised(state)

    def may_end(self, state: State) -> bool:
        """Whether a run may end in `state`."""
        return self.system.may_end(state)

    def breaches(
        self, state: State, kinds: frozenset[PropertyKind]
    ) -> Iterable[Breach | Fault | Gap]:
        """Yield what fails in `state`."""
        return self.system.breaches(state, kinds)

    def values(self, state: State) -> Sequence[tuple[str, Any]]:
        """Return the constants and variables by name."""
        return self.system.values(state)

    def shown(self, state: State) -> Sequence[tuple[str, Any]]:
        """Return the same as people read it."""
        return self.system.shown(state)

    def why_no_initial_state(self) -> str:
        """Say why nothing can be initialised."""
        return self.system.why_no_initial_state()

    def unfolded(self, states: Iterable[State]) -> Trace | None:
        """Return a path of the system itself whose states these stand for.

        From a real state lead on the permutations of the steps out of its representative; so
        one of them leads to a state that the next representative stands for.  None if there is no
        such path, which can only be where states stand for others that are not symmetric.
        """
        transitions: list[Transition] = []
        offered = self.system.initial()
        for state in states:
            step = self._leading_to(state, offered)
            if step is None:
                return None
            transitions.append(step)
            offered = self.system.successors(step.target)
        return Trace(self.system, tuple(transitions))

    def _leading_to(self, state: State, offered: Iterable[Outgoing]) -> Transition | None:
        listed = [item for item in offered if isinstance(item, Transition)]
        itself = next((t for t in listed if t.target == state), None)
        if itself is not None:
            return itself
        merged = self.merging.representative
        return next((t for t in listed if merged(t.target) == state), None)


class QuotientEvents(Quotient):
    """The quotient of an event system: what its actions lead to is merged as well.

    E. A. Emerson, S. Jha, D. Peled: *Combining Partial Order and Symmetry Reductions*, TACAS 1997:
    a reduction chooses among the actions of representatives, and its proviso is about these.
    """

    def __init__(self, system: EventSystem, merging: Merging) -> None:
        super().__init__(system, merging)
        self.events = system
        self.slots: Sequence[Slot] = system.slots
        self.actions: Sequence[Action] = system.actions
        self.checks: Sequence[Check] = system.checks

    def guard(self, action: int, state: int) -> Guard:
        """Say which conjuncts keep an action from happening."""
        return self.events.guard(action, state)

    def results(self, action: int, state: int) -> tuple[int, ...] | None:
        """Return what stands for the states that an action leads to."""
        found = self.events.results(action, state)
        if found is None:
            return None
        merged = dict.fromkeys(map(self.merging.representative, found))
        return tuple(each for each in merged if isinstance(each, int))

    def holds(self, check: int, state: int) -> bool | None:
        """Say whether a property holds."""
        return self.events.holds(check, state)
