"""Checking temporal formulas."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from importlib import import_module
from typing import Final

from secateur.app.atoms import Binding
from secateur.app.branching import judge_branching
from secateur.app.linear import Judgement, Linear, NotNative
from secateur.engine.codes import UNKNOWN_APPROACH
from secateur.engine.limits import Interrupted, Limits, Meter, seconds_reached, states_reached
from secateur.engine.liveness.approach.registry import APPROACHES, DEFAULT_APPROACH
from secateur.engine.liveness.graph import Graph, OutOfBounds
from secateur.engine.liveness.lawful import Lawful, lawful
from secateur.engine.liveness.visible import NotReducible
from secateur.engine.native.available import why_not_native
from secateur.engine.pruning import AUTO, NO_REDUCTION
from secateur.lang.lower import MachineSystem
from secateur.lang.model import Model
from secateur.ltl.ctl import parse_ctl, show_ctl
from secateur.ltl.parse import parse_ltl
from secateur.ltl.specification import Specification
from secateur.maths.ast import Text
from secateur.source import fail
from secateur.system.engine import Engine
from secateur.system.packing import Misfit
from secateur.system.reduced import Reduced
from secateur.system.temporal import TemporalResult

SHORT: Final = Limits(states=1000, seconds=0.5)
"""A graph that is explored within these is not worth compiling anything, nor an analysis."""
MANY: Final = Limits(states=5_000_000)
"""What the native engine explores before it is worth an analysis of what may be left out."""
PATIENCE: Final = 300
"""Unless a reduction was asked for, it is given up after so many states that it did not reduce."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A formula, what it is called, and in which logic it is."""

    name: str
    logic: str
    text: str


@dataclass(frozen=True, slots=True)
class Manner:
    """How formulas are checked: the names of a reduction, its proviso, and an approach."""

    por: str = AUTO
    proviso: str = AUTO
    approach: str = DEFAULT_APPROACH
    native: bool | None = None
    """Whether the native engine is used: at once, never, or if a short look is not enough."""


USUAL: Final = Manner()


def refuse_unlawful(manner: Manner) -> None:
    """Raise InputError if formulas cannot be checked in this manner, whatever they are."""
    lawful(manner.por, manner.proviso)
    if all(row.name != manner.approach for row in APPROACHES):
        known = ", ".join(row.name for row in APPROACHES)
        message = f"there is no approach called '{manner.approach}'"
        raise fail(UNKNOWN_APPROACH, message, help=f"there are {known}")


def claims_of(model: Model) -> list[Claim]:
    """Return what a model says of itself: its definitions ASSERT_LTL... and ASSERT_CTL..."""
    return [
        Claim(name, logic, definition.value)
        for name, definition in model.definitions.items()
        for logic in ("ltl", "ctl")
        if name.startswith(f"ASSERT_{logic.upper()}") and isinstance(definition, Text)
    ]


_Work = Callable[[Binding], Judgement]


@dataclass(slots=True)
class _Outcome:
    """What was found out, on which graph, and what a reduction did for it."""

    graph: Graph
    judgement: Judgement = field(default_factory=Judgement)
    reduced: Reduced | None = None
    remark: str | None = None


@dataclass(frozen=True, slots=True)
class _Subject:
    """A model, and what it may take to look at it."""

    model: Model
    system: MachineSystem
    meter: Meter

    def judge(self, graph: Graph, work: _Work) -> _Outcome:
        """Return what comes of looking at a graph, within the limits."""
        outcome = _Outcome(graph)
        try:
            if not graph.initial():
                graph.reasons["there is no initial state"] = None
            else:
                outcome.judgement = work(Binding(self.model, self.system, graph))
        except OutOfBounds:
            pass
        except Interrupted:
            graph.reasons[graph.meter.why_interrupted()] = None
        return outcome

    def full(self, work: _Work) -> _Outcome:
        """Return what comes of looking at everything."""
        return self.judge(Graph(self.system, self.meter), work)


def check_claim(
    claim: Claim, model: Model, system: MachineSystem, meter: Meter, manner: Manner = USUAL
) -> TemporalResult:
    """Say whether a formula holds; raise InputError if it is none."""
    subject = _Subject(model, system, meter)
    with meter.running():
        if claim.logic == "ctl":
            ctl = parse_ctl(claim.text, claim.name)
            understood = show_ctl(ctl)
            outcome = subject.full(lambda binding: judge_branching(ctl, binding))
        else:
            ltl = parse_ltl(claim.text, claim.name)
            understood = str(ltl)
            outcome = _linear(ltl, subject, manner)
    judgement, graph = outcome.judgement, outcome.graph
    # Of a path it is known that it exists; that there is none is only known of the whole.
    unknown = bool(graph.reasons) and (judgement.holds is not False or claim.logic == "ctl")
    return TemporalResult(
        name=claim.name,
        logic=claim.logic,
        formula=claim.text,
        understood=understood,
        holds=None if unknown else judgement.holds,
        evidence=None if unknown else judgement.evidence,
        states=graph.states if judgement.states is None else judgement.states,
        transitions=graph.transitions if judgement.transitions is None else judgement.transitions,
        nodes=judgement.nodes,
        seconds=meter.seconds,
        reasons=tuple(graph.reasons),
        reduced=outcome.reduced,
        remark=outcome.remark,
        engine=judgement.engine,
    )


