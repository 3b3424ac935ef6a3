"""Atoms of temporal formulas, bound to a model: what they are in its states and steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from secateur.app.readable import AS_FOUND, Clarity
from secateur.app.temporal.quantifiers import DIFFERENT
from secateur.app.temporal.understood import Given, Understanding
from secateur.engine.liveness.graph import Graph
from secateur.lang.lower import MachineSystem
from secateur.lang.model import Model
from secateur.lang.query import Question
from secateur.ltl.atoms import Atom, Event, Kind
from secateur.ltl.codes import BAD_ATOM, UNKNOWN_EVENT
from secateur.maths.ast import Binder, Expr
from secateur.maths.evaluate.compiler import Compiler
from secateur.maths.evaluate.environment import GAPS, Code, Env
from secateur.maths.values import IllDefined, Undecided, Value
from secateur.source import InputError, fail
from secateur.system.system import State, Step, Transition

Bound = Callable[[State, Transition | None], bool]
"""Whether an atom holds in a state from which a transition is taken, or none."""


ARGUMENT: Final = "argument__"
"""What an argument is called in a condition on it."""


class Binding(Understanding):
    """Binds atoms to the states of a graph."""

    def __init__(
        self, model: Model, system: MachineSystem, graph: Graph, clarity: Clarity = AS_FOUND
    ) -> None:
        super().__init__(model, system, graph)
        self.clarity = clarity
        """What is to be done to counterexamples of what is bound."""
        self._codes: dict[tuple[int, tuple[str, ...]], tuple[Expr, Compiler, Code]] = {}
        """The code of predicates and expressions, which are kept so that they stay the same."""

    def bind(self, atom: Atom) -> Bound:
        """Return what an atom means; raise InputError if it means nothing here."""
        match atom.kind:
            case Kind.PREDICATE | Kind.GOAL:
                predicate = self.predicate_of(atom)
                assert predicate is not None
                return self._state_predicate(self._evaluated(predicate, atom.bound))
            case Kind.EVENT:
                occurs = self._occurrence(atom.events[0], atom)
                return lambda state, taken: taken is not None and occurs(state, taken.step)
            case Kind.ENABLED | Kind.AVAILABLE:
                return self._counted(atom, lambda count: count > 0)
            case Kind.DEADLOCK:
                if not atom.events:
                    return lambda state, _: not self.graph.outgoing(state)
                return self._counted(atom, lambda count: count == 0)
            case Kind.SINK:
                return lambda state, _: all(t.target == state for t in self.graph.outgoing(state))
            case Kind.DETERMINISTIC:
                return self._counted(atom, lambda count: count <= 1)
            case Kind.CONTROLLER:
                return self._counted(atom, lambda count: count == 1)
            case Kind.DET_OUTPUT:
                return self._one_result
            case Kind.UNCHANGED | Kind.CHANGED | Kind.INCREASING | Kind.DECREASING:
                return self._comparison(atom)
            case Kind.BEFORE_AFTER:
                return self._before_after(atom)
        message = f"{atom.kind.value} is not supported"
        raise fail(BAD_ATOM, message, atom.span)

    def occurs(self, event: Event) -> Callable[[Step], bool]:
        """Return whether a step is an event; its arguments must be the same in all states."""
        occurs = self._occurrence(event, Atom(Kind.EVENT, events=(event,)))
        varying = set(self.variables)
        if len(self.one_for_each_solution()) > 1:
            varying |= {b.name for b in self.model.constants}
        for text in event.arguments:
            if text != "_" and varying & self.names_in(text):
                raise fail(BAD_ATOM, DIFFERENT.format(f"{text} in {event}"))
        state = self.graph.initial()[0]
        return lambda step: occurs(state, step)

    def occurrence(self, event: Event, atom: Atom | None = None) -> Callable[[State, Step], bool]:
        """Return whether a step out of a state is an event."""
        return self._occurrence(event, atom or Atom(Kind.EVENT, events=(event,)))

    def predicate_of(self, atom: Atom) -> Expr | None:
        """Return the predicate that an atom is; None if it is something else."""
        if atom.kind is Kind.GOAL:
            goal = self.model.definitions.get("GOAL")
            if goal is None:
                raise fail(BAD_ATOM, f"{self.model.name} has no definition GOAL", atom.span)
            return goal
        if atom.kind is not Kind.PREDICATE:
            return None
        question = self.understood(atom, atom.bound, ())
        if not question.is_predicate:
            raise fail(BAD_ATOM, "a predicate is needed here", atom.span)
        return question.formula

    def _one_result(self, state: State, taken: Transition | None) -> bool:
        """Whether the operation that is taken could have had no other results."""
        if taken is None:
            return False
        step = taken.step
        alike = (t.step for t in self.graph.outgoing(state))
        return all(
            s.results == step.results
            for s in alike
            if s.operation == step.operation and s.arguments == step.arguments
        )

    def _counted(self, atom: Atom, enough: Callable[[int], bool]) -> Bound:
        """Return whether the number of some events that are enabled is right."""
        occurrences = [self._occurrence(event, atom) for event in atom.events]

        def holds(state: State, _: Transition | None) -> bool:
            edges = self.graph.outgoing(state)
            return enough(sum(any(o(state, t.step) for t in edges) for o in occurrences))

        return holds

    def compared_by(self, atom: Atom) -> Expr:
        """Return what is in an atom that compares a state with the next one."""
        related = atom.kind is Kind.BEFORE_AFTER
        before = self._before() if related else ()
        question = self.understood(atom, (*((b.name, None, b) for b in before), *atom.bound), ())
        if question.is_predicate is not related:
            wanted = "a predicate" if related else "an expression"
            raise fail(BAD_ATOM, f"{wanted} is needed here", atom.span)
        return question.formula

    def _before(self) -> tuple[Binder, ...]:
        return tuple(Binder(f"{b.name}$0", b.type, b.span) for b in self.model.variables)

    def _comparison(self, atom: Atom) -> Bound:
        value = self._evaluated(self.compared_by(atom), atom.bound)
        compare: dict[Kind, Callable[[Value, Value], bool]] = {
            Kind.UNCHANGED: lambda old, new: bool(old == new),
            Kind.CHANGED: lambda old, new: bool(old != new),
            Kind.INCREASING: lambda old, new: bool(number(old) < number(new)),
            Kind.DECREASING: lambda old, new: bool(number(old) > number(new)),
        }

        def number(value: Value) -> Any:
            if type(value) not in (int, float):
                raise fail(BAD_ATOM, f"{atom} is about something that is no number", atom.span)
            return value

        chosen = compare[atom.kind]

        def holds(state: State, taken: Transition | None) -> bool:
            target = self._after(state, taken)
            return target is not None and chosen(value(state), value(target))

        return holds

    def _after(self, state: State, taken: Transition | None) -> State | None:
        """Return the next state; a run that has ended has none, unless it stays where it is."""
        if taken is not None:
            return taken.target
        return state if self.model.stutters else None

    def _before_after(self, atom: Atom) -> Bound:
        """Return whether a predicate holds after a step; `x$0` in it is what x was before."""
        before = self._before()
        scope = self.system.scope.bind((*before, *(binder for _, _, binder in atom.bound)))
        code = scope.code(self.compared_by(atom))

        def holds(state: State, taken: Transition | None) -> bool:
            target = self._after(state, taken)
            if target is None:
                return False
            env = self.system.environment(target)
            earlier = self.system.environment(state)
            for binder, old in zip(before, self.model.variables, strict=True):
                env[scope.place(binder.name)] = earlier[scope.place(old.name)]
            for name, value, _ in atom.bound:
                env[scope.place(name)] = value
            return bool(self._run(code, env, state))

        return holds

    def _state_predicate(self, value: Callable[[State], Value]) -> Bound:
        known: dict[State, bool] = {}

        def holds(state: State, _: Transition | None) -> bool:
            found = known.get(state)
            if found is None:
                found = known[state] = bool(value(state))
            return found

        return holds

    def _evaluated(self, formula: Expr, bound: Sequence[Given]) -> Callable[[State], Value]:
        key = id(formula), tuple(name for name, _, _ in bound)
        known = self._codes.get(key)
        if known is None:
            scope = self.system.scope
            if bound:
                scope = scope.bind(tuple(binder for _, _, binder in bound))
            known = self._codes[key] = formula, scope, scope.code(formula)
        _, scope, code = known

        def value(state: State) -> Value:
            env = self.system.environment(state)
            for name, each, _ in bound:
                env[scope.place(name)] = each
            return self._run(code, env, state)

        return value

    def _run(self, code: Callable[[Env], Value], env: Env, state: State) -> Value:
        """Return a value; where there is none, the state is one that nobody can judge."""
        gaps = len(env[GAPS])
        try:
            value = code(env)
            if len(env[GAPS]) == gaps:
                return value
            self.graph.reasons[f"the formula: {env[GAPS][-1]} has no bound"] = None
        except IllDefined as error:
            self.graph.reasons[f"the formula is ill-defined: {error.message}"] = None
        except Undecided as error:
            self.graph.reasons[f"the formula: {error.what}"] = None
        self.graph.doubtful.add(state)
        return False

    def _occurrence(self, event: Event, atom: Atom) -> Callable[[State, Step], bool]:
        if event.name not in self.system.operations:
            known = ", ".join(self.system.operations)
            message = f"{self.model.name} has no event {event.name}"
            raise fail(UNKNOWN_EVENT, message, atom.span, help=f"there are {known}")
        parameters = next(o for o in self.model.operations if o.name == event.name).parameters
        if len(event.arguments) > len(parameters):
            message = f"{event.name} has {len(parameters)} parameters, not {len(event.arguments)}"
            raise fail(BAD_ATOM, message, atom.span)
        wanted = [
            None if text == "_" else self._argument(text, parameter, atom)
            for text, parameter in zip(event.arguments, parameters, strict=False)
        ]

        def occurs(state: State, step: Step) -> bool:
            if step.operation != event.name:
                return False
            given = [value for _, value in step.arguments]
            return all(
                each is None or each(state, value)
                for each, value in zip(wanted, given, strict=False)
            )

        return occurs

    def _argument(self, text: str, parameter: Binder, atom: Atom) -> Callable[[State, Value], bool]:
        """Return whether a value is the one of an expression; types must be the same."""
        equal = self.argument_is(text, parameter, atom)
        binder = Binder(ARGUMENT, parameter.type, parameter.span)
        scope = self.system.scope.bind((binder, *(each for _, _, each in atom.bound)))
        code = scope.code(equal.formula)

        def same(state: State, value: Value) -> bool:
            env = self.system.environment(state)
            for name, each, _ in ((ARGUMENT, value, binder), *atom.bound):
                env[scope.place(name)] = each
            return bool(self._run(code, env, state))

        return same

    def patterns(self, event: Event) -> list[tuple[str, Binder]]:
        """Return what an event says of its arguments, each with the parameter that it is about."""
        parameters = next(o for o in self.model.operations if o.name == event.name).parameters
        pairs = zip(event.arguments, parameters, strict=False)
        return [(text, parameter) for text, parameter in pairs if text != "_"]

    def argument_is(self, text: str, parameter: Binder, atom: Atom) -> Question:
        """Return the predicate that `ARGUMENT` is the value of an expression."""
        bound = ((ARGUMENT, None, Binder(ARGUMENT, parameter.type, parameter.span)), *atom.bound)
        try:
            return self.understood(Atom(Kind.UNCHANGED, f"{ARGUMENT} = ({text})"), bound, ())
        except InputError as error:
            message = f"{text} is no value for {parameter.name}: {error.diagnostics[0].message}"
            raise fail(BAD_ATOM, message, atom.span) from None
