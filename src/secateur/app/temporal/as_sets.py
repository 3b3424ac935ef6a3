"""Temporal formulas on sets of states.

Importing this loads the compiler and a package of decision diagrams.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple, TypeVar

from secateur.analysis.assumptions import REACHABLE
from secateur.analysis.effort import USUAL
from secateur.analysis.solving import relations_of
from secateur.app.checking.symbolic import SymbolicMachine
from secateur.app.temporal.atoms import Binding
from secateur.app.temporal.linear import Judgement, Linear
from secateur.app.temporal.watched import Watch, predicates_in, refuse_varying
from secateur.engine.limits import states_reached
from secateur.engine.liveness.graph import Graph, OutOfBounds
from secateur.engine.liveness.lasso import Lasso
from secateur.engine.liveness.visible import NotReducible, Watched, visible_actions, watched_by
from secateur.engine.reduce.lookup import Lookup
from secateur.engine.symbolic.branching import SymbolicBranching
from secateur.engine.symbolic.build import Builder
from secateur.engine.symbolic.diagrams.protocol import Diagram
from secateur.engine.symbolic.explore import ROOMS
from secateur.engine.symbolic.fair import CyclesRow
from secateur.engine.symbolic.lasso import SymbolicLasso, lasso_of, search
from secateur.engine.symbolic.learned import LearnedRelation
from secateur.engine.symbolic.model import SymbolicModel
from secateur.engine.symbolic.processes import safe_processes
from secateur.engine.symbolic.product import SymbolicProduct, product_of, without_formula
from secateur.engine.symbolic.reduce.none import NONE, reachable
from secateur.engine.symbolic.reduce.protocol import ReachRow
from secateur.engine.symbolic.reduce.registry import REACHES
from secateur.engine.symbolic.tableau import Elementary, FairActions
from secateur.engine.symbolic.variables import union
from secateur.engine.symbolic.wish import Symbolically
from secateur.lang.model import Property
from secateur.ltl.atoms import Atom, Event, Fair, Kind
from secateur.ltl.ctl import Ctl, atoms_of, events_of
from secateur.ltl.formula import atoms, negated
from secateur.system.engine import Engine
from secateur.system.packing import Misfit
from secateur.system.reduced import Reduced
from secateur.system.system import State, Transition
from secateur.system.temporal import Evidence
from secateur.system.trace import Trace


class NotSymbolic(Exception):
    """A formula that sets of states cannot be asked about; the message says why."""


class Mode(NamedTuple):
    """How a product is searched; without a reachability, the choice is ours."""

    how: Symbolically
    reach: ReachRow | None
    cycles: CyclesRow


_ASKED: Final = 100
"""So many states are asked whether it is only that a value does not fit."""

Found = TypeVar("Found")


class SymbolicSubject:
    """A model with the predicates of a formula as its properties, in one layout after the other."""

    def __init__(self, binding: Binding, all_atoms: Sequence[Atom], how: Symbolically) -> None:
        self.binding = binding
        self.graph: Graph = binding.graph
        self.how = how
        for atom in all_atoms:
            _refuse(binding, atom)
        self.predicates = predicates_in(binding, all_atoms)
        lost = [a for a in all_atoms if a.kind is Kind.PREDICATE and a not in self.predicates]
        if lost:
            raise NotSymbolic(f"a value in {lost[0]} cannot be written")
        asking = [Property(str(atom), predicate) for atom, predicate in self.predicates.items()]
        self.machine = SymbolicMachine(binding.system.asking(asking), frozenset())

    def looked_at(self, extra: Callable[[View], int], look: Callable[[View], Found]) -> Found:
        """Return what is found in a view of it, with room for so many extra variables."""
        rooms = list(ROOMS)
        while True:
            try:
                initial = [self.machine.pack(state) for state in self.graph.initial()]
                view = View(self, initial, extra, rooms[0])
                try:
                    return look(view)
                except view.builder.diagrams.out_of_nodes:
                    if len(rooms) == 1:
                        reason = f"there is no room for more than {rooms[0]} nodes of diagrams"
                        self.graph.reasons[reason] = None
                        raise OutOfBounds from None
                    rooms.pop(0)
            except Misfit as misfit:
                self.machine.widen(misfit)

    def tick(self) -> None:
        """Raise OutOfBounds if a limit is reached."""
        reason = self.graph.meter.reason_to_stop(0, 0, 0)
        if reason is not None:
            self.graph.reasons[reason] = None
            raise OutOfBounds

    def refuse_too_many(self, states: int) -> None:
        """Raise OutOfBounds if there are more states than allowed."""
        limit = self.graph.meter.limits.states
        if limit is not None and states > limit:
            self.graph.reasons[states_reached(limit)] = None
            raise OutOfBounds

    def refuse_trouble(self, model: SymbolicModel, states: Diagram) -> None:
        """Raise NotSymbolic if of some states it is not known what happens in them.

        If it is only that a value does not fit, there is a remedy: Misfit is raised.
        """
        trouble = model.troubled(states)
        if trouble == model.diagrams.false:
            return
        variables = model.variables
        for state, _ in zip(
            variables.states(trouble, variables.everything), range(_ASKED), strict=False
        ):
            for item in self.graph.system.successors(self.machine.unpack(state)):
                if isinstance(item, Transition):
                    self.machine.pack(item.target)
        raise NotSymbolic("in some states only the evaluator knows what happens")


def _refuse(binding: Binding, atom: Atom) -> None:
    if atom.kind not in _MEANINGFUL:
        raise NotSymbolic(f"{atom} is about more than states and which action is next")
    try:
        for event in atom.events:
            refuse_varying(binding, event, atom)
    except NotReducible as why:
        raise NotSymbolic(str(why)) from None


_MEANINGFUL: Final = frozenset(
    {
        Kind.PREDICATE,
        Kind.GOAL,
        Kind.EVENT,
        Kind.ENABLED,
        Kind.AVAILABLE,
        Kind.DEADLOCK,
        Kind.DETERMINISTIC,
        Kind.CONTROLLER,
    }
)


class View:
    """A subject in its present layout: diagrams of its states, and of what atoms say of them."""

    def __init__(
        self,
        subject: SymbolicSubject,
        initial: list[int],
        extra: Callable[[View], int],
        nodes: int,
    ) -> None:
        self.subject = subject
        self.unfolded = subject.machine.prepare()
        checked = list(subject.predicates)
        self.watch = Watch(subject.binding, subject.machine.machine, self.unfolded, checked)
        how = subject.how
        self.builder = Builder(self.unfolded, how.package, nodes, extra(self), reorder=how.reorder)
        self.model = self.builder.model(initial)
        self._wholly_known = not any(isinstance(r, LearnedRelation) for r in self.model.relations)

    def instances(self, event: Event, atom: Atom | None = None) -> frozenset[int]:
        """Return the actions that are an event."""
        try:
            return self.watch.instances(event, atom)
        except NotReducible as why:
            raise NotSymbolic(str(why)) from None

    @cached_property
    def reached(self) -> Diagram:
        """All states; all actions have been asked about them."""
        return reachable(without_formula(self.model, self.subject.tick)).nodes

    def atoms(self, all_atoms: Iterable[Atom]) -> dict[Atom, Diagram]:
        """Return where atoms about states hold."""
        wanted = [a for a in all_atoms if a.kind is not Kind.EVENT]
        if not self._wholly_known and any(a.kind not in _PREDICATES for a in wanted):
            assert self.reached is not None  # so that all actions were asked
        return {atom: self._atom(atom) for atom in wanted}

    def _atom(self, atom: Atom) -> Diagram:
        if atom.kind in _PREDICATES:
            return self._predicate(atom)
        diagrams = self.model.diagrams
        if not atom.events:
            return ~self.model.enabled()
        enabled = [
            union(diagrams, (self.model.relations[a].enabled for a in self.instances(e, atom)))
            for e in atom.events
        ]
        none, one = diagrams.true, diagrams.false
        for each in enabled:
            none, one = none & ~each, (one & ~each) | (none & each)
        match atom.kind:
            case Kind.DEADLOCK:
                return none
            case Kind.CONTROLLER:
                return one
            case Kind.DETERMINISTIC:
                return none | one
        return ~none

    def _predicate(self, atom: Atom) -> Diagram:
        number = list(self.subject.predicates).index(atom)
        condition = self.builder.check(number)
        if condition is None:
            condition = self.builder.asked(number, self.reached)
        none = self.model.diagrams.false
        if condition.undefined != none and condition.undefined & self.reached != none:
            raise NotSymbolic(f"{atom} is not well-defined everywhere")
        return condition.holds

    def prepare_fairness(self, fairness: FairActions) -> None:
        """Get to know where fair events are enabled."""
        if (fairness.weak or fairness.strong) and not self._wholly_known:
            assert self.reached is not None

    def path(self, lasso: SymbolicLasso) -> Lasso:
        """Return a path as transitions that the evaluator finds."""
        unpack, graph = self.subject.machine.unpack, self.subject.graph
        start = here = unpack(lasso.start)
        path: list[Transition] = []
        for action, packed in lasso.steps:
            path.append(self._taken(graph, here, action, unpack(packed)))
            here = path[-1].target
        return Lasso(start, tuple(path), lasso.loop)

    def _taken(self, graph: Graph, here: State, action: int, after: State) -> Transition:
        known = self.unfolded.actions[action]
        wanted = dict(known.arguments)
        for transition in graph.edges(here):
            step = transition.step
            given = dict(step.arguments)
            alike = all(given.get(name, value) == value for name, value in wanted.items())
            if transition.target == after and step.operation == known.operation and alike:
                return transition
        raise AssertionError("the symbolic engine found a step that the evaluator does not")


_PREDICATES: Final = frozenset({Kind.PREDICATE, Kind.GOAL})


# -- LTL ------------------------------------------------------------------------------------------


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
        plain = {*_PREDICATES, Kind.EVENT}
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


# -- CTL ------------------------------------------------------------------------------------------


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
