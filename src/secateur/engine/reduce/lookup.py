"""What reductions ask about pairs of actions, each asked once."""

from __future__ import annotations

from functools import cache

from secateur.system.events import EventSystem
from secateur.system.relations import Relations, Sharing


class Lookup:
    """Relations as sets, found when they are first needed."""

    def __init__(self, system: EventSystem, relations: Relations) -> None:
        self.system = system
        self.relations = relations
        self._all = range(len(system.actions))
        self.asked: dict[int, tuple[int, ...]] = {}
        """The dependents of each action of which they were needed."""
        self.dependents = cache(self._dependents)
        self.enablers = cache(self._enablers)
        self.enabled_by = cache(self._enabled_by)
        self.violators = cache(self._violators)
        self.provokers = cache(self._provokers)
        self.disablers = cache(self._disablers)
        self.stranders = cache(self._stranders)
        self.excluded = cache(self._excluded)
        self.repairs = cache(self._repairs)
        self.faults = cache(self._faults)
        self.heals = cache(self._heals)

    def _dependents(self, a: int) -> tuple[int, ...]:
        """Return the other actions that do not accord with `a`."""
        found = tuple(b for b in self._all if b != a and self.relations.dependent(a, b).yes)
        self.asked[a] = found
        return found

    def conjuncts(self, action: int) -> int:
        """Return the number of conjuncts of a guard; the last may be that there is a result."""
        of = self.system.actions[action]
        return len(of.guard) + (not of.total)

    def _enablers(self, action: int, conjunct: int) -> tuple[int, ...]:
        """Return the others that can make a conjunct true: a necessary enabling set."""
        if isinstance(self.relations, Sharing):
            first = self.relations.first_alike(action, conjunct)
            if first != (action, conjunct):  # all but the two of them are the same
                others = set(self.enablers(*first)) - {action}
                if first[0] != action and self._enables(first[0], action, conjunct):
                    others.add(first[0])
                return tuple(sorted(others))
        return tuple(a for a in self._all if a != action and self._enables(a, action, conjunct))

    def _enables(self, a: int, b: int, conjunct: int) -> bool:
        return self.relations.enables(a, b, conjunct).yes

    def _enabled_by(self, a: int) -> tuple[int, ...]:
        """Return the others of which `a` can make some conjunct true: edges of the enable graph."""
        return tuple(
            b
            for b in self._all
            if b != a and any(self.relations.enables(a, b, c).yes for c in range(self.conjuncts(b)))
        )

    def _violators(self, check: int) -> tuple[int, ...]:
        """Return the actions that can make a property not hold that did."""
        return tuple(a for a in self._all if self.relations.violates(a, check).yes)

    def _provokers(self, action: int) -> tuple[int, ...]:
        """Return the actions that can lead to a fault of `action`, itself included."""
        return tuple(a for a in self._all if self.relations.provokes(a, action).yes)

    def _disablers(self, b: int) -> tuple[int, ...]:
        """Return the actions after which `b` may not happen any more, itself included.

        What can do so where `b` happens is dependent on it.
        """
        return tuple(
            a
            for a in sorted((b, *self.dependents(b)))
            if any(self.relations.disables(a, b, c).yes for c in range(self.conjuncts(b)))
        )

    def _stranders(self) -> tuple[int, ...]:
        """Return the actions that can lead to a deadlock."""
        return tuple(a for a in self._all if self.relations.strands(a).yes)

    def _excluded(self, a: int) -> tuple[int, ...]:
        """Return the actions that cannot happen where `a` can."""
        return tuple(b for b in self._all if b != a and self.relations.excluded(a, b).yes)

    def _repairs(self, a: int, check: int) -> bool:
        """Whether `a` can make a property hold that did not."""
        return self.relations.repairs(a, check).yes

    def _faults(self, a: int) -> bool:
        """Whether `a` can be ill-defined."""
        return self.relations.faults(a).yes

    def _heals(self, a: int, b: int) -> bool:
        """Whether `a` may end a fault of `b`."""
        return self.relations.heals(a, b).yes
