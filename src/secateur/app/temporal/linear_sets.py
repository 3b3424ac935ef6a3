"""One formula of LTL at work on sets of states; importing this loads the compiler."""

from __future__ import annotations

from typing import NamedTuple

from secateur.analysis.assumptions import REACHABLE
from secateur.analysis.effort import USUAL
from secateur.analysis.solving import relations_of
from secateur.app.temporal.linear import Judgement, Linear, NotSymbolic
from secateur.app.temporal.set_views import PREDICATES, SymbolicSubject, View
from secateur.engine.liveness.visible import NotReducible, Watched, visible_actions, watched_by
from secateur.engine.reduce.lookup import Lookup
from secateur.engine.symbolic.diagrams.protocol import Diagram
from secateur.engine.symbolic.fair import CyclesRow
from secateur.engine.symbolic.lasso import lasso_of, search
from secateur.engine.symbolic.processes import safe_processes
from secateur.engine.symbolic.product import SymbolicProduct, product_of
from secateur.engine.symbolic.reduce.none import NONE
from secateur.engine.symbolic.reduce.protocol import ReachRow
from secateur.engine.symbolic.reduce.registry import REACHES
from secateur.engine.symbolic.tableau import Elementary, FairActions
from secateur.engine.symbolic.wish import Symbolically
from secateur.ltl.atoms import Fair, Kind
from secateur.ltl.formula import atoms, negated
from secateur.source.records import dataclass
from secateur.system.engine import Engine
from secateur.system.reduced import Reduced


class Mode(NamedTuple):
    """How a product is searched; without a reachability, the choice is ours."""

    how: Symbolically
    reach: ReachRow | None
    cycles: CyclesRow


def judge_symbolically(linear: Linear, mode: Mode) -> Judgement:
    """Say whether all fair paths satisfy a formula; raise NotSymbolic if that cannot be asked."""
    subject = SymbolicSubject(linear.binding, atoms(linear.formula), mode.how)
    judgement = Judgement(holds=True)
    for case in linear.cases:
        Case(linear, mode, subject, case).judge(judgement)
        if judgement.holds is not True:
            break
    return judgement


@dataclass(slots=True)
class Case:
    """A formula, and what is assumed of the paths that it is about."""

    linear: Linear
    mode: Mode
    subject: SymbolicSubject
    case: frozenset[Fair]

    def judge(self, judgement: Judgement) -> None:
        """Look for a path that violates the formula, and take down what is found."""
        self.subject.looked_at(
            lambda view: self.elementary(view).count, lambda view: self._look(view, judgement)
        )

    def _fair(self, view: View) -> FairActions:
        weak, strong = self.linear.fair_events(self.case)
        return FairActions([view.instances(e) for e in weak], [view.instances(e) for e in strong])

    def elementary(self, view: View) -> Elementary:
        """Return what has variables of its own: of paths that violate the formula."""
        formula = self.linear.formula
        steps = {
            atom: view.instances(atom.events[0], atom)
            for atom in atoms(formula)
            if atom.kind is Kind.EVENT
        }
        stutters = self.linear.stutters
        found = Elementary(negated(formula), steps, self._fair(view), stutters=stutters)
        if stutters and found.remembered:
            raise NotSymbolic("it is about the past, and runs that have ended stay where they are")
        return found

    def _look(self, view: View, judgement: Judgement) -> None:
        elementary = self.elementary(view)
        view.prepare_fairness(elementary.fairness)
        meanings = view.atoms(atoms(self.linear.formula))
        product = product_of(view.model, elementary, meanings, self.subject.tick)
        reach, processes, why = self.reduction(view, elementary)
        found = search(product, processes, reach, self.mode.cycles)
        nodes = found.reached.nodes
        if found.empty or self._about_enabledness(elementary):
            self.subject.refuse_trouble(view.model, product.states(nodes))
        self.subject.refuse_too_many(view.model.variables.count(product.states(nodes)))
        self._tell(view, product, nodes, judgement)
        remark = f"{reach.name}, {self.mode.cycles.name}{why}"
        judgement.engine = Engine("symbolic", remark=remark)
        if reach.reduces:
            together = sum(map(len, processes))
            reason = f"{reach.title}; {len(processes)} processes of {together} actions"
            judgement.reduced = Reduced(reach.name, None, reach.reference, reason)
        if not found.empty:
            lasso = lasso_of(product, found)
            with self.subject.graph.meter.telling():
                fairness = self.linear.fairness(self.case)
                self.linear.tell(view.path(lasso), fairness, judgement)

    def _about_enabledness(self, elementary: Elementary) -> bool:
        """Whether it matters which actions can happen: relations do not tell that in all states."""
        fair = elementary.fairness
        plain = {*PREDICATES, Kind.EVENT}
        return bool(fair.weak or fair.strong) or any(
            atom.kind not in plain for atom in atoms(self.linear.formula)
        )

    @staticmethod
    def _tell(view: View, product: SymbolicProduct, nodes: Diagram, judgement: Judgement) -> None:
        states = product.states(nodes)
        judgement.nodes += product.count(nodes)
        judgement.states = view.model.variables.count(states)
        judgement.transitions = sum(r.count(states) for r in view.model.relations)

    def reduction(
        self, view: View, elementary: Elementary
    ) -> tuple[ReachRow, tuple[tuple[int, ...], ...], str]:
        """Return a reachability with its processes; and why it is not the one that was asked for."""
        wanted = self.mode.reach
        if wanted is not None and not wanted.reduces:
            return wanted, (), ""
        try:
            processes = safe_processes(*self._visible(view, elementary))
        except NotReducible as why:
            return NONE, (), f"; not reduced: {why}"
        if not processes:
            return NONE, (), "; not reduced: no action is silent and on its own"
        return wanted or REACHES[0], processes, ""

    def _visible(self, view: View, elementary: Elementary) -> tuple[Lookup, frozenset[int]]:
        """Return what is known of pairs of actions, and which of them the formula can see."""
        watched = watched_by(self.linear.formula, view.watch.atom)
        fair = elementary.fairness
        seen = frozenset[int]().union(*elementary.steps.values(), *fair.weak, *fair.strong)
        for actions in (*fair.weak, *fair.strong):
            watched |= Watched(guards=actions)
        lookup = Lookup(view.unfolded, relations_of(view.unfolded, USUAL, REACHABLE))
        return lookup, visible_actions(lookup, watched) | seen
