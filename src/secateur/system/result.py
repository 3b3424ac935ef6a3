"""A verdict with all that goes with it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import Final

from secateur.source.records import dataclass
from secateur.system.coverage import Coverage
from secateur.system.engine import PYTHON, Engine
from secateur.system.reduced import Merged, Reduced
from secateur.system.statistics import Statistics
from secateur.system.system import Breach, Fault, Outgoing, PropertyKind, Transition
from secateur.system.temporal import TemporalResult
from secateur.system.trace import BrokenTrace, Trace
from secateur.system.verdict import Holds, Incomplete, Verdict, Violated, Violation


@dataclass(frozen=True, slots=True)
class Result:
    """What a check returns.  It is true if, and only if, the model was verified.

    `assumptions` were made for the user and bound the verdict (the size of a deferred
    set); `notes` are worth knowing and change nothing.  The verdict is about states; what
    was found of temporal formulas that were given is in `temporal`.
    """

    verdict: Verdict
    statistics: Statistics
    seconds: float
    assumptions: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    engine: Engine = PYTHON
    reductions: tuple[Reduced, ...] = ()
    merged: Merged | None = None
    temporal: tuple[TemporalResult, ...] = ()
    coverage: Coverage | None = None
    """What makes no difference in the model, where that was asked for."""

    def __bool__(self) -> bool:
        verified = isinstance(self.verdict, Holds) and self.verdict.exhaustive
        return verified and all(self.temporal)

    @property
    def outcome(self) -> bool | None:
        """Whether all that was asked holds, formulas included; None if that is not known."""
        known = [not isinstance(self.verdict, Violated), *(t.holds for t in self.temporal)]
        if False in known:
            return False
        return None if isinstance(self.verdict, Incomplete) or None in known else True

    @property
    def violations(self) -> tuple[Violation, ...]:
        """The violations found, in the order found."""
        return self.verdict.violations if isinstance(self.verdict, Violated) else ()

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why not everything was looked at; empty if it was, or if a violation ended the run."""
        return () if isinstance(self.verdict, Holds) else self.verdict.reasons

    @property
    def exhaustive(self) -> bool:
        """Whether every reachable state was visited."""
        return not isinstance(self.verdict, Incomplete) and self.verdict.exhaustive

    @property
    def trace(self) -> Trace | None:
        """The way to the first violation."""
        return self.violations[0].trace if self.violations else None


def nothing_found(reason: str) -> Result:
    """Return the result of a run that came to nothing."""
    return Result(Incomplete((reason,)), Statistics(0, 0), 0.0)


def confirm(violation: Violation, *, executed: bool = False) -> None:
    """Execute the trace again and look for the violation at its end.

    Raise BrokenTrace if either fails: no counterexample is shown that was not seen twice.
    A trace that was `executed` by the system after it was found need not be once more.
    """
    if not executed:
        violation.trace.replay()
    if not _seen_again(violation):
        raise BrokenTrace(
            f"{violation.kind.value} '{violation.name}' is not violated when its trace is executed again"
        )


def _seen_again(violation: Violation) -> bool:
    trace = violation.trace
    system = trace.system
    if not trace.transitions:
        return _explains(violation, system.initial())
    state = trace.states[-1]
    if violation.kind is PropertyKind.DEADLOCK and system.is_initialised(state):
        return not system.may_end(state) and _explains(violation, system.successors(state))
    outgoing = violation.kind not in (PropertyKind.INVARIANT, PropertyKind.GOAL)
    if outgoing and _explains(violation, system.successors(state)):
        return True
    if not system.is_initialised(state):
        return False
    # What is ill-defined may be any property; to look at others would be in vain, and may take long.
    kinds = {violation.kind} if violation.kind in _OF_STATES else frozenset(PropertyKind)
    return any(map(partial(_is, violation), system.breaches(state, frozenset(kinds))))


_OF_STATES: Final = frozenset({PropertyKind.INVARIANT, PropertyKind.ASSERTION, PropertyKind.GOAL})
"""The kinds of properties that are looked at in a state."""


def shows(trace: Trace, violation: Violation) -> bool:
    """Whether a violation is seen at the end of another trace, too."""
    return _seen_again(replace(violation, trace=trace))


def seen_at_end(violation: Violation, trace: Trace) -> Violation:
    """Return a violation as it is seen at the end of another trace, which leads to the like of it.

    Who is at fault there may have other names.
    """
    system = trace.system
    state = trace.states[-1] if trace.transitions else None
    items: list[object] = list(system.initial() if state is None else system.successors(state))
    if state is not None and system.is_initialised(state):
        items += system.breaches(state, frozenset(PropertyKind))
    for item in items:
        match item:
            case Breach(kind, name, span, witness) if (kind, name, span) == (
                violation.kind,
                violation.name,
                violation.span,
            ):
                return replace(violation, trace=trace, witness=witness)
            case Fault(where, message, span) if (where, span) == (
                violation.name,
                violation.span,
            ) and violation.kind is PropertyKind.WELL_DEFINEDNESS:
                return replace(violation, trace=trace, message=message)
    return replace(violation, trace=trace)


def _explains(violation: Violation, outgoing: Iterable[Outgoing]) -> bool:
    if violation.kind is PropertyKind.DEADLOCK:
        return not any(isinstance(item, Transition) for item in outgoing)
    return any(_is(violation, item) for item in outgoing)


def _is(violation: Violation, item: object) -> bool:
    match item:
        case Breach(kind, name):
            return (kind, name) == (violation.kind, violation.name)
        case Fault(where, message):
            return (where, message) == (violation.name, violation.message)
        case _:
            return False
