"""A model and the atoms of a formula as sets of states.

Importing this loads the compiler and a package of decision diagrams.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Final, TypeVar

from secateur.app.checking.symbolic import SymbolicMachine
from secateur.app.temporal.atoms import Binding
from secateur.app.temporal.linear import NotSymbolic
from secateur.app.temporal.watched import Watch, predicates_in, refuse_varying
from secateur.engine.limits import states_reached
from secateur.engine.liveness.graph import Graph, OutOfBounds
from secateur.engine.liveness.lasso import Lasso
from secateur.engine.liveness.visible import NotReducible
from secateur.engine.symbolic.build import Builder
from secateur.engine.symbolic.diagrams.protocol import Diagram
from secateur.engine.symbolic.explore import ROOMS
from secateur.engine.symbolic.lasso import SymbolicLasso
from secateur.engine.symbolic.learned import LearnedRelation
from secateur.engine.symbolic.model import SymbolicModel
from secateur.engine.symbolic.product import without_formula
from secateur.engine.symbolic.reduce.none import reachable
from secateur.engine.symbolic.tableau import FairActions
from secateur.engine.symbolic.variables import union
from secateur.engine.symbolic.wish import Symbolically
from secateur.lang.model import Property
from secateur.ltl.atoms import Atom, Event, Kind
from secateur.system.packing import Misfit
from secateur.system.system import State, Transition

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
        self._initial = initial

    @cached_property
    def model(self) -> SymbolicModel:
        """The steps of all actions, for which there may be no room."""
        return self.builder.model(self._initial)

    @cached_property
    def _wholly_known(self) -> bool:
        return not any(isinstance(r, LearnedRelation) for r in self.model.relations)

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
        if not self._wholly_known and any(a.kind not in PREDICATES for a in wanted):
            assert self.reached is not None  # so that all actions were asked
        return {atom: self._atom(atom) for atom in wanted}

    def _atom(self, atom: Atom) -> Diagram:
        if atom.kind in PREDICATES:
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


PREDICATES: Final = frozenset({Kind.PREDICATE, Kind.GOAL})
"""The kinds of atoms that are about states alone."""
