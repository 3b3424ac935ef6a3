"""In each state the smaller of an up-set and a strong stubborn set."""

from __future__ import annotations

from collections.abc import Iterator

from secateur.engine.reduce.protocol import Choice, Here, Preserved, ReductionRow, Scene
from secateur.engine.reduce.stubborn import Stubborn
from secateur.engine.reduce.upset import UpSet


class Best:
    """Whichever lets less happen; the up-set if they are equal, or if the proviso refuses.

    Both may be mixed at will: a step of an up-set shortens the path to a violation, one of a
    stubborn set that never repairs keeps its length and, by the proviso, cannot do so for
    ever.  The provisos speak of the states in which a cyclic choice is made, so that states
    with an up-set need not be expanded in full.
    """

    def __init__(self, scene: Scene) -> None:
        self.upset = UpSet(scene)
        self.stubborn = Stubborn(scene)

    def choices(self, here: Here) -> Iterator[Choice]:
        """Yield the stubborn sets that are smaller than the up-set, and that."""
        up = next(self.upset.choices(here), None)
        most = len(here.enabled) if up is None else len(up.actions)
        if most > 1:
            yield from (c for c in self.stubborn.choices(here) if len(c.actions) < most)
        if up is not None:
            yield up


BEST = ReductionRow(
    "best",
    "the smaller of up-sets and strong stubborn sets",
    Best,
    "KristensenSchmidtValmari06, LaarmanPaterPolWeber13",
    frozenset({Preserved.DEADLOCK, Preserved.REACH}),
    cyclic=True,
    chooses=True,
)
