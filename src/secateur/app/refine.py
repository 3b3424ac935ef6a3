"""Checking that each component of a development refines the one before it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final, TypedDict, Unpack

from secateur.app.checking.check import check
from secateur.app.deep import run_deep
from secateur.engine.limits import Limits, Meter, Stop, Watcher, refuse_bad_limits
from secateur.engine.plan import Wish
from secateur.lang.lively import Lively
from secateur.lang.lower import lower
from secateur.lang.options import LoadOptions
from secateur.lang.refinement import Refinement
from secateur.lang.registry import refinements
from secateur.system.engine import PYTHON
from secateur.system.refinement import RefinementResult
from secateur.system.result import Result, nothing_found
from secateur.system.system import PropertyKind
from secateur.system.verdict import Incomplete


class RefineOptions(TypedDict, total=False):
    """What `secateur.refine` may be told, other than how to load the model.

    `deadlock`: that a refinement stops where its abstraction could go on is an error, too.
    `all` goes on after a violation.  The limits are for each step.
    """

    preferences: dict[str, str]
    set_sizes: dict[str, int]
    component: str | None
    max_setups: int | None
    defines: dict[str, str]
    deadlock: bool
    all: bool
    max_states: int | None
    max_seconds: float | None
    max_memory: int | None
    watcher: Watcher | None


_KINDS: Final = frozenset(
    {
        PropertyKind.REFINEMENT,
        PropertyKind.VARIANT,
        PropertyKind.INVARIANT,
        PropertyKind.WELL_DEFINEDNESS,
    }
)
"""Of invariants, only those are left that relate a machine of Event-B to what it refines."""


def refine(path: str | Path, **options: Unpack[RefineOptions]) -> list[RefinementResult]:
    """Return the result of each step that leads to the model in `path`, the most abstract one first.

    With a component, of the step that leads to it.  Steps after one that fails are not
    looked at unless `all` is asked for: they rest on it.
    """
    refuse_bad_limits(_limits(options))

    def work(stop: Stop) -> list[RefinementResult]:
        with Meter(_limits(options), stop).preparing():
            steps = refinements(Path(path), _load_options(options))
        found: list[RefinementResult] = []
        for step in steps:
            why_not = _why_not(found, stop, options)
            result = _check(step, stop, options) if why_not is None else nothing_found(why_not)
            found.append(RefinementResult(step.concrete, step.abstract, step.levels, result))
        return found

    return run_deep(work)


def _load_options(options: RefineOptions) -> LoadOptions:
    return LoadOptions(
        options.get("preferences", {}),
        options.get("set_sizes", {}),
        options.get("component"),
        options.get("max_setups"),
        options.get("defines", {}),
    )


def _why_not(found: list[RefinementResult], stop: Stop, options: RefineOptions) -> str | None:
    """Return why no more steps are to be looked at, if so."""
    if stop.reason is not None:
        return stop.reason
    failed = [step for step in found if step.result.violations]
    if not failed or options.get("all", False):
        return None
    return f"not looked at, since {failed[0].concrete} does not refine {failed[0].abstract}"


def _check(step: Refinement, stop: Stop, options: RefineOptions) -> Result:
    deadlock = options.get("deadlock", False)
    model = replace(step.model, max_setups=options.get("max_setups"))
    system = Lively(replace(step, model=model)) if deadlock else lower(model)
    native = step.native and not deadlock
    wish = Wish(
        collect=options.get("all", False),
        unchecked=frozenset(PropertyKind) - _KINDS,
        limits=_limits(options),
        native=None if native else False,
    )
    found = check(system, wish, stop, options.get("watcher"))
    return replace(
        _comparing(found),
        assumptions=model.assumptions,
        notes=(*model.notes, *found.notes),
        # Nobody could have asked for the native engine here.
        engine=found.engine if native else PYTHON,
    )


def _comparing(result: Result) -> Result:
    """Return `result`; where there is no initial state, nothing was shown of a refinement."""
    empty = [v for v in result.violations if v.kind is PropertyKind.DEADLOCK]
    if not empty:
        return result
    return replace(result, verdict=Incomplete(tuple(f"{v.name}: {v.message}" for v in empty)))


def _limits(options: RefineOptions) -> Limits:
    return Limits(options.get("max_states"), options.get("max_seconds"), options.get("max_memory"))
