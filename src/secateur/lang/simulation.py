"""Executing an event together with the abstract events that it refines.

The more refined event goes first; each abstract one must be able to follow, with the
values that witnesses or solving find for what the refinement has not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from secateur.lang.guards import split_guard
from secateur.lang.model import Level, Model, Obligation, Operation
from secateur.maths.ast import Binder, free_names
from secateur.maths.evaluate.compiler import Compiler
from secateur.maths.evaluate.environment import FAULTS, Env, Plan, wide
from secateur.maths.evaluate.plan import Leniency, plan_solutions
from secateur.maths.execute.executor import Executor
from secateur.maths.execute.updates import Action, Updates, nondeterministic
from secateur.maths.values import IllDefined, Undecided
from secateur.source import Span
from secateur.system.system import Breach, PropertyKind

PRIME: Final = "'"
"""`x'` is the value of x after an execution."""

NOTE: Final = Leniency.NOTE_ILL_DEFINED


class Unmet(IllDefined):
    """A promise that an execution does not keep; it is told with the faults."""

    def __init__(self, breach: Breach) -> None:
        super().__init__(breach.name, breach.span)
        self.breach = breach


class Refining:
    """The companion of Event-B: an event takes along those that it refines."""

    def initialisation(self, model: Model, action: Action, executor: Executor) -> Action:
        """Return `action` with the initialisations that it refines."""
        return simulating(action, model.initial_levels, (), executor.scope)

    def operation(self, operation: Operation, action: Action, executor: Executor) -> Action:
        """Return `action` with the events that it refines, and what it promises."""
        if operation.feasible:
            action = feasible(action, split_guard(operation.body)[1].span)
        parameters = [b.name for b in operation.parameters]
        return simulating(
            action, operation.refines, operation.obligations, executor.scope, parameters
        )

    def breach(self, error: IllDefined) -> Breach | None:
        """Return the promise that was not kept."""
        return error.breach if isinstance(error, Unmet) else None


def simulating(
    action: Action,
    levels: Sequence[Level],
    obligations: Sequence[Obligation],
    scope: Compiler,
    parameters: Sequence[str] = (),
) -> Action:
    """Return `action` with what the abstract events do at the same time.

    What none of `levels` can follow is not done, and noted.  The values of `parameters`
    are shown with what is noted.
    """
    if not levels and not obligations:
        return action
    return nondeterministic(_Simulation(action, levels, obligations, scope, parameters).run)


def feasible(action: Action, span: Span) -> Action:
    """Return `action`, which is at fault where it has no outcome."""
    if action.one is not None:
        return action

    def run(env: Env) -> Iterator[Updates]:
        possible = False
        for updates in action.run(env):
            possible = True
            yield updates
        if not possible and not env[FAULTS]:
            env[FAULTS].append(
                IllDefined("the action has no outcome, though the guard holds", span)
            )

    return nondeterministic(run)


class _Simulation:
    def __init__(
        self,
        action: Action,
        levels: Sequence[Level],
        obligations: Sequence[Obligation],
        scope: Compiler,
        parameters: Sequence[str],
    ) -> None:
        self.action = action
        names = sorted(_changed(levels, obligations))
        inner = scope.bind([Binder(name) for name in names])
        self.new = [(inner.place(n), scope.place(n.removesuffix(PRIME))) for n in names]
        self.shown = [(name, scope.place(name)) for name in parameters]
        self.promises = _Promises(obligations, inner, self)
        self.levels = [_Follower(level, inner, self) for level in levels]

    def run(self, env: Env) -> Iterator[Updates]:
        """Yield the updates of both the event and those that it refines."""
        for updates in self.action.run(env):
            if any(place not in updates and env[place] is None for _, place in self.new):
                yield updates  # a variable that is not initialised: others complain about it
                continue
            for place, source in self.new:
                env[place] = updates[source] if source in updates else env[source]
            self.promises.check(env)
            if not self.levels:
                yield updates
                continue
            followed = False
            for more in _follow(self.levels, env):
                followed = True
                yield {**updates, **more} if more else updates
            if not followed:
                name, span = _blame(self.levels, env)
                self.note(env, PropertyKind.REFINEMENT, name, span)

    def note(self, env: Env, kind: PropertyKind, name: str, span: Span | None) -> None:
        """Remember that something fails."""
        witness = tuple((name, env[place]) for name, place in self.shown)
        env[FAULTS].append(Unmet(Breach(kind, name, span, witness)))


class _Promises:
    """The obligations of one level."""

    def __init__(
        self, obligations: Sequence[Obligation], scope: Compiler, owner: _Simulation
    ) -> None:
        self.owner = owner
        self.tests = [(each, scope.code(each.predicate)) for each in obligations]

    def check(self, env: Env) -> None:
        """Note those that are not kept."""
        for each, code in self.tests:
            try:
                kept = code(env)
            except IllDefined as error:
                env[FAULTS].append(error)
                continue
            if not kept:
                self.owner.note(env, each.kind, each.name, each.predicate.span)


class _Follower:
    """An abstract event, compiled."""

    def __init__(self, level: Level, scope: Compiler, owner: _Simulation) -> None:
        self.level = level
        self.scope = scope.bind(level.unknowns)
        predicates = [c.predicate for c in level.conditions]
        self.plan = plan_solutions(self.scope, level.unknowns, predicates, NOTE)
        self.found = [
            (scope.place(b.name.removesuffix(PRIME)), self.scope.place(b.name))
            for b in level.unknowns
            if b.name.endswith(PRIME)
        ]
        self.promises = _Promises(level.obligations, self.scope, owner)
        self.refines = [_Follower(each, self.scope, owner) for each in level.refines]
        self._prefixes: list[tuple[str, Span, Plan]] | None = None

    def run(self, env: Env) -> Iterator[Updates]:
        """Yield what this event and those that it refines change."""
        for _ in self.plan.run(env):
            self.promises.check(env)
            own = {variable: env[place] for variable, place in self.found}
            if not self.refines:
                yield own
                continue
            for more in _follow(self.refines, env):
                yield {**own, **more}

    def blame(self, env: Env) -> tuple[str, Span | None]:
        """Return the first condition that cannot be met together with those before it."""
        for name, span, plan in self._before():
            if not _solvable(plan, env):
                return name, span
        for _ in self.plan.run(env):
            return _blame(self.refines, env)
        return self.level.name, None

    def _before(self) -> list[tuple[str, Span, Plan]]:
        if self._prefixes is None:
            self._prefixes = [
                (c.name, c.predicate.span, self._prefix(number))
                for number, c in enumerate(self.level.conditions, 1)
            ]
        return self._prefixes

    def _prefix(self, length: int) -> Plan:
        predicates = [c.predicate for c in self.level.conditions[:length]]
        used = frozenset[str]().union(*map(free_names, predicates))
        unknowns = [b for b in self.level.unknowns if b.name in used]
        return wide(plan_solutions(self.scope, unknowns, predicates, NOTE), self.scope)


def _follow(followers: Iterable[_Follower], env: Env) -> Iterator[Updates]:
    for follower in followers:
        yield from follower.run(env)


def _blame(followers: Iterable[_Follower], env: Env) -> tuple[str, Span | None]:
    blamed = [follower.blame(env) for follower in followers]
    names = dict.fromkeys(name for name, _ in blamed)
    return " and ".join(names), blamed[0][1]


def _solvable(plan: Plan, env: Env) -> bool:
    try:
        return any(True for _ in plan.run(env))
    except (IllDefined, Undecided):
        return True  # it is not this condition that rules everything out


def _changed(levels: Sequence[Level], obligations: Sequence[Obligation]) -> frozenset[str]:
    """Return the `x'` that levels and obligations read and do not find themselves."""
    read = (free_names(o.predicate) for o in obligations)
    found = frozenset[str]().union(*read, *map(_changed_above, levels))
    return frozenset(name for name in found if name.endswith(PRIME))


def _changed_above(level: Level) -> frozenset[str]:
    read = (free_names(c.predicate) for c in level.conditions)
    found = _changed(level.refines, level.obligations).union(*read)
    return found - {b.name for b in level.unknowns}
