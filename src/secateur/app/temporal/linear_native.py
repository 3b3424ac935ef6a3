"""One formula of LTL at work in the native engine; importing this loads the compiler."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from secateur._native import Product
from secateur.app.checking.merged import Merge
from secateur.app.temporal.linear import Judgement, Linear, NotNative
from secateur.app.temporal.watched import Pruner
from secateur.engine.liveness.lasso import Lasso
from secateur.engine.liveness.product import Fairness
from secateur.engine.native.liveness import Question, Route, Saving, Searched, Telling, Turn, search
from secateur.engine.symmetry.unrolled import unrolled
from secateur.lang.compile.temporal import (
    MOST_EVENTS,
    Asked,
    Comparison,
    Condition,
    Order,
    TemporalMachine,
    WatchedState,
    WatchedStep,
)
from secateur.ltl.atoms import Atom, Event, Kind
from secateur.system.system import State, Transition

_MOST: Final = 64
"""So many atoms, and so many things that must come again and again, fit into a word."""


class NativeLinear:
    """A formula as the native engine sees it; raises NotNative if it cannot."""

    def __init__(
        self, linear: Linear, pruner: Pruner | None = None, merge: Merge | None = None
    ) -> None:
        self.linear = linear
        self.pruner = pruner
        self.merge = merge
        self.binding = linear.binding
        self._steps: list[WatchedStep] = []
        self._numbers: dict[object, int] = {}
        self._states: dict[Atom, WatchedState] = {}
        self._doubt = False
        for atom in () if pruner is None else pruner.predicates:
            self._state(atom)  # in this order, they are the properties of its system
        self._atoms = [self._atom(atom) for atom in linear.tableau.atoms]
        fair = [linear.fair_events(case) for case in linear.cases]
        self._fair = [(self._all(weak), self._all(strong)) for weak, strong in fair]
        self._limit(fair)
        asked = Asked(self._steps, list(self._states.values()), self._doubted)
        system = self.binding.system if pruner is None else pruner.system
        self.machine = TemporalMachine(system, system.solutions, asked)
        if self.machine.actions and all(p.reason is not None for p in self.machine.actions):
            raise NotNative("no operation can be compiled")

    def _limit(self, fair: list[tuple[list[Event], list[Event]]]) -> None:
        tableau = self.linear.tableau
        due = len(tableau.untils) + max(len(weak) for weak, _ in fair)
        strong = max(len(strong) for _, strong in fair)
        if max(len(tableau.atoms), due, strong) > _MOST or len(self._steps) > MOST_EVENTS:
            raise NotNative("the formula is too large")

    def find(self, number: int) -> Searched:
        """Look for a path that violates the formula and is fair in the case of this number."""
        weak, strong = self._fair[number]
        graph = self.linear.graph
        tableau = self.linear.tableau
        question = Question(tableau, self._atoms, weak, strong, graph.doubt, graph.passes_over)
        prune = None if self.pruner is None else partial(self.pruner.native, self.machine)
        if self.merge is None:
            return search(self.machine, graph.initial(), question, graph.meter, Saving(prune))
        initial = [s for s in graph.initial() if self.merge.stands_for_itself(s)]
        saving = Saving(prune, self.merge.native_merging)
        return search(self.machine, initial, question, graph.meter, saving)

    # -- atoms ----------------------------------------------------------------------------------

    def _atom(self, atom: Atom) -> Telling:
        match atom.kind:
            case Kind.PREDICATE | Kind.GOAL:
                number = self._state(atom)
                return lambda product: product.add_property(number)
            case Kind.EVENT:
                event = self._event(atom.events[0], atom)
                return lambda product: product.add_event(event)
            case Kind.SINK:
                return Product.add_sink
            case Kind.DEADLOCK if not atom.events:
                return Product.add_deadlock
            case Kind.UNCHANGED | Kind.BEFORE_AFTER if self.linear.stutters:
                raise NotNative(f"{atom} may hold where a run has ended")
            case kind if kind in _ORDERS:
                event = self._compared(atom)
                return lambda product: product.add_event(event)
            case kind if kind in _COUNTS:
                least, most = _COUNTS[kind]
                events = sum(1 << number for number in self._all(atom.events, atom))
                return lambda product: product.add_count(events, least, most)
        raise NotNative(f"{atom} is left to the evaluator")

    def _state(self, atom: Atom) -> int:
        if atom not in self._states:
            self._states[atom] = self._watched(atom)
        return list(self._states).index(atom)

    def _watched(self, atom: Atom) -> WatchedState:
        if self.pruner is not None and atom not in self.pruner.predicates:
            raise NotNative(f"a value in {atom} cannot be written")
        formula = self.binding.predicate_of(atom)
        assert formula is not None
        holds = self.linear.bound[atom]
        watched = self._watching(lambda state, _: holds(state, None))
        values = tuple((name, value) for name, value, _ in atom.bound)
        return WatchedState(str(atom), formula, values, lambda state: watched(state, None))

    def _compared(self, atom: Atom) -> int:
        formula = self.binding.compared_by(atom)
        values = tuple((name, value) for name, value, _ in atom.bound)
        holds = self.linear.bound[atom]
        comparison = Comparison(formula, _ORDERS[atom.kind], values)
        happens = self._watching(holds)
        return self._number(atom, lambda: WatchedStep(None, (), comparison, happens))

    def _all(self, events: list[Event] | tuple[Event, ...], atom: Atom | None = None) -> list[int]:
        """Return the numbers of some events; what is named twice counts twice."""
        again = [events[:i].count(event) for i, event in enumerate(events)]
        return [self._event(e, atom, copy) for e, copy in zip(events, again, strict=True)]

    def _event(self, event: Event, atom: Atom | None, copy: int = 0) -> int:
        atom = atom or Atom(Kind.EVENT, events=(event,))
        occurs = self.binding.occurrence(event, atom)
        conditions = tuple(
            Condition(
                parameter.name,
                self.binding.argument_is(text, parameter, atom).formula,
                tuple((name, value) for name, value, _ in atom.bound),
            )
            for text, parameter in self.binding.patterns(event)
        )
        happens = self._watching(
            lambda state, taken: taken is not None and occurs(state, taken.step)
        )
        bound = atom.bound if conditions else ()
        return self._number(
            (event, bound, copy), lambda: WatchedStep(event.name, conditions, None, happens)
        )

    def _number(self, key: object, make: Callable[[], WatchedStep]) -> int:
        found = self._numbers.setdefault(key, len(self._steps))
        if found == len(self._steps):
            self._steps.append(make())
        return found

    # -- doubt ----------------------------------------------------------------------------------

    def _watching(
        self, holds: Callable[[State, Transition | None], bool]
    ) -> Callable[[State, Transition | None], bool]:
        """Return the same, which notes where there is no value."""
        doubtful = self.linear.graph.doubtful

        def watched(state: State, taken: Transition | None) -> bool:
            before = state in doubtful
            doubtful.discard(state)
            found = holds(state, taken)
            self._doubt = self._doubt or state in doubtful
            if before:
                doubtful.add(state)
            return found

        return watched

    def _doubted(self) -> bool:
        found, self._doubt = self._doubt, False
        return found

    # -- paths ----------------------------------------------------------------------------------

    def lasso(self, route: Route, fairness: Fairness, canonical: Callable[[State], State]) -> Lasso:
        """Return a path with its transitions, which the evaluator finds once more."""

        def alike(here: State, turn: Turn) -> Transition:
            return self._transition(here, turn, fairness, canonical)

        return unrolled(route.start, route.turns, route.loop, alike, open_=route.open)

    def _transition(
        self, state: State, turn: Turn, fairness: Fairness, canonical: Callable[[State], State]
    ) -> Transition:
        offered = self.linear.graph.outgoing(state)
        idle = [not any(occurs(t.step) for t in offered) for occurs in fairness.weak]
        for each in offered:
            fair = [no or occurs(each.step) for no, occurs in zip(idle, fairness.weak, strict=True)]
            taken = [occurs(each.step) for occurs in fairness.strong]
            if (
                (_bits(fair), _bits(taken)) == (turn.fair, turn.taken)
                and canonical(each.target) == turn.target
                and self.linear.letter(state, each) == turn.letter
            ):
                return each
        raise AssertionError("the native engine found a transition that the evaluator does not")


def judge_natively(
    linear: Linear, pruner: Pruner | None = None, merge: Merge | None = None
) -> Judgement:
    """Say whether all fair paths satisfy a formula; raise NotNative if it cannot be compiled.

    With a pruner only the paths are looked at that it leaves; raise NotReducible if that is not
    enough.  With a merge, symmetric states are taken for the same.
    """
    native, graph = NativeLinear(linear, pruner, merge), linear.graph
    judgement = Judgement(states=0, transitions=0)
    for number, case in enumerate(linear.cases):
        found = native.find(number)
        _count(judgement, found)
        if pruner is not None:
            judgement.reduced = pruner.told(unfinished=found.route is None)
        if found.reason is not None:
            graph.reasons[found.reason] = None
            return judgement
        if found.route is not None:
            with graph.meter.telling():
                fairness = linear.fairness(case)
                lasso = native.lasso(found.route, fairness, found.canonical)
                linear.tell(lasso, fairness, judgement)
            return judgement
    judgement.holds = True
    return judgement


def _count(judgement: Judgement, found: Searched) -> None:
    judgement.nodes += found.nodes
    judgement.states = max(judgement.states or 0, found.states)
    judgement.transitions = max(judgement.transitions or 0, found.transitions)
    judgement.engine = found.engine


def _bits(truths: list[bool]) -> int:
    return sum(1 << i for i, truth in enumerate(truths) if truth)


_COUNTS: Final = {
    Kind.ENABLED: (1, _MOST),
    Kind.AVAILABLE: (1, _MOST),
    Kind.DEADLOCK: (0, 0),
    Kind.DETERMINISTIC: (0, 1),
    Kind.CONTROLLER: (1, 1),
}
_ORDERS: Final = {
    Kind.UNCHANGED: Order.SAME,
    Kind.CHANGED: Order.OTHER,
    Kind.INCREASING: Order.LESS,
    Kind.DECREASING: Order.GREATER,
    Kind.BEFORE_AFTER: Order.RELATED,
}
