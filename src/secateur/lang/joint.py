"""Executing an operation together with those that it refines, as classical B has it.

J.-R. Abrial: *The B-Book*, Cambridge University Press 1996, chapter 11.  Where the levels
above allow an operation to be called, each of its outcomes must be one of theirs, with the
same results, such that the invariant of the refinement relates the two.  Variables of the
same name are the same: at all levels they have the same value.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Final

from secateur.lang.model import Model, Operation, Property
from secateur.lang.simulation import PRIME, Unmet
from secateur.lang.towards import Outcome, outcome, towards
from secateur.maths.ast import Binder, Expr
from secateur.maths.evaluate.environment import FAULTS, GAPS, Env, widen
from secateur.maths.execute.executor import Callee, Executor
from secateur.maths.execute.updates import Action, Updates, after, nondeterministic
from secateur.maths.substitution import Skip, Substitution
from secateur.maths.values import IllDefined, Undecided, Value
from secateur.source import Span
from secateur.source.records import dataclass
from secateur.system.system import INITIALISATION, Breach, PropertyKind

MOST_EXPLAINED: Final = 1000
"""So many outcomes of an abstraction are looked at to say why none of them matches."""


@dataclass(frozen=True)
class Abstraction:
    """A component that the one `below` refines, and what relates the two.

    The parameters of its operations are called as those of the refinement; what they
    demand of a caller is not part of their bodies.
    """

    name: str
    below: str
    variables: frozenset[str]
    known: frozenset[str]
    """The variables of all levels below; some of them may be the same."""
    gluing: tuple[Property, ...]
    """What the invariants of the levels below say of its variables and of theirs."""
    initialisation: Substitution
    operations: Mapping[str, Operation]
    callable: Mapping[str, Operation]


@dataclass(frozen=True)
class Joint:
    """The companion of a refinement in classical B: its abstractions, the nearest one first."""

    concrete: frozenset[str]
    """The variables of the refinement."""
    abstractions: tuple[Abstraction, ...]
    preconditions: Mapping[str, tuple[Expr, ...]]
    """What the refinement demands of who calls an operation: it must follow from the abstraction."""
    missing: tuple[Operation, ...] = ()
    """What the abstraction offers and the refinement does not."""

    def initialisation(self, model: Model, action: Action, executor: Executor) -> Action:
        """Return `action` with the initialisations that it refines."""
        start = model.initialisation
        execution = _Execution(Operation(INITIALISATION, (), (), start, start.span), self, executor)
        for each in self.abstractions:
            scope = executor.scope.checking(each.variables)
            inner = Executor(scope, executor.types, _callees(each), executor.top)
            execution.follow(each, inner, each.initialisation)
        return nondeterministic(lambda env: execution.initialise(env, action))

    def operation(self, operation: Operation, action: Action, executor: Executor) -> Action:
        """Return `action` with the operations that it refines."""
        execution = _Execution(operation, self, executor)
        for each in self.abstractions:
            inner = Executor(executor.scope, executor.types, _callees(each), executor.top)
            above = each.operations.get(operation.name)
            if above is None:  # a new operation refines what changes nothing
                execution.follow(each, inner, Skip(operation.span))
            else:
                execution.follow(each, inner, above.body, above.results)
        return nondeterministic(lambda env: execution.run(env, action))

    def breach(self, error: IllDefined) -> Breach | None:
        """Return what is no refinement."""
        return error.breach if isinstance(error, Unmet) else None


def _callees(abstraction: Abstraction) -> dict[str, Callee]:
    return {
        name: Callee(o.parameters, o.results, o.body) for name, o in abstraction.callable.items()
    }


@dataclass(frozen=True, slots=True)
class _Misfit:
    """Why an outcome has no counterpart."""

    fit: tuple[int, int]
    """How many levels above were matched, and how many demands of the next one were met."""
    reason: str
    span: Span | None = None


class _Explanation:
    """The misfit of the outcome that fits best: the one that explains most."""

    def __init__(self) -> None:
        self.best = _Misfit((-1, 0), "")

    def note(self, misfit: _Misfit) -> None:
        """Keep `misfit` if none was better."""
        if misfit.fit > self.best.fit:
            self.best = misfit


class _Follower:
    """What an abstraction does at the same time, compiled.

    `results` are its results, each with the place where the refinement has the same.
    """

    def __init__(
        self,
        depth: int,
        abstraction: Abstraction,
        executor: Executor,
        body: Substitution,
        results: Mapping[str, tuple[Binder, int]],
    ) -> None:
        self.depth = depth
        self.name = abstraction.name
        places = {x: executor.top.place(x) for x in sorted(abstraction.known)}
        sources = {**places, **{r: place for r, (_, place) in results.items()}}
        goals = {x: f"{x}{PRIME}" for x in sources}
        inner = executor.inside([Binder(goal) for goal in goals.values()])
        inner = inner.inside([binder for binder, _ in results.values()], assigned=False)
        self.action = inner.action(towards(body, _wanted(abstraction, goals)))
        self._inner, self._body = inner, body
        self.goals = [(inner.scope.place(goals[x]), place) for x, place in sources.items()]
        common = [x for x in sources if x in abstraction.variables or x in results]
        self.same = [(x, inner.scope.place(x), sources[x]) for x in common]
        self.results = results.keys()
        self.gluing = [(p, executor.top.code(p.predicate)) for p in abstraction.gluing]

    def outcomes(self, env: Env, below: Updates) -> Iterator[Updates]:
        """Yield what the abstraction may do where the level below does `below`."""
        for place, source in self.goals:
            env[place] = _value(env, below, source)
        return self.action.run(env)

    def explain(self, env: Env, below: Updates, why: _Explanation) -> None:
        """Note how outcomes that were not even looked at do not match, those that are found soon."""
        action = self._inner.action(self._body)
        trial = env.copy()
        widen(trial, self._inner.scope)
        trial[FAULTS], trial[GAPS] = [], []
        try:
            for own in islice(action.run(trial), MOST_EXPLAINED):
                why.note(self.misfit(trial, below, own) or why.best)
        except (IllDefined, Undecided):
            return  # what was found until now explains enough

    def misfit(self, env: Env, below: Updates, own: Updates) -> _Misfit | None:
        """Return why the outcome `own` does not match `below`, if it does not."""
        for number, (name, mine, theirs) in enumerate(self.same):
            if _value(env, own, mine) != _value(env, below, theirs):
                can = "return that" if name in self.results else f"change {name} like that"
                return _Misfit((self.depth, number), f"{self.name} cannot {can}")
        later = after(env, {**own, **below})
        for number, (conjunct, code) in enumerate(self.gluing, len(self.same)):
            if not code(later):
                reason = f"'{conjunct.name}' holds for no outcome of {self.name}"
                return _Misfit((self.depth, number), reason, conjunct.predicate.span)
        return None


class _Execution:
    """The initialisation or an operation of the refinement, and those that it refines."""

    def __init__(self, operation: Operation, joint: Joint, executor: Executor) -> None:
        self.name = operation.name
        self.span = operation.span
        self.joint = joint
        scope = executor.scope
        demands = joint.preconditions.get(operation.name, ())
        self.demands = [(each, scope.code(each)) for each in demands]
        self.parameters = [(b.name, scope.place(b.name)) for b in operation.parameters]
        self.results = [(b.name, scope.place(b.name)) for b in operation.results]
        self.variables = [(x, executor.top.place(x)) for x in sorted(joint.concrete)]
        self.followers: list[_Follower] = []

    def follow(
        self,
        abstraction: Abstraction,
        executor: Executor,
        body: Substitution,
        results: tuple[Binder, ...] = (),
    ) -> None:
        """Let `abstraction`, one level above the last one, do `body`."""
        places = (place for _, place in self.results)
        paired = {b.name: (b, place) for b, place in zip(results, places, strict=False)}
        depth = len(self.followers)
        self.followers.append(_Follower(depth, abstraction, executor, body, paired))

    def initialise(self, env: Env, action: Action) -> Iterator[Updates]:
        """Yield what all levels begin with."""
        for operation in self.joint.missing:
            name = f"{operation.name}: {self.joint.abstractions[0].below} has no such operation"
            self._note(env, name, operation.span)
        for updates in action.run(env):
            unset = [name for name, place in self.variables if place not in updates]
            if unset:
                complaint = f"{', '.join(unset)} is not initialised"
                env[FAULTS].append(IllDefined(complaint, self.span))
            else:
                yield from self._followed(env, updates)

    def run(self, env: Env, action: Action) -> Iterator[Updates]:
        """Yield what all levels do together."""
        for demand, code in self.demands:
            if not code(env):
                nearest = self.joint.abstractions[0]
                text = " ".join(demand.span.text.split())
                reason = f"{nearest.below} demands '{text}' of a caller, {nearest.name} does not"
                self._note(env, f"{self.name}: {reason}", demand.span)
                return
        for updates in action.run(env):
            yield from self._followed(env, updates)

    def _followed(self, env: Env, updates: Updates) -> Iterator[Updates]:
        why = _Explanation()
        gaps = len(env[GAPS])
        followed = False
        for together in self._together(env, updates, 0, why):
            followed = True
            yield together
        # What was not tried may be the counterpart: the gap is told, and nothing is blamed.
        if not followed and len(env[GAPS]) == gaps:
            if why.best.fit == (0, -1):
                self.followers[0].explain(env, updates, why)
            self._note(env, f"{self.name}: {why.best.reason}", why.best.span, updates)

    def _together(
        self, env: Env, below: Updates, depth: int, why: _Explanation
    ) -> Iterator[Updates]:
        """Yield `below` with what the levels from `depth` on do at the same time."""
        if depth == len(self.followers):
            yield below
            return
        follower = self.followers[depth]
        why.note(_Misfit((depth, -1), f"{follower.name} cannot do that here"))
        for own in follower.outcomes(env, below):
            misfit = follower.misfit(env, below, own)
            if misfit is None:
                yield from self._together(env, {**own, **below}, depth + 1, why)
            else:
                why.note(misfit)

    def _note(self, env: Env, name: str, span: Span | None, updates: Updates | None = None) -> None:
        """Remember what is no refinement, for which parameters, and what the refinement does."""
        done = {} if updates is None else updates
        witness = [(n, env[place]) for n, place in self.parameters]
        witness += [(n, done[place]) for n, place in self.results if place in done]
        witness += [(f"{n}{PRIME}", done[place]) for n, place in self.variables if place in done]
        breach = Breach(PropertyKind.REFINEMENT, name, span or self.span, tuple(witness))
        env[FAULTS].append(Unmet(breach))


def _wanted(abstraction: Abstraction, goals: Mapping[str, str]) -> Outcome:
    """Return what an outcome of `abstraction` must be like, where those below are as `goals` say."""
    invariant = [conjunct.predicate for conjunct in abstraction.gluing]
    return outcome(goals, invariant, abstraction.variables - abstraction.known)


def _value(env: Env, updates: Updates, place: int) -> Value:
    return updates[place] if place in updates else env[place]
