"""What the explorer asks where there is no code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from threading import RLock

from secateur.engine.native.notes import Notes
from secateur.engine.native.protocol import Packed
from secateur.source.records import dataclass
from secateur.system.system import PropertyKind


@dataclass(frozen=True, slots=True)
class Evaluator:
    """Lets a model perform steps and checks, and numbers what it says besides."""

    packed: Packed
    notes: Notes
    kinds: frozenset[PropertyKind]
    """The properties that are looked at; what is wrong with others is nobody's business."""
    _alone: RLock = field(default_factory=RLock)
    """Threads ask one after the other: an evaluation counts its steps for itself."""

    def step(self, action: int, words: tuple[int, ...]) -> tuple[list[Sequence[int]], list[int]]:
        """Return the targets of an action's transitions, and notes."""
        with self._alone:
            targets, items = self.packed.step(action, words)
            return targets, [self.notes.number(item) for item in items]

    def check(self, number: int, words: tuple[int, ...]) -> tuple[bool, list[int]]:
        """Return whether a property holds, and notes; after the last one comes where a run may end."""
        with self._alone:
            if number == len(self.packed.properties):
                return self.packed.may_end(words), []
            if self.packed.properties[number].kind not in self.kinds:
                return True, []
            return self.notes.of_property(self.packed.check(number, words))
