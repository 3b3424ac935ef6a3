"""From a typed model to a `System`: everything is compiled, nothing is explored."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from copy import copy
from functools import cached_property
from itertools import count
from typing import Any

from secateur.lang.guards import hints, split_guard, useful, without_results
from secateur.lang.model import Model, Operation, Property
from secateur.lang.properties import breach_of, compiled_property, holds_for_sure
from secateur.lang.replayed import Replayed
from secateur.lang.settled import all_unsettled, settled, settled_constant, unsettled
from secateur.lang.unsatisfiable import why_no_initial_state
from secateur.maths.ast import Expr, free_names
from secateur.maths.evaluate.compiler import Compiler
from secateur.maths.evaluate.effort import FOR_A_STATE, Pool
from secateur.maths.evaluate.environment import FAULTS, GAPS, METER, Env, Plan
from secateur.maths.evaluate.faults import once_each
from secateur.maths.evaluate.freetypes import Constructor, FreeTypeSet
from secateur.maths.evaluate.plan import ASSUMED, Leniency, plan_solutions
from secateur.maths.evaluate.universe import Universe
from secateur.maths.execute.executor import Callee, Executor
from secateur.maths.execute.updates import Action, Updates
from secateur.maths.types import Type
from secateur.maths.values import (
    Element,
    FreeValue,
    IllDefined,
    SetValue,
    Undecided,
    Value,
)
from secateur.source.records import dataclass
from secateur.system.system import (
    INITIALISATION,
    SETUP_CONSTANTS,
    Breach,
    Fault,
    Gap,
    Outgoing,
    PropertyKind,
    State,
    Step,
    Transition,
)

MachineState = tuple[int, tuple[Value, ...] | None]
"""The number of the constants' solution, and the variables once they are initialised."""


def universe_of(model: Model) -> Universe:
    """Return the given sets of a model, their elements and the constructors of its free types."""
    numbers = count()
    sets: dict[str, SetValue] = {}
    names: dict[str, Value] = {}
    for carrier in model.sets:
        elements = [Element(next(numbers), name, carrier.name) for name in carrier.elements]
        sets[carrier.name] = names[carrier.name] = frozenset(elements)
        names.update((e.name, e) for e in elements)
    universe = Universe(sets, names, model.settings)
    free = {f.name: FreeTypeSet(f.name) for f in model.freetypes}
    sets.update(free)
    names.update(free)
    for declared in model.freetypes:
        for number, (name, argument) in enumerate(declared.constructors):
            owner = free[declared.name]
            names[name] = (
                FreeValue(number, name) if argument is None else Constructor(number, name, owner)
            )
    compiler = Compiler(universe)
    for declared in model.freetypes:
        free[declared.name].constructors = {
            name: None if e is None else compiler.code(e)(compiler.environment(None))
            for name, e in declared.constructors
        }
    return universe


@dataclass(frozen=True, slots=True, eq=False)
class CompiledOperation:
    """An operation: a plan for its parameters, an action for its body."""

    name: str
    parameters: tuple[tuple[str, int], ...]
    results: tuple[tuple[str, int], ...]
    plan: Plan
    action: Action


