"""Which actions a temporal formula can see."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import reduce

from secateur.engine.reduce.lookup import Lookup
from secateur.ltl.atoms import Atom, Kind
from secateur.ltl.formula import Formula, atoms
from secateur.ltl.stutter import SILENT, why_not_steady
from secateur.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Watched:
    """What the atoms of a formula look at, by numbers of an event system.

    `checks` are predicates; `guards` are actions of which it matters whether they can happen;
    `steps` those of which it matters that they do; `slots` are bits of which it matters that
    they are written; with `deadlocks` it matters, in a state, whether anything can happen.
    """

    checks: frozenset[int] = frozenset()
    guards: frozenset[int] = frozenset()
    steps: frozenset[int] = frozenset()
    slots: int = 0
    deadlocks: bool = False

    def __or__(self, other: Watched) -> Watched:
        return Watched(
            self.checks | other.checks,
            self.guards | other.guards,
            self.steps | other.steps,
            self.slots | other.slots,
            self.deadlocks or other.deadlocks,
        )


NOTHING = Watched()


class NotReducible(Exception):
    """A formula can see what a reduction changes; the message says what, in a sentence."""


def watched_by(formula: Formula, watch: Callable[[Atom], Watched]) -> Watched:
    """Return what a formula looks at; raise NotReducible if that can not be left in its order.

    Whether a state is a deadlock can be told from the end of the path, where no silent step is;
    if the formula does not like that, the actions that lead to a deadlock are visible.
    """
    all_atoms = atoms(formula)
    stuck = {a for a in all_atoms if a.kind is Kind.DEADLOCK and not a.events}
    steps = {a for a in all_atoms if a.kind in SILENT and a.kind is not Kind.DEADLOCK}
    found = together(watch(a) for a in all_atoms if a not in stuck)
    reason = why_not_steady(formula, steps | stuck)
    if reason is not None and stuck:
        reason = why_not_steady(formula, steps)
        found |= Watched(deadlocks=True)
    if reason is not None:
        raise NotReducible(reason)
    return found


def together(parts: Iterable[Watched]) -> Watched:
    """Return all that is looked at in some place."""
    return reduce(Watched.__or__, parts, NOTHING)


def visible_actions(lookup: Lookup, watched: Watched) -> frozenset[int]:
    """Return the actions that may change an atom, or are looked for themselves.

    Whether a predicate has a value counts as well as which one.
    """
    found = set(watched.steps)
    for check in watched.checks:
        found.update(lookup.violators(check))
    actions = lookup.system.actions
    for a, action in enumerate(actions):
        if a in found:
            continue
        if (
            action.may_write & watched.slots
            or any(lookup.repairs(a, check) for check in watched.checks)
            or any(_changes(lookup, a, b) for b in watched.guards)
        ):
            found.add(a)
    if watched.deadlocks:
        found.update(lookup.stranders())
    return frozenset(found)


def _changes(lookup: Lookup, a: int, b: int) -> bool:
    """Whether `a` may make a difference to whether `b` can happen; both may be the same."""
    relations = lookup.relations
    return any(
        relations.enables(a, b, c).yes or relations.disables(a, b, c).yes
        for c in range(lookup.conjuncts(b))
    )
