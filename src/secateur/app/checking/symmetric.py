"""Checking with symmetry reduction; importing this loads the compiler."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from secateur.app.checking.merged import Merge
from secateur.app.checking.pruned import check_pruned
from secateur.app.checking.tried import tried
from secateur.engine.limits import Interrupted, Limits
from secateur.engine.native.available import why_not_native
from secateur.engine.native.explore import Manner, explore
from secateur.engine.plan import Plan
from secateur.engine.search.protocol import Task
from secateur.engine.symmetry.canonical import CANONICAL
from secateur.engine.symmetry.markers import MARKERS
from secateur.engine.symmetry.protocol import StrategyRow
from secateur.lang.compile.machine import CompiledMachine
from secateur.lang.lower import MachineSystem
from secateur.lang.symmetry.findings import Found, find_symmetry
from secateur.system.result import Result
from secateur.system.symmetry import Asymmetric

FEW: Final = Limits(states=2000)
"""So many states of the quotient are explored before it is said whether that pays."""
PAYS: Final = 8.0
"""It does if each of them stands for so many on average: canonical forms have their price."""


def symmetry_of(system: MachineSystem) -> Found:
    """Return which elements may be exchanged: also what is looked for must not name them."""
    asked = [(f"{each.kind.value} {each.name}", each.predicate) for each in system.properties]
    return find_symmetry(system.model, asked)


def check_symmetric(
    task: Task, system: MachineSystem, planned: Plan, strategy: StrategyRow
) -> Result:
    """Return what a search among representatives finds; traces have been executed.

    Raise Asymmetric where there is nothing to exchange.
    """
    found = symmetry_of(system)
    if not found.free:
        raise Asymmetric(_why_none(found))
    merge = _merge(task, system, strategy, found)
    return merge.report(_searched(task, system, planned, merge))


def worth_merging(task: Task, system: MachineSystem, planned: Plan) -> Result | None:
    """Return what a search among representatives finds if that is soon; None if it is not worth it."""
    found = symmetry_of(system)
    if not found.free:
        return None
    try:
        merge = _merge(task, system, CANONICAL, found)
        few = tried(task, lambda t: _searched(t, system, planned, merge), FEW)
        if few.done:
            return merge.report(few.result)
        if (merge.native_merging.orbits or 0.0) < PAYS:
            return None
        return merge.report(_searched(task, system, planned, merge))
    except Asymmetric:
        return None


def _merge(task: Task, system: MachineSystem, strategy: StrategyRow, found: Found) -> Merge:
    try:
        with task.meter.running():
            for _ in system.initial():  # all valuations of the constants are known then
                if not system.model.constants:
                    break
    except Interrupted:
        raise Asymmetric("the constants were not found in time") from None
    if not system.solutions:
        raise Asymmetric("the constants have no values")
    return Merge(system, strategy, found.free)


def _searched(task: Task, system: MachineSystem, planned: Plan, merge: Merge) -> Result:
    if planned.pruning.asked:
        return check_pruned(task, system, planned, merge=merge)
    if planned.native is False or why_not_native() is not None or not _has_twin(planned, merge):
        found = planned.search.search(replace(task, system=merge.quotient))
        return merge.unfolded(found)
    manner = Manner(
        planned.search.name,
        planned.threads,
        planned.compress,
        planned.fingerprint,
        merge=merge.native_merging,
    )
    started = replace(task, system=merge.started)
    found = explore(started, lambda: CompiledMachine(system, system.solutions), manner)
    return merge.executed(found)


def _has_twin(planned: Plan, merge: Merge) -> bool:
    in_order = planned.search.shortest or merge.strategy.name != MARKERS.name
    return planned.search.native and in_order


def _why_none(found: Found) -> str:
    if not found.findings:
        return "there is no given set of several elements"
    reasons = (f"{f.name}: {'; '.join(f.reasons)}" for f in found.findings)
    return "no elements may be exchanged: " + ", ".join(reasons)