class MachineSystem:
    """A model of sets, constants, variables and operations as a transition system."""

    def __init__(self, model: Model, goal: Expr | None = None) -> None:
        self.model = model
        self.name = model.name
        self.universe = universe_of(model)
        self._types: dict[str, Type] = {
            b.name: b.type for b in (*model.constants, *model.variables) if b.type is not None
        }
        constants = frozenset(b.name for b in model.constants)
        outer = Compiler(self.universe, constants=constants)
        self.scope = outer.bind_constants(model.constants).bind(model.variables)
        self._constant_places = [self.scope.place(b.name) for b in model.constants]
        places = [self.scope.place(b.name) for b in model.variables]
        self._offsets = {place: i for i, place in enumerate(places)}
        self._variables = slice(min(places), max(places) + 1) if places else slice(0)
        """Their places: they were bound one after the other."""
        self._callees = {
            name: Callee(op.parameters, op.results, op.body) for name, op in model.callable.items()
        }
        self.solutions: list[tuple[Value, ...]] = []
        self._last_constants: tuple[int | None, Env] = (None, [])
        """The environment of the constants that were asked for last; one entry suffices."""
        self._settings = Replayed(self._set_up)
        initial_scope = self.scope.checking(b.name for b in model.variables)
        initialisation = self._executor(initial_scope).action(model.initialisation)
        self._initialisation = model.companion.initialisation(
            model, initialisation, self._executor(self.scope)
        )
        self._operations = [self._compile(op) for op in model.operations]
        self._with_arguments: dict[tuple[int, frozenset[str]], CompiledOperation] = {}
        self.operations: Sequence[str] = [op.name for op in model.operations]
        self._look_at(self._all_properties(goal))
        self._ends = None if model.ends is None else self.scope.code(model.ends)

    # -- compilation ------------------------------------------------------------------

    @cached_property
    def _setup(self) -> Plan:
        """How to find the constants: with many it takes a while to say, within the limits of a run."""
        return plan_solutions(
            self.scope.searching(),
            self.model.constants,
            [p.predicate for p in self.model.properties],
            Leniency.ASSUME_UNDECIDED,
        )

    def _executor(self, scope: Compiler) -> Executor:
        return Executor(scope, self._types, self._callees)

    def _compile(self, op: Operation, given: frozenset[str] = frozenset()) -> CompiledOperation:
        """Return an operation whose plan finds the parameters that are not `given`."""
        executor = self._executor(self.scope).inside(op.parameters)
        executor = executor.inside(op.results, assigned=False)
        guard, body = split_guard(op.body)
        names = frozenset(b.name for b in op.parameters)
        conditions = without_results(guard, op)
        plan = plan_solutions(
            executor.scope,
            [b for b in op.parameters if b.name not in given],
            conditions,
            Leniency.NOTE_ILL_DEFINED,
            hints=useful(hints(body), names),
        )
        return CompiledOperation(
            op.name,
            tuple((b.name, executor.scope.place(b.name)) for b in op.parameters),
            tuple((b.name, executor.scope.place(b.name)) for b in op.results),
            plan,
            self.model.companion.operation(op, executor.action(body), executor),
        )

    def asking(self, predicates: Sequence[Property]) -> MachineSystem:
        """Return the same system with these as its only properties, as assertions."""
        other = copy(self)
        other._look_at([(PropertyKind.ASSERTION, p) for p in predicates])
        return other

    def _all_properties(self, goal: Expr | None) -> list[tuple[PropertyKind, Property]]:
        goal = self.model.definitions.get("GOAL") if goal is None else goal
        goals = () if goal is None else (Property("GOAL", goal),)
        return [
            *((PropertyKind.INVARIANT, p) for p in self.model.invariants),
            *((PropertyKind.ASSERTION, p) for p in self.model.assertions),
            *((PropertyKind.GOAL, p) for p in goals),
        ]

    def _look_at(self, properties: Sequence[tuple[PropertyKind, Property]]) -> None:
        self.kept: dict[Hashable, Any] = {}
        """What analyses want to find again with this system, under keys of their own."""
        self.properties = [compiled_property(self.scope, kind, p) for kind, p in properties]
        variables = {b.name for b in self.model.variables}
        self._closed = {
            i for i, p in enumerate(self.properties) if not free_names(p.predicate) & variables
        }
        self._known_breaches: dict[tuple[int, int], list[Breach | Fault | Gap]] = {}
        self._pools: dict[int, Pool] = {}
        self._asked: dict[frozenset[PropertyKind], list[int]] = {}  # by kinds, their numbers

    # -- the system -------------------------------------------------------------------

    def initial(self) -> Iterator[Outgoing]:
        """Yield the transitions out of the root; constants found once are not searched for again."""
        yield from (Gap(self.name, reason) for reason in self.model.unchecked)
        if not self.model.constants and not self.model.properties:
            self.solutions = [()]  # not one more for each time that somebody asks
            yield from self._initialise(0)
            return
        yield from self._settings

    def _set_up(self) -> Iterator[Outgoing]:
        plan = self._setup  # environments have room for all that was planned before
        env = self.scope.environment(object())
        return self._guarded(SETUP_CONSTANTS, env, self._setups(plan, env))

    def _setups(self, plan: Plan, env: Env) -> Iterator[Transition | Gap]:
        known: set[tuple[Value, ...]] = set()
        most = self.model.max_setups
        for _ in plan.run(env):
            solution = tuple(settled_constant(env[place]) for place in self._constant_places)
            if solution in known:
                continue
            number = len(known)
            if number == most:
                yield Gap(SETUP_CONSTANTS, f"only {most} valuations of the constants, as asked for")
                return
            known.add(solution)
            if number == len(self.solutions):  # else it was found before: a replay
                self.solutions.append(solution)
            yield Transition(Step(SETUP_CONSTANTS), (number, None))

    def _initialise(self, number: int) -> Iterator[Outgoing]:
        env = self._environment((number, None))
        return self._guarded(INITIALISATION, env, self._initialisations(number, env))

    def _initialisations(self, number: int, env: Env) -> Iterator[Transition | Fault]:
        seen: set[State] = set()
        blank: tuple[Value, ...] = (None,) * len(self._offsets)
        for updates in self._initialisation.run(env):
            values = self._updated(blank, updates)
            missing = [
                b.name for b, v in zip(self.model.variables, values, strict=True) if v is None
            ]
            if missing:
                message = f"{', '.join(missing)} is not initialised"
                yield Fault(INITIALISATION, message, self.model.initialisation.span)
                return
            target = (number, values)
            if target not in seen:
                seen.add(target)
                yield Transition(Step(INITIALISATION), target)

    def successors(self, state: State) -> Iterator[Outgoing]:
        """Yield the transitions out of `state`: distinct (step, target)."""
        number, values = machine_state(state)
        if values is None:
            yield from self._initialise(number)
            return
        env = self._environment((number, values))
        for operation in self._operations:
            yield from self._outcomes(operation, (number, values), env)

    def outcomes(self, operation: int, state: State, env: Env | None = None) -> Iterator[Outgoing]:
        """Yield what the operation with this number leads to from an initialised state.

        `env`, if there is one, is an environment of that state which nobody else uses now.
        """
        found = machine_state(state)
        env = self._environment(found) if env is None else env
        return self._outcomes(self._operations[operation], found, env)

    def outcomes_with(
        self, operation: int, state: State, given: Mapping[str, Value]
    ) -> Iterator[Outgoing]:
        """Yield the same with these arguments, be they among those that would be enumerated or not."""
        key = operation, frozenset(given)
        if key not in self._with_arguments:
            compiled = self._compile(self.model.operations[operation], frozenset(given))
            self._with_arguments[key] = compiled
        chosen = self._with_arguments[key]
        found = machine_state(state)
        env = self._environment(found)
        places = dict(chosen.parameters)
        for name, value in given.items():
            env[places[name]] = unsettled(value)
        return self._outcomes(chosen, found, env)

    def _outcomes(
        self, operation: CompiledOperation, state: MachineState, env: Env
    ) -> Iterator[Outgoing]:
        number, values = state
        assert values is not None
        executions = self._executions(operation, number, values, env)
        return self._guarded(operation.name, env, executions)

    def _executions(
        self, op: CompiledOperation, number: int, values: tuple[Value, ...], env: Env
    ) -> Iterator[Transition]:
        first: Transition | None = None
        seen: set[Transition] = set()
        for _ in op.plan.run(env):
            arguments = tuple([(name, settled(env[place])) for name, place in op.parameters])
            try:
                for updates in op.action.run(env):
                    results = tuple([(n, settled(updates.get(place))) for n, place in op.results])
                    step = Step(op.name, arguments, results)
                    found = Transition(step, (number, self._updated(values, updates)))
                    if first is None:
                        first = found  # there may be no other to tell it from: hashes are dear
                    else:
                        seen = seen or {first}
                        if found in seen:
                            continue
                        seen.add(found)
                    yield found
            except IllDefined as error:
                # Other arguments may be all right.
                env[FAULTS].append(error)

    def _updated(self, values: tuple[Value, ...], updates: Updates) -> tuple[Value, ...]:
        new = list(values)
        offsets = self._offsets
        for place, value in updates.items():
            offset = offsets.get(place)
            if offset is not None:
                new[offset] = settled(value)
        return tuple(new)

    def is_initialised(self, state: State) -> bool:
        """Whether the variables have values."""
        return machine_state(state)[1] is not None

    def may_end(self, state: State) -> bool:
        """Whether a run may end in `state`."""
        if self._ends is None:
            return False
        env = self._environment(machine_state(state))
        return holds_for_sure(self._ends, env, Pool(env[METER], FOR_A_STATE))

    def _guarded(
        self, where: str, env: Env, items: Iterator[Transition | Fault | Gap]
    ) -> Iterator[Outgoing]:
        """Yield `items`, then what was ill-defined or undecided on the way or has ended them."""
        try:
            yield from items
        except IllDefined as error:
            env[FAULTS].append(error)
        except Undecided as error:
            yield Gap(where, error.what)
        if env[FAULTS]:
            yield from self._faults(where, env)
        if env[GAPS]:
            yield from _gaps(where, env)

    def _faults(self, where: str, env: Env) -> Iterator[Fault | Breach]:
        """Yield what was ill-defined or broke a promise, once for each place and kind of mistake."""
        found = [(error, self.model.companion.breach(error)) for error in env[FAULTS]]
        yield from (breach for _, breach in found if breach is not None)
        for error in once_each([error for error, breach in found if breach is None]):
            yield Fault(where, error.message, error.span)
        env[FAULTS].clear()

    def breaches(
        self, state: State, kinds: frozenset[PropertyKind]
    ) -> Iterator[Breach | Fault | Gap]:
        """Yield what fails in `state`; for a goal, that it is reached."""
        env = self._environment(machine_state(state))
        pool = Pool(env[METER], FOR_A_STATE)
        if kinds not in self._asked:
            numbers = [n for n, each in enumerate(self.properties) if each.kind in kinds]
            self._asked[kinds] = numbers
        for number in self._asked[kinds]:
            yield from self._breach(number, state, env, pool)

    def breach(
        self, number: int, state: State, env: Env | None = None
    ) -> Iterator[Breach | Fault | Gap]:
        """Yield what is wrong with the property of this number in `state`; `env` as above."""
        env = self._environment(machine_state(state)) if env is None else env
        return self._breach(number, state, env, Pool(env[METER], FOR_A_STATE))

    def _breach(
        self, number: int, state: State, env: Env, pool: Pool
    ) -> Iterator[Breach | Fault | Gap]:
        """Look at a property; what is about constants alone is looked at once, in steps of its own."""
        if number not in self._closed:
            return breach_of(self.properties[number], env, pool)
        solution = machine_state(state)[0]
        key = number, solution
        if key not in self._known_breaches:
            pool = self._pools.setdefault(solution, Pool(env[METER], FOR_A_STATE))
            self._known_breaches[key] = list(breach_of(self.properties[number], env, pool))
        return iter(self._known_breaches[key])

    def values(self, state: State) -> list[tuple[str, Value]]:
        """Return the constants and variables by name."""
        number, values = machine_state(state)
        constants = zip(self.model.constants, self.solutions[number], strict=True)
        shown = [(b.name, v) for b, v in constants]
        if values is not None:
            shown += [(b.name, v) for b, v in zip(self.model.variables, values, strict=True)]
        return shown

    def shown(self, state: State) -> Sequence[tuple[str, Value]]:
        """Return the same as people read it."""
        return self.model.shown(self.values(state))

    def why_no_initial_state(self) -> str:
        """Say which property of the constants rules everything out."""
        found = bool(self.solutions)
        return why_no_initial_state(self.model, self.universe, constants_found=found)

    def environment(self, state: State) -> Env:
        """Return an environment in which constants and variables have the values of `state`."""
        return self._environment(machine_state(state))

    def _environment(self, state: MachineState) -> Env:
        number, values = state
        env = self._constants_in_place(number).copy()
        env[GAPS] = []
        env[FAULTS] = []
        if values is not None:
            assert len(values) == len(self._offsets)
            env[self._variables] = all_unsettled(values)
        return env

    def _constants_in_place(self, number: int) -> Env:
        """Return an environment, to be copied, in which the constants have their values."""
        known, env = self._last_constants
        if known != number or len(env) < self.scope.frame_size():
            solution = self.solutions[number]
            env = self.scope.environment(solution)
            for place, value in zip(self._constant_places, solution, strict=True):
                env[place] = unsettled(value)
            self._last_constants = number, env
        return env


def machine_state(state: State) -> MachineState:
    """Return a state as what it is here."""
    assert isinstance(state, tuple)
    return state


def _gaps(where: str, env: Env) -> Iterator[Gap]:
    for gap in sorted(set(env[GAPS])):
        sentence = f"{gap} is enumerated from MININT to MAXINT only: it has no bound"
        yield Gap(where, gap if ASSUMED in gap else sentence)
    env[GAPS].clear()


def lower(model: Model, goal: Expr | None = None) -> MachineSystem:
    """Return the transition system of a model."""
    return MachineSystem(model, goal)
