"""Typing a chain of contexts and machines: one inference over all levels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from secateur.lang.eventb.ast import (
    INITIALISATION,
    Action,
    Event,
    Machine,
    Predicate,
    Variant,
    Witness,
)
from secateur.lang.eventb.codes import BAD_EXTENSION, DECLARED_TWICE, MISSING_EVENT
from secateur.lang.eventb.declarations import Declared, declared
from secateur.lang.eventb.resolve import Chain
from secateur.lang.simulation import PRIME
from secateur.maths.ast import Binder, Expr
from secateur.maths.codes import TYPE_MISMATCH
from secateur.maths.infer import Inference
from secateur.maths.infer_elaborate import elaborate, elaborate_substitution
from secateur.maths.infer_findings import Scope, near_miss
from secateur.maths.infer_substitution import Context, SubstitutionTyping
from secateur.maths.substitution import Assign, BecomesElement, BecomesSuch, Skip
from secateur.maths.types import Given, Power, Type
from secateur.source import Span, fail
from secateur.source.records import dataclass


@dataclass(frozen=True)
class TypedEvent:
    """An event with all that it inherits, every formula elaborated."""

    machine: str
    event: Event
    parameters: tuple[Binder, ...]
    guards: tuple[Predicate, ...]
    witnesses: tuple[Witness, ...]
    actions: tuple[Action, ...]
    refines: tuple[TypedEvent, ...]


@dataclass(frozen=True)
class TypedVariant:
    """A variant: a number or, if `is_set`, a set."""

    label: str
    expression: Expr
    is_set: bool


@dataclass(frozen=True)
class TypedMachine:
    """A machine with every formula elaborated."""

    machine: Machine
    invariants: tuple[Predicate, ...]
    variants: tuple[TypedVariant, ...]
    events: Mapping[str, TypedEvent]


@dataclass(frozen=True)
class Typed:
    """A chain with all types known."""

    declared: Declared
    scope: Scope
    """Every declared name with its type."""
    axioms: tuple[tuple[str, Predicate], ...]
    """With the name of the context."""
    machines: tuple[TypedMachine, ...]


def typecheck(chain: Chain) -> Typed:
    """Find all types; raise InputError with everything that does not fit."""
    return _Typing(chain).run()


class _Typing:
    def __init__(self, chain: Chain) -> None:
        self.chain = chain
        self.declared = declared(chain)
        self.inference = Inference()
        self.substitutions = SubstitutionTyping(self.inference)
        self.scope: dict[str, Type] = {}
        self.parameters: dict[tuple[str, str], dict[str, Type]] = {}
        """Per machine and event the types of its parameters, inherited ones included."""
        self.refined: dict[tuple[str, str], tuple[Event, ...]] = {}
        self.variants: dict[int, Type] = {}

    def run(self) -> Typed:
        """Do both passes."""
        self._declare()
        for context in self.chain.contexts:
            for axiom in context.axioms:
                self._predicate(axiom, self.scope)
        abstract: Machine | None = None
        for machine in self.chain.machines:
            self._check(machine, abstract)
            abstract = machine
        self.inference.settle()
        self._ground()
        machines = self._machines()
        axioms = tuple((c.name, self._elaborated(a)) for c in self.chain.contexts for a in c.axioms)
        self.inference.finish()
        scope = {name: self.inference.types.resolve(t) for name, t in self.scope.items()}
        return Typed(self.declared, scope, axioms, machines)

    # First pass

    def _declare(self) -> None:
        self.scope.update((name, Power(Given(name))) for name in self.declared.sets)
        for table in (self.declared.constants, self.declared.variables):
            self.scope.update((name, self.inference.types.fresh()) for name in table)

    def _predicate(self, each: Predicate | Witness, scope: Scope) -> None:
        self.inference.predicate(each.predicate, scope, each.label)

    def _check(self, machine: Machine, abstract: Machine | None) -> None:
        for invariant in machine.invariants:
            self._predicate(invariant, self.scope)
        for variant in machine.variants:
            self.variants[id(variant)] = self.inference.infer(variant.expression, self.scope)
        assignable = frozenset(v.text for v in machine.variables)
        for event in machine.events:
            if (machine.name, event.name) in self.parameters:
                raise fail(DECLARED_TWICE, f"event {event.name} is declared twice", event.span)
            refined = _refined(event, abstract)
            self.refined[machine.name, event.name] = refined
            inherited = self._abstract_parameters(refined, abstract)
            self._check_event(machine.name, event, inherited, assignable)

    def _abstract_parameters(
        self, refined: tuple[Event, ...], abstract: Machine | None
    ) -> dict[str, Type]:
        found: dict[str, Type] = {}
        if abstract is None:
            return found
        for event in refined:
            for name, type_ in self.parameters[abstract.name, event.name].items():
                earlier = found.setdefault(name, type_)
                if not self.inference.types.unify(earlier, type_, event.span):
                    message = f"parameter {name} of merged events has different types"
                    self.inference.complain(TYPE_MISMATCH, message, event.span)
        return found

    def _check_event(
        self, machine: str, event: Event, inherited: dict[str, Type], assignable: frozenset[str]
    ) -> None:
        own = {
            p.text: inherited.get(p.text) or self.inference.types.fresh() for p in event.parameters
        }
        parameters = {**inherited, **own} if event.extended else own
        self.parameters[machine, event.name] = parameters
        scope = {**self.scope, **parameters}
        for guard in event.guards:
            self._predicate(guard, scope)
        context = Context(scope, assignable - parameters.keys(), {})
        for action in event.actions:
            self.substitutions.check(action.substitution, context)
        later = {f"{v}{PRIME}": self.scope[v] for v in self.declared.variables}
        for witness in event.witnesses:
            self._predicate(witness, {**self.scope, **later, **inherited, **parameters})

    # Second pass

    def _ground(self) -> None:
        for name, span in {**self.declared.constants, **self.declared.variables}.items():
            self.scope[name] = self.inference.ground(name, self.scope[name], span)

    def _elaborated(self, each: Predicate) -> Predicate:
        return replace(each, predicate=elaborate(each.predicate, self.inference))

    def _machines(self) -> tuple[TypedMachine, ...]:
        found: list[TypedMachine] = []
        for machine in self.chain.machines:
            above = found[-1].events if found else {}
            found.append(
                TypedMachine(
                    machine,
                    tuple(map(self._elaborated, machine.invariants)),
                    tuple(map(self._variant, machine.variants)),
                    {e.name: self._event(machine.name, e, above) for e in machine.events},
                )
            )
        return tuple(found)

    def _variant(self, variant: Variant) -> TypedVariant:
        found = self.inference.types.resolve(self.variants[id(variant)])
        expression = elaborate(variant.expression, self.inference)
        return TypedVariant(variant.label, expression, isinstance(found, Power))

    def _event(self, machine: str, event: Event, above: Mapping[str, TypedEvent]) -> TypedEvent:
        refines = tuple(above[e.name] for e in self.refined[machine, event.name])
        places = {p.text: p.span for p in event.parameters}
        inherited = refines[0] if event.extended and refines else None
        parameters = tuple(
            self._binder(name, type_, places.get(name, event.span))
            for name, type_ in self.parameters[machine, event.name].items()
        )
        guards = tuple(map(self._elaborated, event.guards))
        actions = tuple(map(self._action, event.actions))
        witnesses = tuple(
            replace(w, predicate=elaborate(w.predicate, self.inference)) for w in event.witnesses
        )
        if inherited is not None:
            guards = (*inherited.guards, *guards)
            actions = (*inherited.actions, *actions)
        return TypedEvent(machine, event, parameters, guards, witnesses, actions, refines)

    def _action(self, action: Action) -> Action:
        changed = elaborate_substitution(action.substitution, self.inference)
        assert isinstance(changed, Assign | BecomesElement | BecomesSuch | Skip)
        return replace(action, substitution=changed)

    def _binder(self, name: str, type_: Type, span: Span) -> Binder:
        return Binder(name, self.inference.ground(name, type_, span), span)


def _refined(event: Event, abstract: Machine | None) -> tuple[Event, ...]:
    """Return the abstract events that `event` refines."""
    known = {e.name: e for e in abstract.events} if abstract is not None else {}
    if event.name == INITIALISATION:
        return (known[event.name],) if event.name in known else ()
    if event.extended and len(event.refines) != 1:
        message = f"event {event.name} is extended, but refines {len(event.refines)} events"
        raise fail(BAD_EXTENSION, message, event.span)
    for name in event.refines:
        if name not in known:
            message = f"event {event.name} refines {name}, which the abstraction does not have"
            raise fail(MISSING_EVENT, message, event.span, near_miss(name, known))
    return tuple(known[name] for name in event.refines)
