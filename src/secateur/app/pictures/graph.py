"""The graph of a model's states, gathered by the engine that is fit for it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from importlib import import_module
from itertools import pairwise
from typing import Final

from secateur.app.deep import run_deep
from secateur.app.model import Model
from secateur.app.room import as_asked, with_room
from secateur.engine.gathering import Gathering
from secateur.engine.limits import (
    INTERRUPTED_BY_USER,
    NO_LIMITS,
    Limits,
    Meter,
    Watcher,
    refuse_bad_limits,
    states_reached,
)
from secateur.engine.native.available import why_not_native
from secateur.lang.lower import MachineSystem
from secateur.system.engine import Engine
from secateur.system.graph import StateGraph
from secateur.system.trace import Trace

FEW_STATES: Final = 1000
"""A graph of no more states is not worth compiling, and its steps have their arguments."""


def gather(
    model: Model,
    limits: Limits = NO_LIMITS,
    *,
    arguments: bool | None = None,
    watcher: Watcher | None = None,
) -> StateGraph:
    """Return the states of a model and the transitions between them, within limits.

    With `arguments`, every step has its arguments and results, which only the evaluator knows;
    without, large graphs are found by the native engine, and so they are if it is False.
    """
    refuse_bad_limits(limits)

    def work(left: float | None) -> StateGraph:
        within = replace(limits, seconds=left)
        graph = run_deep(
            lambda stop: _gathered(model.system, Meter(within, stop, watcher), arguments=arguments)
        )
        return replace(graph, reasons=as_asked(graph.reasons, left, limits.seconds))

    return with_room(
        work,
        model.grown,
        limits=limits,
        again=lambda g: INTERRUPTED_BY_USER not in g.reasons,
        because=lambda g, reason: replace(g, reasons=(*g.reasons, reason)),
    )


def _gathered(system: MachineSystem, meter: Meter, *, arguments: bool | None) -> StateGraph:
    why_not = why_not_native()
    if arguments or (why_not is not None and arguments is None):
        return _evaluated(system, meter, why_not)
    if arguments is None:
        few = replace(meter.limits, states=min(FEW_STATES, meter.limits.states or FEW_STATES))
        graph = _evaluated(system, Meter(few, meter.stop, meter.watcher, meter.started), None)
        cut = few.states != meter.limits.states and states_reached(FEW_STATES) in graph.reasons
        if not cut:
            return graph
    if why_not is None:
        # Loading the compiler takes a while, and most graphs are small.
        native = import_module("secateur.app.pictures.graph_native")
        natively: Callable[[MachineSystem, Meter], StateGraph] = native.graph_natively
        try:
            return natively(system, meter)
        except native.NothingCompiled:
            why_not = "no operation can be compiled"
    return _evaluated(system, meter, why_not)


def _evaluated(system: MachineSystem, meter: Meter, why_not: str | None) -> StateGraph:
    gathering = Gathering(system, meter)
    gathering.run()
    graph = gathering.graph()
    if why_not is None or len(graph.states) <= FEW_STATES:
        return graph
    return replace(graph, engine=Engine(remark=f"not native: {why_not}"))


def states_on(graph: StateGraph, trace: Trace) -> list[int]:
    """Return the numbers of the states that a trace passes through, as far as the graph has them."""
    wanted = dict.fromkeys(trace.states)
    numbers = {state: i for i, state in enumerate(graph.states) if state in wanted}
    return [numbers[state] for state in trace.states if state in numbers]


def transitions_between(graph: StateGraph, states: Iterable[int]) -> list[int]:
    """Return for each two consecutive states the number of a transition, if there is one."""
    listed = list(states)
    wanted = dict.fromkeys(pairwise(listed), -1)
    for number, pair in enumerate(zip(graph.sources, graph.targets, strict=True)):
        if wanted.get(pair) == -1:
            wanted[pair] = number
    return [number for number in wanted.values() if number >= 0]


def counterexample(graph: StateGraph) -> list[int] | None:
    """Return the transitions of a shortest way to a state that violates something, or a deadlock.

    None if there is no such state; the way is empty if the first state is one.
    """
    return graph.way_to({*graph.violations, *graph.deadlocks()})
