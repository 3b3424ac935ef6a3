"""Atoms of temporal formulas, bound to a model: what they are in its states and steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from secateur.engine.liveness.graph import Graph
from secateur.lang.lower import MachineSystem
from secateur.lang.model import Model
from secateur.lang.query import Question, scope_of, understand
from secateur.ltl.atoms import Atom, Event, Kind
from secateur.ltl.codes import BAD_ATOM, UNKNOWN_EVENT
from secateur.ltl.formula import (
    FALSE,
    TRUE,
    Binary,
    Formula,
    Holds,
    One,
    Quantified,
    Two,
)
from secateur.maths.ast import Binder, Expr, free_names
from secateur.maths.evaluate.environment import GAPS, Env
from secateur.maths.evaluate.plan import plan_solutions
from secateur.maths.values import IllDefined, Undecided, Value
from secateur.source import Diagnostic, InputError, Span, fail
from secateur.system.system import State, Step, Transition

Given = tuple[str, Value, Binder]
"""A quantified name with one of its values, and its type."""

Bound = Callable[[State, Transition | None], bool]
"""Whether an atom holds in a state from which a transition is taken, or none."""


class Binding:
    """Binds atoms to the states of a graph."""

    def __init__(self, model: Model, system: MachineSystem, graph: Graph) -> None:
        self.model = model
        self.system = system
        self.graph = graph
        self._scope = scope_of(model, (*model.constants, *model.variables))

    # -- quantifiers ------------------------------------------------------------------------------

    def expanded(self, f: Formula, bound: tuple[Given, ...] = ()) -> Formula:
        """Return a formula without quantifiers: one copy of their body for each value."""
        match f:
            case Holds(atom) if bound:
                return Holds(Atom(atom.kind, atom.text, atom.events, bound, atom.span))
            case One(operator, argument):
                return One(operator, self.expanded(argument, bound))
            case Two(operator, left, right):
                return Two(operator, self.expanded(left, bound), self.expanded(right, bound))
            case Quantified(universal, _, _, body):
                operator = Binary.AND if universal else Binary.OR
                found: Formula = TRUE if universal else FALSE
                for values in self._solutions(f, bound):
                    found = Two(operator, found, self.expanded(body, (*bound, *values)))
                return found
        return f

    def _solutions(self, f: Quantified, bound: tuple[Given, ...]) -> list[tuple[Given, ...]]:
        """Return the values of quantified names; they must be the same for all constants."""
        question = self._understood(f.condition, bound, f.names)
        variables = {b.name for b in self.model.variables} & free_names(question.formula)
        if variables:
            message = f"which values {', '.join(f.names)} has must not depend on {', '.join(sorted(variables))}"
            raise fail(BAD_ATOM, message, f.condition.span)
        missing = set(f.names) - {b.name for b in question.unknowns}
        if missing:
            message = f"{', '.join(sorted(missing))} does not occur in the condition"
            raise fail(BAD_ATOM, message, f.condition.span)
        inner = self.system.scope.bind((*question.unknowns, *(binder for _, _, binder in bound)))
        plan = plan_solutions(inner, question.unknowns, [question.formula])
        found: list[list[tuple[Given, ...]]] = []
        for state in self._one_for_each_solution():
            env = self.system.environment(state)
            for name, value, _ in bound:
                env[inner.place(name)] = value
            try:
                listed = [
                    tuple((b.name, env[inner.place(b.name)], b) for b in question.unknowns)
                    for _ in plan.run(env)
                ]
            except IllDefined as error:
                raise fail(BAD_ATOM, error.message, f.condition.span) from None
            except Undecided as error:
                raise fail(BAD_ATOM, error.what, f.condition.span) from None
            for gap in env[GAPS]:
                what = f"{gap} in the formula is enumerated from MININT to MAXINT only"
                self.graph.reasons[what] = None
            if listed not in found:
                found.append(listed)
        if len(found) > 1:
            raise fail(BAD_ATOM, _DIFFERENT.format(", ".join(f.names)), f.condition.span)
        return found[0]

    def _one_for_each_solution(self) -> list[State]:
        """Return an initial state for each solution of the constants."""
        constants = len(self.model.constants)
        first: dict[object, State] = {}
        for state in self.graph.initial():
            values = tuple(value for _, value in self.system.values(state)[:constants])
            first.setdefault(values, state)
        return list(first.values())

    # -- atoms ------------------------------------------------------------------------------------

    def bind(self, atom: Atom) -> Bound:
        """Return what an atom means; raise InputError if it means nothing here."""
        match atom.kind:
            case Kind.PREDICATE:
                return self._state_predicate(self._predicate(atom))
            case Kind.GOAL:
                return self._goal(atom)
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
        message = f"{atom.kind.value} is not supported"
        raise fail(BAD_ATOM, message, atom.span)

    def occurs(self, event: Event) -> Callable[[Step], bool]:
        """Return whether a step is an event; its arguments must be the same in all states."""
        occurs = self._occurrence(event, Atom(Kind.EVENT, events=(event,)))
        varying = {b.name for b in self.model.variables}
        if len(self._one_for_each_solution()) > 1:
            varying |= {b.name for b in self.model.constants}
        for text in event.arguments:
            if text != "_" and varying & free_names(self._expression(text).formula):
                raise fail(BAD_ATOM, _DIFFERENT.format(f"{text} in {event}"))
        state = self.graph.initial()[0]
        return lambda step: occurs(state, step)

    def _expression(self, text: str) -> Question:
        return self._understood(Atom(Kind.UNCHANGED, text), (), ())

    def occurrence(self, event: Event) -> Callable[[State, Step], bool]:
        """Return whether a step out of a state is an event."""
        return self._occurrence(event, Atom(Kind.EVENT, events=(event,)))

    def _goal(self, atom: Atom) -> Bound:
        goal = self.model.definitions.get("GOAL")
        if goal is None:
            raise fail(BAD_ATOM, f"{self.model.name} has no definition GOAL", atom.span)
        return self._state_predicate(self._evaluated(goal, ()))

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

    def _comparison(self, atom: Atom) -> Bound:
        question = self._understood(atom, atom.bound, ())
        if question.is_predicate:
            raise fail(BAD_ATOM, "an expression is needed here", atom.span)
        value = self._evaluated(question.formula, atom.bound)
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
        return lambda state, taken: taken is not None and chosen(value(state), value(taken.target))

    def _state_predicate(self, value: Callable[[State], Value]) -> Bound:
        known: dict[State, bool] = {}

        def holds(state: State, _: Transition | None) -> bool:
            found = known.get(state)
            if found is None:
                found = known[state] = bool(value(state))
            return found

        return holds

    def _predicate(self, atom: Atom) -> Callable[[State], Value]:
        question = self._understood(atom, atom.bound, ())
        if not question.is_predicate:
            raise fail(BAD_ATOM, "a predicate is needed here", atom.span)
        return self._evaluated(question.formula, atom.bound)

    def _evaluated(self, formula: Expr, bound: Sequence[Given]) -> Callable[[State], Value]:
        scope = self.system.scope
        if bound:
            scope = scope.bind(tuple(binder for _, _, binder in bound))
        code = scope.code(formula)

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

    def _understood(self, atom: Atom, bound: Sequence[Given], unknown: Sequence[str]) -> Question:
        """Return the B in an atom, typed; complaints are about places in the formula."""
        span = atom.span
        before = "" if span is None else span.source.text[: span.start]
        padding = "".join("\n" if letter == "\n" else " " for letter in before)
        text = atom.text
        if not unknown and atom.kind is Kind.PREDICATE:
            # In parentheses, # stays what it is; alone, its names would be looked for.
            padding, text = f"{padding[:-1]}(", f"{text}) & 1 = 1"
        scope = {**self._scope}
        for name, _, binder in bound:
            assert binder.type is not None
            scope[name] = binder.type
        try:
            question = understand(padding + text, scope, self.model)
        except InputError as error:
            raise InputError(*(_moved(d, span) for d in error.diagnostics)) from None
        strangers = [b.name for b in question.unknowns if b.name not in unknown]
        if strangers:
            message = f"{', '.join(strangers)} is unknown in {self.model.name}"
            raise fail(BAD_ATOM, message, _moved_span(question.unknowns[0].span, span))
        return question

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
        binder = Binder(_ARGUMENT, parameter.type, parameter.span)
        bound = ((_ARGUMENT, None, binder), *atom.bound)
        try:
            equal = self._understood(Atom(Kind.UNCHANGED, f"{_ARGUMENT} = ({text})"), bound, ())
        except InputError as error:
            message = f"{text} is no value for {parameter.name}: {error.diagnostics[0].message}"
            raise fail(BAD_ATOM, message, atom.span) from None
        scope = self.system.scope.bind(tuple(binder for _, _, binder in bound))
        code = scope.code(equal.formula)

        def same(state: State, value: Value) -> bool:
            env = self.system.environment(state)
            for name, each, _ in ((_ARGUMENT, value, binder), *atom.bound):
                env[scope.place(name)] = each
            return bool(self._run(code, env, state))

        return same


_ARGUMENT: Final = "argument__"
_DIFFERENT: Final = "{} is not the same for all values of the constants and variables"


def _moved(diagnostic: Diagnostic, span: Span | None) -> Diagnostic:
    found = None if diagnostic.span is None else _moved_span(diagnostic.span, span)
    return Diagnostic(diagnostic.code, diagnostic.message, found, diagnostic.help)


def _moved_span(found: Span, span: Span | None) -> Span:
    """Return a place in the padded text as one in the formula."""
    return found if span is None else Span(span.source, found.start, found.end)
