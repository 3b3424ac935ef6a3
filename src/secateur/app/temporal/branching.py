"""One formula of CTL at work on one graph."""

from __future__ import annotations

from secateur.app.temporal.atoms import Binding
from secateur.app.temporal.linear import Judgement
from secateur.engine.liveness.branching import Branching
from secateur.engine.liveness.lasso import Lasso
from secateur.ltl.ctl import Ctl, atoms_of
from secateur.system.temporal import Evidence
from secateur.system.trace import Trace


def judge_branching(formula: Ctl, binding: Binding) -> Judgement:
    """Say whether a formula holds in all initial states, and show a path if there is one."""
    graph = binding.graph
    bound = {atom: binding.bind(atom) for atom in atoms_of(formula)}
    branching = Branching(graph, lambda atom, state: bound[atom](state, None), binding.occurrence)
    good = branching.where(formula)
    wrong = [s for s in graph.initial() if s not in good]
    start = (wrong or graph.initial())[0]
    lasso = branching.evidence(formula, start, holds=not wrong)
    if lasso is None and wrong:
        lasso = Lasso(start, ())
    if lasso is None:
        return Judgement(True)
    trace = Trace(graph.system, (*graph.before[lasso.start], *lasso.transitions))
    trace.replay()
    return Judgement(not wrong, Evidence(trace, lasso.loop))