def _linear(specification: Specification, subject: _Subject, manner: Manner) -> _Outcome:
    """Look at a formula of LTL: shortly, then at a reduced graph if that is lawful, or in full."""
    approach = next(row for row in APPROACHES if row.name == manner.approach)
    rows = lawful(manner.por, manner.proviso)

    def work(binding: Binding) -> Judgement:
        return Linear(binding, specification).judge(approach)

    if manner.por in (AUTO, NO_REDUCTION) and manner.native is not True:
        quick = _tried(subject, work, SHORT)
        if quick is not None:
            return quick
    patience = PATIENCE if manner.por == AUTO else None
    pruned = (
        None if rows is None else partial(_reduced, specification, subject, rows, work, patience)
    )
    why_not = _why_not_native(manner)
    if why_not is None:
        try:
            return _natively(specification, subject, pruned)
        except NotNative as why:
            why_not = str(why)
    outcome = _evaluated(subject, work, pruned)
    if why_not is not _NOT_ASKED_FOR and outcome.graph.states > (SHORT.states or 0):
        outcome.judgement.engine = Engine(remark=f"not native: {why_not}")
    return outcome


_NOT_ASKED_FOR: Final = "not asked for"
_Pruned = Callable[[], _Outcome]
"""Looks at a reduced graph; raises NotReducible if the formula sees more than that."""


def _why_not_native(manner: Manner) -> str | None:
    """Return why the native engine is not used; it explores everything, as it is asked for."""
    other = manner.por not in (AUTO, NO_REDUCTION) or manner.approach != DEFAULT_APPROACH
    return _NOT_ASKED_FOR if other or manner.native is False else why_not_native()


def _natively(specification: Specification, subject: _Subject, pruned: _Pruned | None) -> _Outcome:
    """Look at everything with the native engine; raise NotNative if it cannot.

    Where there is very much to look at, a reduced graph is tried first.
    """
    # Loading the compiler takes a while, and most models do not need it.
    judge = import_module("secateur.app.linear_native").judge_natively

    def work(binding: Binding) -> Judgement:
        found: Judgement = judge(Linear(binding, specification))
        return found

    if pruned is None:
        return subject.full(work)
    first = _tried(subject, work, MANY)
    if first is not None:
        return first
    try:
        return pruned()
    except NotReducible:
        return subject.full(work)


def _evaluated(subject: _Subject, work: _Work, pruned: _Pruned | None) -> _Outcome:
    """Look at a reduced graph if that is lawful, or at everything."""
    if pruned is None:
        return subject.full(work)
    try:
        return pruned()
    except NotReducible as why:
        return replace(subject.full(work), remark=f"not reduced: {why}")
    except Interrupted:  # before there was a graph to look at
        graph = Graph(subject.system, subject.meter)
        graph.reasons[subject.meter.why_interrupted()] = None
        return _Outcome(graph)


def _reduced(
    specification: Specification,
    subject: _Subject,
    rows: Lawful,
    work: _Work,
    patience: int | None,
) -> _Outcome:
    """Look at a reduced graph; raise NotReducible if the formula sees more than that."""
    whole = Graph(subject.system, subject.meter)
    if not whole.initial():
        return subject.full(work)
    linear = Linear(Binding(subject.model, subject.system, whole), specification)
    fair = (e for case in linear.cases for events in linear.fair_events(case) for e in events)
    # Loading the compiler takes a while, and most models do not need it.
    pruner = import_module("secateur.app.watched").Pruner(linear.binding, linear.formula, fair)
    while True:
        graph = pruner.graph(rows)
        graph.patience = patience
        try:
            outcome = subject.judge(graph, work)
            break
        except Misfit as misfit:
            pruner.widen(misfit)
    if outcome.judgement.holds is not False and graph.reduction.tally.trapped:
        # What is known of actions is known of states that are reached without a fault.
        raise NotReducible("something is ill-defined on the way")
    return replace(outcome, reduced=pruner.told(graph))


def _tried(subject: _Subject, work: _Work, short: Limits) -> _Outcome | None:
    """Return what a short look finds; None if it was too short."""
    given = subject.meter.limits
    if short.states is not None and given.states is not None and given.states <= short.states:
        return subject.full(work)
    if short.seconds is not None and given.seconds is not None and given.seconds <= short.seconds:
        return subject.full(work)
    limits = Limits(short.states, short.seconds or given.seconds, given.memory)
    meter = Meter(limits, subject.meter.stop, subject.meter.watcher, subject.meter.started)
    with meter.running():
        outcome = replace(subject, meter=meter).full(work)
    reached: set[str] = set()
    if short.states is not None:
        reached.add(states_reached(short.states))
    if short.seconds is not None:
        reached.add(seconds_reached(short.seconds))
    return None if reached & outcome.graph.reasons.keys() else outcome
