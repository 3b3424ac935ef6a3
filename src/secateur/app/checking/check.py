"""Checking a system as planned, with the engine that is fit for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from typing import Final

from secateur.app.certificates.certifying import Certifying
from secateur.app.checking.tried import Hasty, tried
from secateur.engine.limits import Limits, Meter, Stop, Watcher
from secateur.engine.native.available import why_not_native
from secateur.engine.plan import Plan, Wish, plan
from secateur.engine.search.protocol import Task
from secateur.lang.lower import MachineSystem
from secateur.system.engine import Engine
from secateur.system.result import Result, confirm
from secateur.system.symmetry import Asymmetric
from secateur.system.system import System
from secateur.system.verdict import Incomplete, Violated

TRIED_STATES: Final = 1000
TRIED_SECONDS: Final = 0.05
"""A model that is done with within these is not worth compiling."""


def check(
    system: System,
    wish: Wish,
    stop: Stop,
    watcher: Watcher | None = None,
    certificate: Certifying | None = None,
) -> Result:
    """Return the verdict on `system`; raise InputError if the wish is not lawful.

    Every trace is executed a second time before it is returned.
    """
    planned = plan(wish)
    meter = Meter(planned.limits, stop, watcher)
    task = Task(
        system,
        planned.kinds,
        planned.ends,
        planned.seed,
        planned.ratio,
        meter,
        shares=planned.shares,
    )
    notes: tuple[str, ...] = ()
    if isinstance(system, MachineSystem) and certificate is not None:
        return _confirmed(_certified(task, system, planned, certificate), executed=True)
    if isinstance(system, MachineSystem) and planned.symbolic is not None:
        return _confirmed(_symbolic(task, system, planned), executed=True)
    if isinstance(system, MachineSystem) and planned.strategy is not None:
        try:
            return _confirmed(_symmetric(task, system, planned), executed=False)
        except Asymmetric as why:
            notes = (f"no symmetry: {why}",)
    result = _checked(task, system, planned)
    return replace(result, notes=(*result.notes, *notes)) if notes else result


def _checked(task: Task, system: System, planned: Plan) -> Result:
    if isinstance(system, MachineSystem) and planned.pruning.asked:
        return _confirmed(_pruned(task, system, planned), executed=True)
    why_not = "not asked for" if planned.native is False else why_not_native()
    if why_not is not None or not isinstance(system, MachineSystem):
        result = _confirmed(planned.search.search(task), executed=False)
        return _without_native(result, planned, why_not)
    # With fingerprints even a small model is not said to hold: what is asked for is done.
    patient = planned.native is None and not planned.fingerprint
    quick = tried(task, planned.search.search, _SHORT, Hasty) if patient else None
    if quick is not None and quick.done:
        return _confirmed(quick.result, executed=False)
    # The native engine knows states; the steps between them were executed by the evaluator.
    found = _confirmed(_explored(task, system, planned), executed=True)
    return found if quick is None else _further(found, quick.result)


def _symbolic(task: Task, system: MachineSystem, planned: Plan) -> Result:
    checked: Callable[..., Result] = import_module("secateur.app.checking.symbolic").check_symbolic
    return checked(task, system, planned.kinds, planned.symbolic)


def _symmetric(task: Task, system: MachineSystem, planned: Plan) -> Result:
    checked: Callable[..., Result] = import_module(
        "secateur.app.checking.symmetric"
    ).check_symmetric
    return checked(task, system, planned, planned.strategy)


def _explored(task: Task, system: MachineSystem, planned: Plan) -> Result:
    """Return what the native engine finds, or another search beside it that is done sooner."""
    # Loading the compiler takes a while, and most models do not need it.
    explore: Callable[..., Result] = import_module("secateur.app.checking.native").explore_machine
    # Where violations are collected, it matters in how many states they are.
    may_reduce = planned.pruning.automatic and planned.kinds <= planned.ends
    if not may_reduce and not planned.may_be_symbolic:
        return explore(task, system, planned)
    if may_reduce and planned.may_merge:
        merged: Result | None = import_module("secateur.app.checking.symmetric").worth_merging(
            task, system, planned
        )
        if merged is not None:
            return merged
    beside = import_module("secateur.app.checking.aside")
    aside = beside.Aside(task, system, planned, may_reduce=may_reduce)
    try:
        result = explore(task, system, planned, aside)
    except beside.Settled as settled:
        found: Result = settled.result
        return found
    return replace(result, notes=(*result.notes, *aside.remarks))


def _pruned(task: Task, system: MachineSystem, planned: Plan) -> Result:
    prune: Callable[..., Result] = import_module("secateur.app.checking.pruned").check_pruned
    return prune(task, system, planned)


def _certified(task: Task, system: MachineSystem, planned: Plan, certificate: Certifying) -> Result:
    checked: Callable[..., Result] = import_module(
        "secateur.app.certificates.certified"
    ).check_certified
    return checked(task, system, planned, certificate)


def _further(result: Result, quick: Result) -> Result:
    """Return what got further: where there is little time, the short attempt may have."""
    more = result.statistics.states >= quick.statistics.states
    if more or not isinstance(result.verdict, Incomplete):
        return result
    reasons = result.reasons
    verdict = Violated(quick.violations, reasons=reasons) if quick.violations else result.verdict
    return _confirmed(replace(quick, verdict=verdict, seconds=result.seconds), executed=False)


def _without_native(result: Result, planned: Plan, why: str | None) -> Result:
    """Return the result of the Python engine, which says so where the other is missed."""
    if why is None:
        return result
    asked = planned.compress or planned.fingerprint or planned.threads > 1
    if not asked and result.statistics.states <= TRIED_STATES:
        return result
    return replace(result, engine=Engine(remark=f"not native: {why}"))


def _confirmed(result: Result, *, executed: bool) -> Result:
    for violation in result.violations:
        confirm(violation, executed=executed)
    return result


_SHORT: Final = Limits(TRIED_STATES, TRIED_SECONDS)
