"""A reduction and a proviso at work in one search."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import field
from typing import NamedTuple, Protocol

from secateur.engine.provisos.protocol import Move, Proviso, View
from secateur.engine.reduce.lookup import Lookup
from secateur.engine.reduce.protocol import Choice, Here, Question, Reducer, Scene
from secateur.source.records import dataclass
from secateur.system.events import EventSystem, disabled
from secateur.system.system import Outgoing, PropertyKind, Step, Transition


class Expansion(NamedTuple):
    """What is met on the way out of a state; with `pruned`, actions that happen were left out."""

    items: Iterable[Outgoing]
    pruned: bool = False


class Recorder(Protocol):
    """Writes down what a reduction does."""

    def expanded(self, state: int, actions: tuple[int, ...], *, left_out: bool) -> None:
        """Be told which actions were chosen in a state; `left_out`: others happen, too."""

    def trapped(self, state: int) -> None:
        """Be told that a state was expanded in full because of a fault in it."""


@dataclass(slots=True)
class Tally:
    """What a reduction has done."""

    expanded: int = 0
    reduced: int = 0
    """States in which something that happens was left out."""
    refused: int = 0
    """Sets that the proviso did not allow."""
    trapped: int = 0
    """States that were expanded in full because of a fault in them."""
    happening: int = 0
    """Actions that could happen in the states expanded."""
    taken: int = 0
    """Those of them that did."""
    reasons: Counter[str] = field(default_factory=Counter)
    """How often each reason for a choice was given."""


def question_about(system: EventSystem, lookup: Lookup, kinds: frozenset[PropertyKind]) -> Question:
    """Return what must be preserved where properties of these kinds are asked for.

    Faults are always asked for: no search can leave them out.
    """
    checks = tuple(i for i, check in enumerate(system.checks) if check.kind in kinds)
    faults = tuple(a for a in range(len(system.actions)) if lookup.faults(a))
    return Question(PropertyKind.DEADLOCK in kinds, checks, faults)


class Reduction:
    """Decides for each state what is expanded.

    A state with a fault in it (a guard without value, an action without results that can be
    told) is expanded in full by `System.successors`, which knows what is wrong.  So faults are
    looked for in every state, also those of actions that are not chosen.
    """

    def __init__(self, scene: Scene, reducer: Reducer, proviso: Proviso | None) -> None:
        self.scene = scene
        self.reducer = reducer
        self.proviso = proviso
        self.names: tuple[str, str | None] = ("", None)
        """What reduction and proviso are called."""
        self.needs_stack = False
        """Whether the proviso asks what is on the path of a depth-first search."""
        self.caveat: str | None = None
        """Why the verdict can never be that everything holds."""
        self.patience: int | None = None
        """Where a graph is reduced: after so many states without success nobody tries any more."""
        self.recorder: Recorder | None = None
        """Who is told what was chosen in each state."""
        self.tally = Tally()

    @property
    def given_up(self) -> bool:
        """Whether nothing could be left out for so long that nobody tries any more."""
        tally = self.tally
        return self.patience is not None and not tally.reduced and tally.expanded >= self.patience

    def expand(self, state: int, view: View) -> Expansion:
        """Return what leads out of a state."""
        self.publish(state, view)
        self.tally.expanded += 1
        here = self.look(state)
        if here is None:
            return self._trapped(state)
        for choice in self.reducer.choices(here):
            moves = self.moves(choice.actions, here)
            if moves is None:
                return self._trapped(state)
            if self._allowed(choice, moves, view):
                return self._expansion(choice.reason, moves, here)
            self.tally.refused += 1
        moves = self.moves(here.enabled, here)
        if moves is None:
            return self._trapped(state)
        return self._expansion("everything that happens", moves, here)

    def publish(self, state: int, view: View) -> None:
        """Make a state known as expanded before its successors are looked at: it may be one."""
        view.closed.add(state)
        view.here = state

    def look(self, state: int) -> Here | None:
        """Return what is to be known of a state; None if there is a fault in it."""
        system = self.scene.system
        guards = tuple(system.guard(a, state) for a in range(len(system.actions)))
        enabled: list[int] = []
        for a, guard in enumerate(guards):
            if guard.holds:
                enabled.append(a)
            elif not disabled(system.actions[a], guard):
                return None
        return None if self.faulty(state, enabled) else Here(state, guards, tuple(enabled))

    def faulty(self, state: int, enabled: Iterable[int]) -> bool:
        """Whether something that should happen cannot be told."""
        faults = self.scene.lookup.faults
        return any(faults(a) and self.scene.system.results(a, state) is None for a in enabled)

    def moves(self, actions: Iterable[int], here: Here) -> tuple[Move, ...] | None:
        """Return actions with their results; None if they cannot be told."""
        moves: list[Move] = []
        for a in actions:
            results = self.scene.system.results(a, here.state)
            if results is None:
                return None
            moves.append(Move(a, results))
        return tuple(moves)

    def _allowed(self, choice: Choice, moves: tuple[Move, ...], view: View) -> bool:
        return not choice.cyclic or self.proviso is None or self.proviso(moves, view)

    def _trapped(self, state: int) -> Expansion:
        self.tally.trapped += 1
        if self.recorder is not None:
            self.recorder.trapped(state)
        return Expansion(self.scene.system.successors(state))

    def _expansion(self, reason: str, moves: tuple[Move, ...], here: Here) -> Expansion:
        left_out = len(moves) < len(here.enabled)
        self.tally.reduced += left_out
        self.tally.happening += len(here.enabled)
        self.tally.taken += len(moves)
        self.tally.reasons[reason] += 1
        if self.recorder is not None:
            self.recorder.expanded(here.state, tuple(m.action for m in moves), left_out=left_out)
        actions = self.scene.system.actions
        items = [
            Transition(Step(actions[a].operation, actions[a].arguments), target)
            for a, results in moves
            for target in results
        ]
        return Expansion(items, left_out)
