"""Which checks hold in all reachable states, by induction over tables alone.

The largest set of candidates is looked for that hold at the beginning and that no action
violates where all of them hold: one that fails is taken away, and the others are looked at
again (as Houdini does).

> C. Flanagan, K. R. M. Leino: *Houdini, an Annotation Assistant for ESC/Java*, FME 2001.
"""

from __future__ import annotations

from secateur.analysis.assumptions import Admitted
from secateur.analysis.compare import NOT_TRUE, PERHAPS, Comparison
from secateur.analysis.effort import TooMuch
from secateur.analysis.relations import EventRelations
from secateur.analysis.space import initial_states
from secateur.system.packing import Misfit
from secateur.system.system import PropertyKind

MOST_INITIAL = 10_000


def inductive(relations: EventRelations) -> frozenset[int]:
    """Return the invariants that are proven; what takes too long is not."""
    relations.tables.most = relations.purse.effort.codes
    with relations.purse:
        candidates = _initially(relations)
        while candidates:
            failing = next(
                (n for n in sorted(candidates) if _fails(n, candidates, relations)), None
            )
            if failing is None:
                break
            candidates -= {failing}
    return candidates


def _initially(relations: EventRelations) -> frozenset[int]:
    system = relations.system
    candidates = {
        n
        for n, check in enumerate(system.checks)
        if check.kind is PropertyKind.INVARIANT and relations.tables.check(n) is not None
    }
    try:
        for state in initial_states(system, MOST_INITIAL):
            candidates = {n for n in candidates if system.holds(n, state)}
            if not candidates:
                break
    except (TooMuch, Misfit):
        return frozenset()
    return frozenset(candidates)


def _fails(check: int, candidates: frozenset[int], relations: EventRelations) -> bool:
    """Whether some action may violate a check where all candidates hold."""
    tables, system = relations.tables, relations.system
    condition = tables.check(check)
    assert condition is not None
    for number, action in enumerate(system.actions):
        if not action.may_write & system.checks[check].reads:
            continue
        table = tables.action(number)
        if table is None:
            return True
        known = table.mask | condition.mask
        near = (tables.check(n) for n in sorted(candidates))
        admitted = Admitted(t for t in near if t is not None and t.mask & known)
        try:
            comparison = Comparison(relations.purse)
            if comparison.change(table, condition, (PERHAPS, NOT_TRUE), admitted) is not None:
                return True
        except TooMuch:
            return True
    return False
