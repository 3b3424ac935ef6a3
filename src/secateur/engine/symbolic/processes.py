"""Safe process models: groups of actions that may go first wherever one of them can happen.

Definition 5 of J. Vander Meulen, C. Pecheur 2009 asks that all actions of a process are invisible
and that, in every state, those of them that can happen satisfy C1 of E. Clarke, O. Grumberg,
D. Peled: *Model Checking*, 1999.  The authors take the processes from the text of the model; B has
none, so that they are found here from the relations between actions.

A group A is safe, for all states at once, if

  P1  no member is visible, can be ill-defined, or writes what an action that can be ill-defined looks
      at (so that faults are found as in `engine/reduce/closure.py`, A3);
  P2  each member is independent of all actions that are no members;
  P3  for two members m and m' that can happen in the same state: no b outside A that can happen
      together with m makes a conjunct of m' true.

Why C1 holds: let m be a member that happens in s, and let only non-members be executed from there.
By P2 none of them keeps m from happening.  So each of them happens together with m, and by P3 it
does not make another m' happen: either m' is one of those that cannot happen beside m at all, or
none of its conjuncts becomes true.  Hence the first member that is executed could happen in s
already, and what came before is no member and independent of all of them by P2.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import product
from typing import Final

from secateur.engine.reduce.lookup import Lookup

Group = frozenset[int]

MOST: Final = 64
"""A group with more members than this is hardly smaller than everything."""


class SafeProcesses:
    """The processes of a system, for a formula that sees some of its actions."""

    def __init__(self, lookup: Lookup, visible: Collection[int]) -> None:
        self.lookup = lookup
        self.all = range(len(lookup.system.actions))
        faulty = [b for b in self.all if lookup.faults(b)]
        self.silent = frozenset(
            a
            for a in self.all
            if a not in visible and a not in faulty and not any(lookup.heals(a, b) for b in faulty)
        )
        """The actions that fulfil P1."""

    def found(self) -> tuple[tuple[int, ...], ...]:
        """Return disjoint safe groups, each in the order of its actions.

        The smallest group around each action is what must be together; of groups that overlap
        the smaller is better.
        """
        closed = {g for a in sorted(self.silent) if (g := self.around(a)) is not None}
        kept: list[Group] = []
        for group in sorted(closed, key=lambda g: (len(g), sorted(g))):
            if all(group.isdisjoint(other) for other in kept):
                kept.append(group)
        return tuple(tuple(sorted(g)) for g in sorted(self._chained(kept), key=min))

    def around(self, action: int) -> Group | None:
        """Return the smallest safe group with an action; None if there is none."""
        members = {action}
        while len(members) <= MOST:
            more = {b for b in self.missing(members) if b not in members}
            if not more:
                return frozenset(members)
            if not more <= self.silent:
                return None
            members |= more
        return None

    def missing(self, members: Collection[int]) -> Iterator[int]:
        """Yield what P2 and P3 do not allow to be outside."""
        for m in members:
            yield from self.lookup.dependents(m)
        for m, other in product(members, repeat=2):
            if m != other and not self._excluded(m, other):
                for b in self._enablers(other):
                    if b not in members and not self._excluded(b, m):
                        yield b

    def _enablers(self, action: int) -> Iterator[int]:
        for conjunct in range(self.lookup.conjuncts(action)):
            yield from self.lookup.enablers(action, conjunct)

    def _excluded(self, a: int, b: int) -> bool:
        return self.lookup.relations.excluded(a, b).yes

    def _chained(self, groups: list[Group]) -> list[Group]:
        """Return the groups, those put together that go on one after the other.

        If no member of one can happen beside a member of the other, both together are safe if each
        is, and choose the same in every state; but a process then runs to its end at once.
        """
        home = {a: group for group in groups for a in group}
        for b in sorted(home):
            for a in sorted(set(self._enablers(b)) & home.keys()):
                one, other = home[a], home[b]
                if one != other and self._one_after_the_other(one, other):
                    home |= dict.fromkeys(one | other, one | other)
        return list(dict.fromkeys(home.values()))

    def _one_after_the_other(self, one: Group, other: Group) -> bool:
        return len(one) + len(other) <= MOST and all(
            self._excluded(a, b) for a, b in product(one, other)
        )


def safe_processes(lookup: Lookup, visible: Collection[int]) -> tuple[tuple[int, ...], ...]:
    """Return the actions of each process of a safe process model.

    `visible` are the actions that a formula can see, those of fair events among them; where only
    deadlocks are asked for there are none.
    """
    return SafeProcesses(lookup, visible).found()
