"""One formula of CTL at work on sets of states; importing this loads the compiler."""

from __future__ import annotations

from collections.abc import Mapping

from secateur.app.temporal.atoms import Binding
from secateur.app.temporal.linear import Judgement
from secateur.app.temporal.set_views import SymbolicSubject, View
from secateur.engine.liveness.graph import Graph
from secateur.engine.liveness.lasso import Lasso
from secateur.engine.symbolic.branching import SymbolicBranching
from secateur.engine.symbolic.lasso import SymbolicLasso
from secateur.engine.symbolic.product import without_formula
from secateur.engine.symbolic.wish import Symbolically
from secateur.ltl.atoms import Event
from secateur.ltl.ctl import Ctl, atoms_of, events_of
from secateur.system.engine import Engine
from secateur.system.temporal import Evidence
from secateur.system.trace import Trace


def judge_branching_symbolically(formula: Ctl, binding: Binding, how: Symbolically) -> Judgement:
    """Say whether a formula holds in all initial states; raise NotSymbolic if that cannot be asked."""
    all_atoms = list(atoms_of(formula))
    subject = SymbolicSubject(binding, all_atoms, how)

    def look(view: View) -> Judgement:
        product = without_formula(view.model, subject.tick)
        states = view.reached
        subject.refuse_trouble(view.model, states)
        subject.refuse_too_many(view.model.variables.count(states))
        events: Mapping[Event, frozenset[int]] = {e: view.instances(e) for e in events_of(formula)}
        branching = SymbolicBranching(product, states, view.atoms(all_atoms), events)
        wrong = branching.fails(formula)
        bad = wrong != view.model.diagrams.false
        start = view.model.variables.pick(wrong if bad else view.model.initial)
        judgement = Judgement(not bad, engine=Engine("symbolic"))
        judgement.nodes = judgement.states = view.model.variables.count(states)
        judgement.transitions = sum(r.count(states) for r in view.model.relations)
        lasso = branching.evidence(formula, start, holds=not bad)
        if lasso is None and bad:
            lasso = SymbolicLasso(start, ())
        if lasso is not None:
            with subject.graph.meter.telling():
                judgement.evidence = _evidence(subject.graph, view.path(lasso))
        return judgement

    return subject.looked_at(lambda _: 0, look)


def _evidence(graph: Graph, lasso: Lasso) -> Evidence:
    trace = Trace(graph.system, (*graph.before[lasso.start], *lasso.transitions))
    trace.replay()
    return Evidence(trace, lasso.loop)
