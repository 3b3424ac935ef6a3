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

    If deadlocks are asked for too, some member must happen wherever anything does (D2).
    """

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.closure = Closure(scene.lookup)

    def choices(self, here: Here) -> Iterator[Choice]:
        """Yield one set, if it is smaller than all that happens."""
        most = len(here.enabled) - 1
        wanted = self.wanted(here)
        if wanted is None or most < 0:
            return
        members = self.closure.of(wanted, here, most)
        if members is None:
            return
        actions = chosen(members, here)
        if not actions and self.scene.question.deadlocks:
            yield from self.some(members, here)
            return
        reason = "up-set" if actions else "nothing asked for can be reached from here"
        yield Choice(actions, reason, cyclic=False)

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

    def some(self, members: Iterable[int], here: Here) -> Iterator[Choice]:
        """Yield the smallest closed set with a member that happens: D2."""
        most = len(here.enabled) - 1
        best: tuple[int, ...] | None = None
        for seed in here.enabled[:MOST_SEEDS] if most else ():
            found = self.closure.of((*members, seed), here, most)
            if found is not None:
                best = chosen(found, here)
                most = len(best) - 1
            if most == 0:
                break
        if best is not None:
            yield Choice(best, "up-set with a way to each deadlock", cyclic=False)


UPSET = ReductionRow(
    "upset",
    "up-set stubborn sets",
    UpSet,
    "KristensenSchmidtValmari06",
    frozenset({Preserved.DEADLOCK, Preserved.REACH, Preserved.SHORTEST}),
    cyclic=False,
)
