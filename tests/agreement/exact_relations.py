"""Relations between actions straight from their definitions: every lawful state is tried.

Each relation is the table of all pairs (or triples) for which some state says yes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from secateur.system.events import EventSystem, disabled
from secateur.system.relations import Answer, Ground


def _all_states(system: EventSystem) -> list[int]:
    states = [0]
    for slot in system.slots:
        assert slot.codes is not None
        states = [s | c for s in states for c in slot.codes]
    return states


class ExactRelations:
    """The relations of a system with few states; `universe` are those that are tried."""

    def __init__(self, system: EventSystem, universe: Iterable[int] | None = None) -> None:
        self.system = system
        self.count = len(system.actions)
        self.universe = _all_states(system) if universe is None else list(universe)
        everything = _all_states(system)
        self._after: list[dict[int, tuple[int, ...]]] = [{} for _ in range(self.count)]
        """The results of each action where it happens."""
        self._bad: list[set[int]] = [set() for _ in range(self.count)]
        self._untrue: list[list[set[int]]] = []
        """Where each conjunct of each action is not true."""
        for a, action in enumerate(system.actions):
            untrue: list[set[int]] = [set() for _ in range(len(action.guard) + 1)]
            for s in everything:
                guard = system.guard(a, s)
                bits = guard.false | guard.undefined
                results = system.results(a, s) if guard.holds else None
                for c in range(len(action.guard)):
                    if bits >> c & 1:
                        untrue[c].add(s)
                if results:
                    self._after[a][s] = results
                else:
                    untrue[-1].add(s)
                if not disabled(action, guard) and results is None:
                    self._bad[a].add(s)
            self._untrue.append(untrue)
        self._answers: dict[tuple[object, ...], Answer] = {}
        self._violating = [
            {s for s in everything if system.holds(k, s) is not True}
            for k in range(len(system.checks))
        ]

    def _pairs(self, a: int) -> Iterable[tuple[int, Sequence[int]]]:
        after = self._after[a]
        return ((s, after[s]) for s in self.universe if s in after)

    def _crosses(self, a: int, into: set[int], *, leave: bool) -> bool:
        """Whether `a` leads into a set of states from outside, or out of it."""
        return any(
            (s in into) == leave and any((r in into) != leave for r in results)
            for s, results in self._pairs(a)
        )

    def _answer(self, key: tuple[object, ...], question: Callable[[], bool]) -> Answer:
        known = self._answers.get(key)
        if known is None:
            known = self._answers[key] = Answer(question(), Ground.ENUMERATED)
        return known

    def dependent(self, a: int, b: int) -> Answer:
        """Try every state in which both happen."""
        return self._answer(
            ("dependent", a, b), lambda: any(self._conflict(a, b, s) for s, _ in self._pairs(a))
        )

    def _conflict(self, a: int, b: int, s: int) -> bool:
        of_a, of_b = self._after[a], self._after[b]
        if s not in of_b:
            return False
        if any(r not in of_b for r in of_a[s]) or any(r not in of_a for r in of_b[s]):
            return True
        ab = {t for r in of_a[s] for t in of_b[r]}
        ba = {t for r in of_b[s] for t in of_a[r]}
        return ab != ba

    def enables(self, a: int, b: int, conjunct: int) -> Answer:
        """Try every state in which `a` happens."""
        return self._answer(
            ("enables", a, b, conjunct),
            lambda: self._crosses(a, self._untrue[b][conjunct], leave=True),
        )

    def disables(self, a: int, b: int, conjunct: int) -> Answer:
        """Try every state in which `a` happens."""
        return self._answer(
            ("disables", a, b, conjunct),
            lambda: self._crosses(a, self._untrue[b][conjunct], leave=False),
        )

    def excluded(self, a: int, b: int) -> Answer:
        """Try every state."""
        return self._answer(
            ("excluded", a, b), lambda: not any(s in self._after[b] for s, _ in self._pairs(a))
        )

    def violates(self, a: int, check: int) -> Answer:
        """Try every state in which `a` happens."""
        return self._answer(
            ("violates", a, check), lambda: self._crosses(a, self._violating[check], leave=False)
        )

    def repairs(self, a: int, check: int) -> Answer:
        """Try every state in which `a` happens."""
        return self._answer(
            ("repairs", a, check), lambda: self._crosses(a, self._violating[check], leave=True)
        )

    def faults(self, a: int) -> Answer:
        """Look at every state."""
        return self._answer(("faults", a), lambda: not self._bad[a].isdisjoint(self.universe))

    def provokes(self, a: int, b: int) -> Answer:
        """Try every state in which `a` happens."""
        return self._answer(("provokes", a, b), lambda: self._crosses(a, self._bad[b], leave=False))

    def heals(self, a: int, b: int) -> Answer:
        """Try every state in which `a` happens."""
        return self._answer(("heals", a, b), lambda: self._crosses(a, self._bad[b], leave=True))

    def strands(self, a: int) -> Answer:
        """Try every state in which `a` happens."""
        return self._answer(
            ("strands", a),
            lambda: any(
                not any(r in after for after in self._after)
                for _, results in self._pairs(a)
                for r in results
            ),
        )
