"""Ample sets of events."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from secateur.engine.reduce.closure import never_repairs
from secateur.engine.reduce.protocol import Choice, Here, Preserved, ReductionRow, Scene


class Ample:
    """Sets that satisfy A1 to A3.

    I. Dobrikov, M. Leuschel: *Optimising the ProB Model Checker for B using Partial Order
    Reduction*, Formal Aspects of Computing 28 (2016), Algorithm 4.  Trailing comments give
    its line numbers.

    Deviations from the paper:

      D1  events are instances, and the relations between them are sets of states that both
          orders reach: the paper's Algorithm 2 is wrong for events with parameters;
      D2  a stutter event is one that never repairs what is wrong: that it preserves the
          invariant is not enough (section 6.1.1 of the paper);
      D3  A3 is not asked where only deadlocks are;
      D4  unless left to chance, the smallest set is tried first; where the cycle condition
          refuses it, the next one is tried before everything is expanded.
    """

    def __init__(self, scene: Scene) -> None:
        self.scene = scene

    def choices(self, here: Here) -> Iterator[Choice]:
        """Yield the sets of procedure ComputeAmpleSet."""
        reach = self.scene.question.reach
        for s in self._dependency_sets(here):  # 2, 4
            if not self.enabling_path(s, here) and (not reach or self.stutters(s)):  # 6-12
                yield Choice(s, "an ample set", reach)  # 13

    def _dependency_sets(self, here: Here) -> list[tuple[int, ...]]:
        """Return the set of each event, each set once, in the order in which to try them."""
        t = here.enabled
        found: dict[tuple[int, ...], None] = {}
        for alpha in t:  # 2
            found[self.dependency_set(alpha, t)] = None  # 4
        smaller = [s for s in found if len(s) < len(t)]
        if self.scene.random:
            Random(f"{self.scene.seed} {here.state}").shuffle(smaller)
            return smaller
        return sorted(smaller, key=len)

    def dependency_set(self, alpha: int, t: tuple[int, ...]) -> tuple[int, ...]:
        """Return what is reachable from `alpha` by dependency within `t`: (A 2.1) holds."""
        happening = frozenset(t)
        s = {alpha}
        todo = [alpha]
        while todo:  # 18-24
            for gamma in self.scene.lookup.dependents(todo.pop()):
                if gamma in happening and gamma not in s:
                    s.add(gamma)
                    todo.append(gamma)
        return tuple(a for a in t if a in s)

    def enabling_path(self, s: tuple[int, ...], here: Here) -> bool:
        """Whether others may enable an event that depends on `s`: (A 2.2) does not hold."""
        members = frozenset(s)
        dependent = {g for a in s for g in self.scene.lookup.dependents(a)} - members
        seen = {beta for beta in here.enabled if beta not in members}  # 5, 6
        todo = list(seen)
        while todo:  # 7
            for gamma in self.scene.lookup.enabled_by(todo.pop()):
                if gamma in dependent:
                    return True  # 8
                if gamma not in seen and gamma not in members:
                    seen.add(gamma)
                    todo.append(gamma)
        return False

    def stutters(self, s: tuple[int, ...]) -> bool:
        """Whether A3 holds."""
        return never_repairs(s, self.scene.lookup, self.scene.question)


AMPLE = ReductionRow(
    "ample",
    "ample sets of events",
    Ample,
    "DobrikovLeuschel16, Algorithm 4",
    frozenset({Preserved.DEADLOCK, Preserved.REACH, Preserved.LTL}),
    cyclic=True,
    chooses=True,
)
