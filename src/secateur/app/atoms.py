"""Atoms of temporal formulas, bound to a model: what they are in its states and steps."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

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
from secateur.maths.ast import Binder, free_names
from secateur.maths.evaluate.plan import plan_solutions
from secateur.maths.values import IllDefined, Undecided, Value
from secateur.source import Diagnostic, InputError, Span, fail
from secateur.system.system import State, Step, Transition

Bound = Callable[[State, Transition | None], bool]
"""Whether an atom holds in a state from which a transition is taken, or none."""


class Binding:
    """Binds atoms to the states of a graph."""

    def __init__(self, model: Model, system: MachineSystem, graph: Graph) -> None:
        self.model = model
        self.system = system
        self.graph = graph
        self._scope = scope_of(model, (*model.constants, *model.variables))
        self._types: dict[str, Binder] = {}
        """The quantified names."""

    # -- quantifiers ------------------------------------------------------------------------------

    def expanded(self, f: Formula, bound: tuple[tuple[str, Value], ...] = ()) -> Formula:
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

    def _solutions(
        self, f: Quantified, bound: tuple[tuple[str, Value], ...]
    ) -> Iterator[tuple[tuple[str, Value], ...]]:
        question = self._understood(f.condition, bound, f.names)
        variables = {b.name for b in self.model.variables} & free_names(question.formula)
        if variables:
            message = f"which values {', '.join(f.names)} has must not depend on {', '.join(sorted(variables))}"
            raise fail(BAD_ATOM, message, f.condition.span)
        missing = set(f.names) - {b.name for b in question.unknowns}
        if missing:
            message = f"{', '.join(sorted(missing))} does not occur in the condition"
            raise fail(BAD_ATOM, message, f.condition.span)
        inner = self.system.scope.bind((*question.unknowns, *(self._types[n] for n, _ in bound)))
        plan = plan_solutions(inner, question.unknowns, [question.formula])
        for state in self.graph.initial()[:1]:
            env = self.system.environment(state)
            for name, value in bound:
                env[inner.place(name)] = value
            self._types.update((b.name, b) for b in question.unknowns)
            found = [
                tuple((b.name, env[inner.place(b.name)]) for b in question.unknowns)
                for _ in plan.run(env)
            ]
            yield from found

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
                    return lambda state, _: not self.graph.edges(state)
                return self._counted(atom, lambda count: count == 0)
            case Kind.SINK:
                return lambda state, _: all(t.target == state for t in self.graph.edges(state))
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
        """Return whether a step is an event; its arguments may depend on constants only."""
        occurs = self._occurrence(event, Atom(Kind.EVENT, events=(event,)))
        state = self.graph.initial()[0]
        return lambda step: occurs(state, step)

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
        alike = (t.step for t in self.graph.edges(state))
        return all(
            s.results == step.results
            for s in alike
            if s.operation == step.operation and s.arguments == step.arguments
        )

    def _counted(self, atom: Atom, enough: Callable[[int], bool]) -> Bound:
        """Return whether the number of some events that are enabled is right."""
        occurrences = [self._occurrence(event, atom) for event in atom.events]

        def holds(state: State, _: Transition | None) -> bool:
            edges = self.graph.edges(state)
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
            Kind.INCREASING: lambda old, new: bool(old < new),
            Kind.DECREASING: lambda old, new: bool(old > new),
        }
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

    def _evaluated(
        self, formula: object, bound: Sequence[tuple[str, Value]]
    ) -> Callable[[State], Value]:
        scope = self.system.scope
        if bound:
            scope = scope.bind(tuple(self._types[name] for name, _ in bound))
        code = scope.code(formula)  # type: ignore[arg-type]

        def value(state: State) -> Value:
            env = self.system.environment(state)
            for name, each in bound:
                env[scope.place(name)] = each
            try:
                return code(env)
            except IllDefined as error:
                self.graph.reasons[f"the formula is ill-defined: {error.message}"] = None
            except Undecided as error:
                self.graph.reasons[f"the formula: {error.what}"] = None
            return False

        return value

    def _understood(
        self, atom: Atom, bound: Sequence[tuple[str, Value]], unknown: Sequence[str]
    ) -> Question:
        """Return the B in an atom, typed; complaints are about places in the formula."""
        span = atom.span
        before = "" if span is None else span.source.text[: span.start]
        padding = "".join("\n" if letter == "\n" else " " for letter in before)
        scope = {**self._scope}
        for name, _ in bound:
            type_ = self._types[name].type
            assert type_ is not None
            scope[name] = type_
        try:
            question = understand(padding + atom.text, scope, self.model)
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
        wanted = [None if text == "_" else self._argument(text, atom) for text in event.arguments]
        most = len(next(o for o in self.model.operations if o.name == event.name).parameters)
        if len(wanted) > most:
            message = f"{event.name} has {most} parameters, not {len(wanted)}"
            raise fail(BAD_ATOM, message, atom.span)

        def occurs(state: State, step: Step) -> bool:
            if step.operation != event.name:
                return False
            given = [value for _, value in step.arguments]
            return all(
                each is None or each(state) == value
                for each, value in zip(wanted, given, strict=False)
            )

        return occurs

    def _argument(self, text: str, atom: Atom) -> Callable[[State], Value]:
        return self._evaluated(
            self._understood(Atom(Kind.PREDICATE, text, span=None), atom.bound, ()).formula,
            atom.bound,
        )


def _moved(diagnostic: Diagnostic, span: Span | None) -> Diagnostic:
    found = None if diagnostic.span is None else _moved_span(diagnostic.span, span)
    return Diagnostic(diagnostic.code, diagnostic.message, found, diagnostic.help)


def _moved_span(found: Span, span: Span | None) -> Span:
    """Return a place in the padded text as one in the formula."""
    return found if span is None else Span(span.source, found.start, found.end)
