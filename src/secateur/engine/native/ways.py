"""The way to a state that the explorer has found: the evaluator executes each step."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from secateur._native import Explorer
from secateur.engine.native.protocol import Packed
from secateur.engine.native.symmetry import NativeMerging
from secateur.source.records import dataclass
from secateur.system.system import State, System, Transition

Taken = tuple[Transition, Sequence[int]]
"""A transition, and the words of its target."""


@dataclass(frozen=True, slots=True)
class Ways:
    """What is needed to go through states of an explorer once more."""

    system: System
    packed: Packed
    explorer: Explorer
    merge: NativeMerging | None

    def through(self, indices: Sequence[int], *, straight: bool) -> list[Transition] | None:
        """Return transitions through some states; with `straight`, where one is likely it is taken."""
        words: Sequence[int] = self.explorer.state(indices[0])
        here = self.packed.decode(words)
        way: list[Transition] = []
        for number in indices[1:]:
            after = self.explorer.state(number)
            taken = self._taken(after, self.packed.performed(words))
            if taken is None and straight:
                taken = self._straight(here, words, after)
            elif taken is None:
                offered = self.system.successors(here)
                listed = [item for item in offered if isinstance(item, Transition)]
                taken = self._taken(after, listed)
            if taken is None:
                return None
            transition, words = taken
            way.append(transition)
            here = transition.target
        return way

    def _straight(self, here: State, words: Sequence[int], after: Sequence[int]) -> Taken | None:
        """Return the first transition to a state, or the only one that may lead there."""
        parts = self.packed.actions
        actions: Sequence[int] = range(len(parts))
        if len(actions) > 1:
            changed = _as_number(words) ^ _as_number(after)
            actions = [n for n in actions if not changed & ~_as_number(parts[n].writes)]
        target: State | None = None
        for number in actions:
            listed = [t for t in self.packed.outcomes(number, here) if isinstance(t, Transition)]
            if len(actions) == len(listed) == 1:
                return listed[0], after
            if listed and target is None:
                target = self.packed.decode(after)
            for each in listed:
                if each.target == target:
                    return each, after
        return None

    def _taken(self, wanted: Sequence[int], listed: Sequence[Transition]) -> Taken | None:
        """Return the first transition to a state, or to one that it stands for."""
        target = self.packed.decode(wanted) if listed else None
        for each in listed:
            if each.target == target:
                return each, wanted
        if self.merge is None or not self.merge.canonical:
            return None
        for each in listed:
            words = self.packed.encode(each.target)
            if list(self.explorer.canonical(words)) == list(wanted):
                return each, words
        return None


def _as_number(words: Sequence[int]) -> int:
    """Return words as one number: wide states are compared sooner so."""
    return int.from_bytes(array("Q", words).tobytes(), "little")
