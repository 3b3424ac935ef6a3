"""Whole operations, as their instances make them out: what they read, write, disable and enable.

> I. Dobrikov, M. Leuschel: *Optimising the ProB Model Checker for B using Partial Order
> Reduction*, Formal Aspects of Computing 28 (2016), Definition 3.1, Algorithms 2 and 3.

Deviations from the paper:

* D1: its relations are between events, with variables that are read and written.  Ours are
  between instances, with slots; an operation depends on another if an instance does on one of
  the other's.  With parameters, Algorithm 2 as printed tests only whether some instance is
  enabled, which loses deadlocks.
* D2: lines 2 to 5 call events dependent that write the same, or read in their actions what
  the other writes.  We ask whether the order matters; the kind of a dependency is told by
  the lines of the paper nevertheless.
* D3: the listing of Algorithm 3 is missing in the text; `can_enable` is after Definition 3.5,
  and tells apart what an event does to the enabledness of another in general.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import NamedTuple

from secateur.analysis.compare import Comparison
from secateur.analysis.effort import TooMuch
from secateur.analysis.relations import EventRelations
from secateur.system.events import Action


class Sets(NamedTuple):
    """The bits that are read in guards, read in actions, and written (Definition 3.1)."""

    guard: int
    action: int
    write: int


def sets_of(actions: Iterable[Action]) -> Sets:
    """Return what some instances read and write, taken together.

    What decides on whether there is a result is read in the guard, too; what may be left as
    it was counts as read in the action.
    """
    guard = action = write = 0
    for each in actions:
        for conjunct in each.guard:
            guard |= conjunct.reads
        if not each.total:
            guard |= each.reads
        action |= each.reads
        write |= each.may_write
    return Sets(guard, action, write)


class Dependency(Enum):
    """Why two instances are dependent, in the order of Algorithm 2."""

    RACE = "both write it"
    INTERFERENCE = "one writes what the other's action reads"
    GUARD = "one writes what the other's guard reads"
    NONE = "their order does not matter"


def dependency(relations: EventRelations, a: int, b: int) -> Dependency:
    """Return the first reason of Algorithm 2 for a dependency that there is."""
    if not relations.dependent(a, b).yes:
        return Dependency.NONE
    x, y = relations.system.actions[a], relations.system.actions[b]
    if x.may_write & y.may_write:  # line 2
        return Dependency.RACE
    if x.reads & y.may_write or x.may_write & y.reads:  # line 4
        return Dependency.INTERFERENCE
    return Dependency.GUARD  # lines 7 and 8


class Influence(Enum):
    """What one action does to whether another can happen."""

    APART = "none"
    KEEP = "keeps"
    ENABLE = "may enable"
    DISABLE = "may disable"
    BOTH = "may enable or disable"
    GUARANTEED = "always enables"
    IMPOSSIBLE = "always disables"


def influence(relations: EventRelations, a: int, b: int) -> Influence:
    """Return what an instance does to another; if that is too much work, what its conjuncts tell."""
    x, y = relations.system.actions[a], relations.system.actions[b]
    if not x.may_write & sets_of((y,)).guard:
        return Influence.APART
    with relations.purse:
        try:
            return _influence(_changes(relations, a, b))
        except TooMuch:
            pass
    conjuncts = range(len(y.guard) + (not y.total))
    enabling = any(relations.enables(a, b, j).yes for j in conjuncts)
    disabling = any(relations.disables(a, b, j).yes for j in conjuncts)
    return _possible(enabling=enabling, disabling=disabling)


def _changes(relations: EventRelations, a: int, b: int) -> frozenset[tuple[bool, bool]]:
    """Return whether `b` can happen before and after `a`, in all ways that there are."""
    relations.tables.most = relations.purse.effort.quick
    table, possible = relations.tables.action(a), relations.tables.possibility(b)
    if table is None or possible is None:
        raise TooMuch
    comparison = Comparison(relations.purse)
    return frozenset(
        (before, after)
        for before in (False, True)
        for after in (False, True)
        if comparison.change(table, possible, ({before}, {after})) is not None
    )


def _influence(changes: frozenset[tuple[bool, bool]]) -> Influence:
    after = {new for _, new in changes}
    if after == {True} and changes != {(True, True)}:
        return Influence.GUARANTEED
    if after == {False} and changes != {(False, False)}:
        return Influence.IMPOSSIBLE
    return _possible(enabling=(False, True) in changes, disabling=(True, False) in changes)


def _possible(*, enabling: bool, disabling: bool) -> Influence:
    if enabling:
        return Influence.BOTH if disabling else Influence.ENABLE
    return Influence.DISABLE if disabling else Influence.KEEP


def together(rows: Iterable[Iterable[Influence]]) -> Influence:
    """Return the influence of an operation, whose instances are the rows, on another.

    An operation is always enabled if each instance of the first always enables one of its
    instances, and always disabled if each of them disables all.
    """
    table = [list(row) for row in rows]
    found = {each for row in table for each in row}
    if found <= {Influence.APART}:
        return Influence.APART
    if found == {Influence.IMPOSSIBLE}:
        return Influence.IMPOSSIBLE
    if all(Influence.GUARANTEED in row for row in table):
        return Influence.GUARANTEED
    enabling = bool(found & {Influence.ENABLE, Influence.BOTH, Influence.GUARANTEED})
    disabling = bool(found & {Influence.DISABLE, Influence.BOTH, Influence.IMPOSSIBLE})
    return _possible(enabling=enabling, disabling=disabling)
