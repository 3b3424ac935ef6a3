"""Guard-based strong stubborn sets."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

from secateur.engine.reduce.closure import Closure, never_repairs
from secateur.engine.reduce.protocol import (
    Choice,
    Here,
    Preserved,
    ReductionRow,
    Scene,
    chosen,
)

MOST_SEEDS: Final = 100
"""With so many actions to begin with, another would hardly find a smaller set."""


class Stubborn:
    """The smallest of the sets that are closed around one action that happens.

    A. Valmari: *Stubborn Sets for Reduced State Space Generation*, 1989; A. Laarman,
    E. Pater, J. van de Pol, M. Weber: *Guard-Based Partial-Order Reduction*, SPIN 2013.
    D1 and D2 preserve every deadlock, at the same distance.  Where more is asked, all
    members that happen must never repair what is wrong, and a proviso must agree.

    Deviations from the paper:

      D1  every action that happens is tried as the first member (up to `MOST_SEEDS`);
      D2  A3 is "never repairs" instead of invisibility.
    """

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.closure = Closure(scene.lookup)

    def choices(self, here: Here) -> Iterator[Choice]:
        """Yield closed sets, fewest actions first."""
        reach = self.scene.question.reach
        for actions in self._candidates(here):
            if not reach or self.harmless(actions):
                yield Choice(actions, "a strong stubborn set", reach)

    def harmless(self, actions: tuple[int, ...]) -> bool:
        """Whether A3 holds."""
        return never_repairs(actions, self.scene.lookup, self.scene.question)

    def _candidates(self, here: Here) -> list[tuple[int, ...]]:
        most = len(here.enabled) - 1
        found: dict[tuple[int, ...], None] = {}
        visible = self.scene.question.visible or frozenset()
        for seed in here.enabled[:MOST_SEEDS] if most > 0 else ():
            if seed in visible:  # no set with it would be harmless
                continue
            members = self.closure.of((seed,), here, most, visible)
            if members is None:
                continue
            found[chosen(members, here)] = None
            if not self.scene.question.reach and not self.scene.random:
                # Nothing but size matters, so that no larger set will be asked for.
                most = len(next(reversed(found))) - 1
            if most == 0:
                break
        if self.scene.random:
            ordered = list(found)
            Random(f"{self.scene.seed} {here.state}").shuffle(ordered)
            return ordered
        return sorted(found, key=len)


STUBBORN = ReductionRow(
    "stubborn",
    "guard-based strong stubborn sets",
    Stubborn,
    "LaarmanPaterPolWeber13",
    frozenset({Preserved.DEADLOCK, Preserved.REACH, Preserved.LTL}),
    cyclic=True,
    chooses=True,
)
