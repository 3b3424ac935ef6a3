"""A machine as slots and event instances: what reductions and their analyses work on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from math import inf
from typing import Any

from secateur.kernel.call import CallableEvents, CallablePredicates
from secateur.kernel.effects import Effects, effects
from secateur.kernel.events import (
    Event,
    EventProgram,
    InstanceCode,
    effects_of_body,
    effects_of_guard,
    instance,
)
from secateur.kernel.jit import CompiledEvents, compile_events, compile_program
from secateur.kernel.language import Predicate
from secateur.kernel.places import join_words, split_words
from secateur.lang.codes import NO_ESTIMATE
from secateur.lang.compile.machine import CompiledMachine
from secateur.lang.compile.values import NotCompiled
from secateur.lang.lower import machine_state
from secateur.lang.model import Level, Obligation, Operation
from secateur.lang.unfold.instances import Unfolded, Unfolder
from secateur.lang.unfold.occurring import occurring
from secateur.lang.unfold.slots import slots_of
from secateur.maths.ast import Not, Or
from secateur.maths.evaluate.context import is_partial
from secateur.maths.show import brief
from secateur.maths.values import IllDefined, Undecided
from secateur.source import Diagnostic, InputError
from secateur.system.events import Action, Check, Conjunct, Guard, Occurring, Slot
from secateur.system.packing import Misfit
from secateur.system.system import (
    Breach,
    Fault,
    Gap,
    Outgoing,
    PropertyKind,
    State,
    Transition,
)


class UnfoldedMachine:
    """A compiled machine whose actions are instances; states are integers once initialised.

    States before that are those of the machine itself.
    """

    def __init__(
        self,
        machine: CompiledMachine,
        kinds: frozenset[PropertyKind] = frozenset(PropertyKind),
    ) -> None:
        self.machine = machine
        self.kinds = kinds
        """The kinds of promises that actions are held to."""
        self.system = machine.system
        self.name = self.system.name
        self.operations = self.system.operations
        self.words = machine.layout.words
        self._numbers = {name: number for number, name in enumerate(self.operations)}
        self.slots: list[Slot] = list(self._slots())
        self.actions: list[Action] = []
        self.events: list[Unfolded] = []
        self._instances: list[tuple[int, tuple[int, ...]] | int] = []
        """For each action, its event with its parameters, or the number of its operation."""
        self._bound: dict[int, Event | None] = {}
        self._parameters: dict[int, Any] = {}
        self._unfold()
        self.checks = self._checks()

    # -- making -----------------------------------------------------------------------------------

    def _slots(self) -> Iterator[Slot]:
        layout = self.machine.layout
        if layout.solution is not None:
            yield from slots_of("the constants' solution", layout.solution)
        for binder in self.system.model.variables:
            yield from slots_of(binder.name, layout.cells[binder.name])

    @cached_property
    def occurring(self) -> Occurring:
        """What the language has proven of the codes of slots."""
        return occurring(self.system.model.settled, self.machine.layout.cells, self.slots)

    def _unfold(self) -> None:
        compiler = self.machine.compiler()
        unfolder = Unfolder(compiler)
        coarse: list[tuple[int, Operation]] = []
        for number, operation in enumerate(self.system.model.operations):
            try:
                self.events += unfolder.unfold(_promising(operation, self.kinds))
            except NotCompiled:
                coarse.append((number, operation))
        program = EventProgram(self.words, compiler.scratch, tuple(u.event for u in self.events))
        self.program = program
        self.scratch = program.scratch
        for place, unfolded in enumerate(self.events):
            for numbers in unfolded.instances:
                self.actions.append(self._action(unfolded, numbers))
                self._instances.append((place, numbers))
        for number, operation in coarse:
            part = self.machine.actions[number]
            reads, writes = join_words(part.reads), join_words(part.writes)
            self.actions.append(
                Action(
                    operation.name,
                    (),
                    (),
                    reads,
                    writes,
                    0,
                    deterministic=False,
                    total=False,
                    span=operation.span,
                    process=operation.process,
                )
            )
            self._instances.append(number)

    def _action(self, unfolded: Unfolded, numbers: Sequence[int]) -> Action:
        bound = instance(unfolded.event, numbers)
        body = effects_of_body(bound, self.words)
        guard = tuple(
            Conjunct(predicate.name, found.reads)
            for predicate, found in zip(
                unfolded.event.guard, effects_of_guard(bound, self.words), strict=True
            )
        )
        return Action(
            unfolded.operation.name,
            unfolded.arguments(numbers),
            guard,
            body.key,
            body.may_write,
            body.must_write,
            unfolded.deterministic,
            unfolded.total,
            unfolded.ordered,
            unfolded.operation.span,
            unfolded.operation.process,
            body.fixed,
            body.fixed_to,
        )

    def _checks(self) -> list[Check]:
        program = self.machine.program
        self._predicate_of: list[int | None] = []
        checks: list[Check] = []
        number = 0
        for part, known in zip(self.machine.properties, self.system.properties, strict=True):
            assert part.kind is not None
            reads = join_words(part.reads)
            if part.reason is None:
                found: Effects = effects(program.predicates[number], self.words)
                reads = found.reads
                self._predicate_of.append(number)
                number += 1
            else:
                self._predicate_of.append(None)
            checks.append(Check(part.kind, part.name, reads, known.predicate.span))
        return checks

    # Who only reads the code need not wait for a compiler.

    @cached_property
    def _compiled(self) -> CompiledEvents:
        return compile_events(self.program)

    @cached_property
    def _code(self) -> CallableEvents:
        return CallableEvents(self._compiled)

    @cached_property
    def _predicates(self) -> CallablePredicates:
        return CallablePredicates(compile_program(replace(self.machine.program, actions=())))

    def _passed(self, action: int, numbers: tuple[int, ...]) -> Any:
        """Return the numbers of an instance as its code wants them."""
        found = self._parameters.get(action)
        if found is None:
            found = self._parameters[action] = self._code.parameters(numbers)
        return found

    # -- what analyses ask ------------------------------------------------------------------------

    def compile(self) -> None:
        """Make the machine code, so that it need not be made when the first state is looked at."""
        if self.events:
            _ = self._compiled

    def machine_code(self, action: int) -> InstanceCode:
        """Return where the code of an action is."""
        found = self._instances[action]
        if isinstance(found, int):
            return InstanceCode(0, 0, (), found)
        event, numbers = found
        compiled = self._compiled
        operation = self._numbers[self.events[event].operation.name]
        return InstanceCode(compiled.guards[event], compiled.performs[event], numbers, operation)

    def event(self, action: int) -> tuple[int, tuple[int, ...]] | None:
        """Return the event and the numbers of its parameters; None if it is not compiled."""
        found = self._instances[action]
        return None if isinstance(found, int) else found

    def code(self, action: int) -> Event | None:
        """Return the code of an action with its parameters bound; None if there is none."""
        if action not in self._bound:
            found = self.event(action)
            self._bound[action] = (
                None if found is None else instance(self.events[found[0]].event, found[1])
            )
        return self._bound[action]

    def check_code(self, check: int) -> Predicate | None:
        """Return the code of a property; None if there is none."""
        number = self._predicate_of[check]
        return None if number is None else self.machine.program.predicates[number]

    def guard(self, action: int, state: int) -> Guard:
        """Say which conjuncts keep an action from happening."""
        found = self._instances[action]
        known = self.actions[action]
        if not isinstance(found, int):
            false, undefined = self._code.guard(found[0], self._passed(action, found[1]), state)
            if false or undefined or known.total:
                return Guard(false, undefined)
        results = self.results(action, state)
        if results is None:
            return Guard(0, 1 << len(known.guard))
        return Guard(0 if results else 1 << len(known.guard), 0)

    def results(self, action: int, state: int) -> tuple[int, ...] | None:
        """Return the states that an action leads to where its guard holds."""
        found = self._instances[action]
        if isinstance(found, int):
            try:
                targets, rest = self.machine.step(found, split_words(state, self.words))
            except Misfit:  # a result has no code
                return None
            # What follows the words of a target tells more of the step to it.
            states = (join_words(target[: self.words]) for target in targets)
            return None if rest else tuple(dict.fromkeys(states))
        emitted = self._code.perform(found[0], self._passed(action, found[1]), state)
        return None if emitted is None else tuple(dict.fromkeys(emitted))

    def holds(self, check: int, state: int) -> bool | None:
        """Say whether a property holds; None if that cannot be said."""
        number = self._predicate_of[check]
        if number is not None:
            return self._predicates.holds(number, state)
        found = list(self.machine.check(check, split_words(state, self.words)))
        if any(not isinstance(item, Breach) for item in found):
            return None
        return not found

    @cached_property
    def estimate(self) -> Callable[[State], float] | None:
        """What HEURISTIC_FUNCTION says of a state, if there is such a definition."""
        definition = self.system.model.definitions.get("HEURISTIC_FUNCTION")
        if definition is None:
            return None
        code = self.system.scope.code(definition)

        def estimated(state: State) -> float:
            try:
                value = code(self.system.environment(self.unpack(state)))
            except (IllDefined, Undecided):
                return inf
            if type(value) not in (int, float):
                message = f"HEURISTIC_FUNCTION is no number but {brief(value)}"
                raise InputError(Diagnostic(NO_ESTIMATE, message, definition.span))
            return float(value)

        return estimated

    # -- the system -------------------------------------------------------------------------------

    def pack(self, state: State) -> State:
        """Return a state of the machine as one of this system; raise `Misfit` if it does not fit."""
        if not self.system.is_initialised(state):
            return state
        return join_words(self.machine.encode(state))

    def unpack(self, state: State) -> State:
        """Return the machine's own form of a state."""
        if not isinstance(state, int):
            return state
        return self.machine.decode(split_words(state, self.words))

    def _packed(self, items: Iterable[Outgoing]) -> Iterator[Outgoing]:
        for item in items:
            if isinstance(item, Transition):
                yield Transition(item.step, self.pack(item.target))
            else:
                yield item

    def initial(self) -> Iterator[Outgoing]:
        """Yield the transitions out of the root."""
        return self._packed(self.system.initial())

    def successors(self, state: State) -> Iterator[Outgoing]:
        """Yield the transitions out of `state`, as the evaluator finds them."""
        return self._packed(self.system.successors(self.unpack(state)))

    def is_initialised(self, state: State) -> bool:
        """Whether the variables have values."""
        return isinstance(state, int)

    def may_end(self, state: State) -> bool:
        """Whether a run may end in `state`."""
        return self.system.may_end(self.unpack(state))

    @property
    def has_ends(self) -> bool:
        """Whether there are states in which a run may end."""
        return self.machine.end is not None

    def end_code(self) -> Predicate | None:
        """Return the code that says where a run may end; None if there is none."""
        end = self.machine.end
        return None if end is None or end.program is None else end.program.predicates[0]

    def breaches(
        self, state: State, kinds: frozenset[PropertyKind]
    ) -> Iterator[Breach | Fault | Gap]:
        """Yield what fails in `state`."""
        return self.system.breaches(machine_state(self.unpack(state)), kinds)

    def values(self, state: State) -> Sequence[tuple[str, Any]]:
        """Return the constants and variables by name."""
        return self.system.values(self.unpack(state))

    def shown(self, state: State) -> Sequence[tuple[str, Any]]:
        """Return the same as people read it."""
        return self.system.shown(self.unpack(state))

    def why_no_initial_state(self) -> str:
        """Say which property of the constants rules everything out."""
        return self.system.why_no_initial_state()


def _promising(operation: Operation, kinds: frozenset[PropertyKind]) -> Operation:
    """Return an operation with the promises of these kinds; that others are kept is not asked."""
    return replace(
        operation,
        obligations=tuple(_asked(operation.obligations, kinds)),
        refines=tuple(_promising_level(level, kinds) for level in operation.refines),
    )


def _promising_level(level: Level, kinds: frozenset[PropertyKind]) -> Level:
    return replace(
        level,
        obligations=tuple(_asked(level.obligations, kinds)),
        refines=tuple(_promising_level(above, kinds) for above in level.refines),
    )


def _asked(
    obligations: Iterable[Obligation], kinds: frozenset[PropertyKind]
) -> Iterator[Obligation]:
    """Yield what must be looked at: an ill-defined promise is an error whether it is asked or not.

    The evaluator looks at every promise, so a search that leaves something out must know what
    can be ill-defined in them.
    """
    for each in obligations:
        if each.kind in kinds:
            yield each
        elif is_partial(each.predicate):
            predicate, span = each.predicate, each.predicate.span
            yield replace(each, predicate=Or((predicate, Not(predicate, span)), span))
