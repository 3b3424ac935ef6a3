"""Checking temporal formulas."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import field, replace
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Final

from secateur.app.readable import AS_FOUND, Clarity
from secateur.app.temporal.atoms import Binding
from secateur.app.temporal.branching import judge_branching
from secateur.app.temporal.claims import USUAL, Claim, Manner
from secateur.app.temporal.linear import Judgement, Linear, NotNative, NotSymbolic
from secateur.app.temporal.merged_linear import merged_linear, symmetry_of_formula
from secateur.engine.limits import Interrupted, Limits, Meter, seconds_reached, states_reached
from secateur.engine.liveness.approach.registry import APPROACHES, DEFAULT_APPROACH
from secateur.engine.liveness.graph import Graph, OutOfBounds
from secateur.engine.liveness.lawful import Lawful, lawful
from secateur.engine.liveness.visible import NotReducible
from secateur.engine.native.available import why_not_native
from secateur.engine.pruning import AUTO, NO_REDUCTION
from secateur.engine.symbolic.reduce.wish import (
    cycles_of,
    reach_of,
)
from secateur.engine.symbolic.wish import SYMBOLIC, symbolically
from secateur.engine.symmetry.canonical import CANONICAL
from secateur.engine.symmetry.protocol import StrategyRow
from secateur.engine.symmetry.registry import STRATEGIES
from secateur.lang.lower import MachineSystem
from secateur.lang.model import Model
from secateur.lang.symmetry.findings import Found
from secateur.ltl.ctl import Ctl, parse_ctl, show_ctl
from secateur.ltl.parse import parse_ltl
from secateur.ltl.specification import Specification
from secateur.source.records import dataclass
from secateur.system.engine import Engine
from secateur.system.packing import Misfit
from secateur.system.symmetry import Asymmetric
from secateur.system.temporal import TemporalResult

if TYPE_CHECKING:
    from secateur.app.temporal.watched import Pruner

SHORT: Final = Limits(states=1000, seconds=0.5)
"""A graph that is explored within these is not worth compiling anything, nor an analysis."""
MANY: Final = Limits(states=1_000_000)
"""What the native engine explores before it is worth an analysis of what may be left out."""
ALIKE: Final = 3
"""So many reasons of a kind are told."""
PATIENCE: Final = 300
"""Unless a reduction was asked for, it is given up after so many states that it did not reduce."""


_Work = Callable[[Binding], Judgement]


@dataclass(slots=True)
class _Outcome:
    """What was found out, on which graph, and what is to be said of it."""

    graph: Graph
    judgement: Judgement = field(default_factory=Judgement)
    remark: str | None = None


@dataclass(frozen=True, slots=True)
class _Subject:
    """A model, and what it may take to look at it."""

    model: Model
    system: MachineSystem
    meter: Meter
    lenient: bool = False
    """Whether what is ill-defined does not happen."""
    clarity: Clarity = AS_FOUND
    """What is to be done to counterexamples."""

    def binding(self, graph: Graph) -> Binding:
        """Return what atoms mean on a graph of the model."""
        return Binding(self.model, self.system, graph, self.clarity)

    def graph(self) -> Graph:
        """Return the graph of everything."""
        return Graph(self.system, self.meter, lenient=self.lenient)

    def judge(self, graph: Graph, work: _Work) -> _Outcome:
        """Return what comes of looking at a graph, within the limits."""

        def judge() -> Judgement:
            if graph.initial():
                return work(self.binding(graph))
            graph.reasons["there is no initial state"] = None
            return Judgement()

        return _within_limits(graph, judge)

    def interrupted(self) -> _Outcome:
        """Return that it has come to no graph."""
        graph = self.graph()
        graph.reasons[self.meter.why_interrupted()] = None
        return _Outcome(graph)

    def full(self, work: _Work) -> _Outcome:
        """Return what comes of looking at everything."""
        return self.judge(self.graph(), work)


def _within_limits(graph: Graph, judge: Callable[[], Judgement]) -> _Outcome:
    """Return what comes of looking at a graph; where a limit is reached, that is a reason."""
    outcome = _Outcome(graph)
    try:
        outcome.judgement = judge()
    except OutOfBounds:
        pass
    except Interrupted:
        graph.reasons[graph.meter.why_interrupted()] = None
    return outcome


def check_claim(
    claim: Claim, model: Model, system: MachineSystem, meter: Meter, manner: Manner = USUAL
) -> TemporalResult:
    """Say whether a formula holds; raise InputError if it is none."""
    subject = _Subject(model, system, meter, clarity=manner.clarity)
    with meter.running():
        if claim.logic == "ctl":
            ctl = parse_ctl(claim.text, claim.name)
            understood = show_ctl(ctl)
            outcome = _branching(ctl, subject, manner)
        else:
            ltl = parse_ltl(claim.text, claim.name)
            understood = str(ltl)
            outcome = _linear(ltl, subject, manner)
            if outcome.judgement.holds is not False and outcome.graph.faults:
                outcome = _in_spite_of_faults(ltl, subject, manner) or outcome
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
        reasons=_few(graph.reasons),
        reduced=judgement.reduced,
        merged=judgement.merged,
        remark=outcome.remark,
        engine=judgement.engine,
    )


def _in_spite_of_faults(
    specification: Specification, subject: _Subject, manner: Manner
) -> _Outcome | None:
    """Return a path that violates a formula though something is ill-defined beside it, if any.

    That a formula holds cannot be said then; but such a path is there, if an event counts as not
    enabled where its guard has no value, as ProB has it.
    """
    whole = replace(manner, por=NO_REDUCTION, proviso=AUTO)
    outcome = _linear(specification, replace(subject, lenient=True), whole)
    if outcome.judgement.holds is not False:
        return None
    return replace(outcome, remark="an event counts as not enabled where it is ill-defined")


def _branching(formula: Ctl, subject: _Subject, manner: Manner) -> _Outcome:
    """Look at a formula of CTL, on sets if these were asked for."""
    if manner.engine != SYMBOLIC:
        return subject.full(lambda binding: judge_branching(formula, binding))
    sets = import_module("secateur.app.temporal.branching_sets")
    how = symbolically(manner)
    try:
        return subject.full(lambda b: sets.judge_branching_symbolically(formula, b, how))
    except NotSymbolic as why:
        return replace(_branching(formula, subject, USUAL), remark=f"not symbolic: {why}")


def _as_sets(specification: Specification, subject: _Subject, manner: Manner) -> _Outcome:
    """Look at a formula of LTL on sets of states; one by one if that cannot be."""
    sets = import_module("secateur.app.temporal.linear_sets")
    mode = sets.Mode(symbolically(manner), reach_of(manner), cycles_of(manner))
    try:
        return subject.full(
            lambda binding: sets.judge_symbolically(Linear(binding, specification), mode)
        )
    except NotSymbolic as why:
        return replace(_linear(specification, subject, USUAL), remark=f"not symbolic: {why}")


def _few(reasons: Iterable[str]) -> tuple[str, ...]:
    """Return reasons, of each kind the first ones: hundreds of faults differ in their values only."""
    kinds: dict[str, list[str]] = {}
    for reason in reasons:
        kinds.setdefault(reason.partition(":")[0], []).append(reason)
    told: list[str] = []
    for kind, alike in kinds.items():
        told += alike[:ALIKE]
        if len(alike) > ALIKE:
            told.append(f"{kind}: and {len(alike) - ALIKE} more like this")
    return tuple(told)


def _linear(specification: Specification, subject: _Subject, manner: Manner) -> _Outcome:
    """Look at a formula of LTL: shortly, then natively or not, reduced if that is lawful."""
    if manner.engine == SYMBOLIC:
        return _as_sets(specification, subject, manner)
    approach = next(row for row in APPROACHES if row.name == manner.approach)

    def work(binding: Binding) -> Judgement:
        return Linear(binding, specification).judge(approach)

    strategy = next((row for row in STRATEGIES if row.name == manner.symmetry), None)
    remark = None
    if strategy is not None:
        try:
            return _merged(specification, subject, manner, strategy)
        except Asymmetric as why:
            remark = f"no symmetry: {why}"
        except Interrupted:  # before there was a graph to look at
            return subject.interrupted()
    outcome = _unmerged(specification, subject, manner, work)
    return replace(outcome, remark=remark) if remark and not outcome.remark else outcome


def _merged(
    specification: Specification, subject: _Subject, manner: Manner, strategy: StrategyRow
) -> _Outcome:
    """Look at one of the states that are symmetric; raise Asymmetric if there is no such thing."""
    graph = subject.graph()
    if not graph.initial():
        raise Asymmetric("there is no initial state")
    linear = Linear(subject.binding(graph), specification)
    found = symmetry_of_formula(linear)
    if strategy.name == CANONICAL.name and _why_not_native(manner) is None:
        try:
            return _merged_natively(linear, found)
        except NotNative:
            pass
    merged = merged_linear(linear, specification, strategy, found)
    outcome = _within_limits(merged.merged.graph, merged.judge)
    outcome.judgement.merged = merged.told()
    return outcome


def _merged_natively(linear: Linear, found: Found) -> _Outcome:
    """Look at canonical forms with the native engine; raise NotNative if it cannot."""
    judge = import_module("secateur.app.temporal.linear_native").judge_natively
    make = import_module("secateur.app.checking.merged").Merge
    merge = make(linear.binding.system, CANONICAL, found.free)
    outcome = _within_limits(linear.graph, partial(judge, linear, merge=merge))
    outcome.judgement.merged = merge.told()
    return outcome


def _unmerged(
    specification: Specification, subject: _Subject, manner: Manner, work: _Work
) -> _Outcome:
    if manner.por in (AUTO, NO_REDUCTION) and manner.native is not True:
        quick = _tried(subject, work, SHORT)
        if quick is not None:
            return quick
    rows = lawful(manner.por, manner.proviso)
    cut = None if rows is None else _Cut(rows, PATIENCE if manner.por == AUTO else None)
    why_not = _why_not_native(manner)
    if why_not is None:
        try:
            return _natively(specification, subject, cut)
        except NotNative as why:
            why_not = str(why)
    outcome = _evaluated(specification, subject, work, cut)
    if why_not is not _NOT_ASKED_FOR and outcome.graph.states > (SHORT.states or 0):
        outcome.judgement.engine = Engine(remark=f"not native: {why_not}")
    return outcome


_NOT_ASKED_FOR: Final = "not asked for"


@dataclass(frozen=True, slots=True)
class _Cut:
    """A reduction, and after how many states in vain it is given up: never if it was asked for."""

    rows: Lawful
    patience: int | None

    @property
    def asked_for(self) -> bool:
        """Whether it is used at once."""
        return self.patience is None

    def pruner(self, linear: Linear) -> Pruner:
        """Return what leaves things out; raise NotReducible if the formula sees too much."""
        # Loading the compiler takes a while, and most models do not need it.
        make = import_module("secateur.app.temporal.watched").Pruner
        found: Pruner = make(linear, self.rows, self.patience)
        return found


def _why_not_native(manner: Manner) -> str | None:
    """Return why the native engine is not used."""
    other = manner.approach != DEFAULT_APPROACH or manner.native is False
    return _NOT_ASKED_FOR if other else why_not_native()


def _natively(specification: Specification, subject: _Subject, cut: _Cut | None) -> _Outcome:
    """Look with the native engine; raise NotNative if it cannot.

    Unless a reduction was asked for, it is tried only where there is very much to look at.
    """
    judge = import_module("secateur.app.temporal.linear_native").judge_natively

    def work(binding: Binding, cut: _Cut | None = None) -> Judgement:
        linear = Linear(binding, specification)
        found: Judgement = judge(linear, None if cut is None else cut.pruner(linear))
        return found

    if cut is None:
        return subject.full(work)
    if not cut.asked_for:
        first = _tried(subject, work, MANY)
        if first is not None:
            return first
    try:
        return subject.full(partial(work, cut=cut))
    except NotReducible as why:
        remark = f"not reduced: {why}" if cut.asked_for else None
        return replace(subject.full(work), remark=remark)


def _evaluated(
    specification: Specification, subject: _Subject, work: _Work, cut: _Cut | None
) -> _Outcome:
    """Look at a reduced graph if that is lawful, or at everything."""
    if cut is None:
        return subject.full(work)
    try:
        return _reduced(specification, subject, work, cut)
    except NotReducible as why:
        return replace(subject.full(work), remark=f"not reduced: {why}")
    except Interrupted:  # before there was a graph to look at
        return subject.interrupted()


def _reduced(specification: Specification, subject: _Subject, work: _Work, cut: _Cut) -> _Outcome:
    """Look at a reduced graph; raise NotReducible if the formula sees more than that."""
    whole = subject.graph()
    if not whole.initial():
        return subject.full(work)
    pruner = cut.pruner(Linear(subject.binding(whole), specification))
    while True:
        try:
            outcome = subject.judge(pruner.graph(), work)
            break
        except Misfit as misfit:
            pruner.widen(misfit)
    judgement = outcome.judgement
    judgement.reduced = pruner.told(unfinished=judgement.holds is not False)
    return outcome


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
