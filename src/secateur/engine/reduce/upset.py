"""Up-set stubborn sets: only what can lead to what is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from secateur.engine.reduce.closure import Closure
from secateur.engine.reduce.protocol import (
    Choice,
    Here,
    Preserved,
    ReductionRow,
    Scene,
    chosen,
)
from secateur.engine.reduce.stubborn import MOST_SEEDS


class UpSet:
    """A closed set around all actions that can violate a property or provoke a fault.

    L. M. Kristensen, K. Schmidt, A. Valmari: *Question-guided stubborn set methods for state
    properties*, Formal Methods in System Design 29 (2006).

    A path to a state in which a property that holds now does not must contain one of the
    actions that can violate it.  The first member of the set on that path can be moved to its
    front (D1), and the rest still leads to the same state: so each step shortens the path.
    No proviso is needed, A3 neither, and shortest traces stay.  Where no member happens, no
    violation can be reached any more, and nothing is expanded.

    Deadlocks are a property like others here.  Something happens now, an action b say, and
    it does not happen in a deadlock: so each path to one contains an action that can keep b
    from happening.  Any b will do, and so will the actions whose last step leads to a
    deadlock; the choice that gives the smallest set is taken.
    """

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.closure = Closure(scene.lookup)

    def choices(self, here: Here) -> Iterator[Choice]:
        """Yield one set, if it is smaller than all that happens."""
        most = len(here.enabled) - 1
        wanted = self.wanted(here)
        if wanted is None:
            return
        best: tuple[int, ...] | None = None
        for more in self.ways_to_deadlocks(here):
            if most < 0:
                break
            members = self.closure.of((*wanted, *more), here, most)
            if members is not None:
                best = chosen(members, here)
                most = len(best) - 1
        if best is not None:
            reason = "up-set" if best else "nothing asked for can be reached from here"
            yield Choice(best, reason, cyclic=False)

    def wanted(self, here: Here) -> set[int] | None:
        """Return all actions that can lead to something new; None if a property has no value."""
        question = self.scene.question
        wanted: set[int] = set()
        for check in question.checks:
            holds = self.scene.system.holds(check, here.state)
            if holds is None:
                # Only what makes it false is left to be found: that may be any action.
                return None
            if holds:
                wanted.update(self.scene.lookup.violators(check))
        for action in question.faults:
            wanted.update(self.scene.lookup.provokers(action))
        return wanted

    def ways_to_deadlocks(self, here: Here) -> Iterable[tuple[int, ...]]:
        """Return sets of actions, short ones first, of which each leads to all deadlocks."""
        if not self.scene.question.deadlocks:
            return [()]
        lookup = self.scene.lookup
        sets = [lookup.stranders(), *(lookup.disablers(b) for b in here.enabled[:MOST_SEEDS])]
        return sorted(dict.fromkeys(sets), key=len)


UPSET = ReductionRow(
    "upset",
    "up-set stubborn sets",
    UpSet,
    "KristensenSchmidtValmari06",
    frozenset({Preserved.DEADLOCK, Preserved.REACH, Preserved.SHORTEST}),
    cyclic=False,
)
