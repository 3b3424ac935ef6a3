"""Closing a set of actions under what D1 and D2 demand: strong stubborn sets."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator

from secateur.engine.reduce.lookup import Lookup
from secateur.engine.reduce.protocol import Here, Question

_DEARER = 1000
"""An action that happens weighs more than any number of those that do not."""


class Closure:
    """The guard-based closure.

    A. Laarman, E. Pater, J. van de Pol, M. Weber: *Guard-Based Partial-Order Reduction*,
    SPIN 2013, LNCS 7976, Definition 8 and Algorithm 1.  For a member that happens, all that
    does not accord with it; for one that does not, a necessary enabling set of one conjunct
    that is not true.

    The relation `dependent` is symmetric and demands that neither keeps the other from
    happening, hence both conditions hold of what is returned:

      D1  if e1 … en are no members and a is one, then e1 … en a can also be had as
          a e1 … en, leading to the same state;
      D2  what happens and is a member happens after any number of others.
    """

    def __init__(self, lookup: Lookup) -> None:
        self.lookup = lookup

    def of(
        self, seeds: Iterable[int], here: Here, most: int, banned: Container[int] = ()
    ) -> frozenset[int] | None:
        """Return a closed superset of `seeds`; None if more than `most` of its members happen.

        None, too, if one happens that is `banned`.
        """
        happening = frozenset(here.enabled)
        members = set(seeds)
        todo = sorted(members, reverse=True)
        count = len(members & happening)
        while todo and count <= most:
            a = todo.pop()
            needed = self.against(a) if a in happening else self.cheapest(a, here, members)
            for b in needed:
                if b not in members:
                    members.add(b)
                    todo.append(b)
                    if b in happening:
                        count += 1
                        if b in banned:
                            return None
        return None if count > most else frozenset(members)

    def against(self, a: int) -> Iterable[int]:
        """Return what must be a member because `a` happens and is one."""
        return self.lookup.dependents(a)

    def cheapest(self, a: int, here: Here, members: set[int]) -> Iterable[int]:
        """Return the enabling set that adds least, as far as can be seen at once."""
        happening = frozenset(here.enabled)

        def cost(enablers: Iterable[int]) -> int:
            fresh = [b for b in enablers if b not in members]
            return len(fresh) + _DEARER * sum(b in happening for b in fresh)

        return min(self.enabling_sets(a, here), key=cost)

    def enabling_sets(self, a: int, here: Here) -> Iterator[Iterable[int]]:
        """Yield a necessary enabling set for each conjunct of `a` that is not true."""
        guard = here.guards[a]
        untrue = guard.false | guard.undefined
        for conjunct in range(self.lookup.conjuncts(a)):
            if untrue >> conjunct & 1:
                yield self.lookup.enablers(a, conjunct)


def never_repairs(actions: Iterable[int], lookup: Lookup, question: Question) -> bool:
    """Whether no action is visible, can make a property hold again, or end a fault of another: A3.

    A path that contains none of `actions` is repeated behind one of them; what is wrong at
    its end must still be wrong then (the converse of "preserves the invariant").
    Members need not be looked at for faults: each of them happens all along that path.
    """
    members = frozenset(actions)
    if question.visible is not None and not members.isdisjoint(question.visible):
        return False
    others = [b for b in question.faults if b not in members]
    return not any(
        any(lookup.repairs(a, check) for check in question.checks)
        or any(lookup.heals(a, b) for b in others)
        for a in members
    )
