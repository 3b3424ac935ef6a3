"""Execution: a typed substitution becomes a function from environments to updates.

An update maps places of an environment to new values.  `run(env)` yields one update per
way the substitution can be executed and leaves the values of variables in `env` as they
are; it yields nothing where the substitution is not feasible.  What is known to have at
most one result also has `one(env)`, the update or None.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, assert_never

from secateur.maths import substitution as sub
from secateur.maths.ast import Apply, Binder, Expr, Name, conjunction, conjuncts, free_names
from secateur.maths.evaluate.compiler import Compiler
from secateur.maths.evaluate.environment import FAULTS, Code, Env, Stage
from secateur.maths.evaluate.plan import Leniency, plan_solutions
from secateur.maths.execute.assign import Target, target
from secateur.maths.execute.combine import choice, first_true, hiding, one_of, parallel, sequential
from secateur.maths.execute.gathering import addition, gathered, gathering
from secateur.maths.execute.loops import while_loop
from secateur.maths.execute.updates import Action, Updates, deterministic, nondeterministic
from secateur.maths.operators.comparison import MEMBER
from secateur.maths.operators.relations import PAIR
from secateur.maths.substitution import Substitution
from secateur.maths.types import Type
from secateur.maths.values import IllDefined, Value
from secateur.source.records import dataclass

NOTE: Final = Leniency.NOTE_ILL_DEFINED
"""A choice that is ill-defined for some values is still made among the others."""


@dataclass(frozen=True, slots=True)
class Callee:
    """An operation as its callers see it."""

    parameters: tuple[Binder, ...]
    results: tuple[Binder, ...]
    body: Substitution


class Executor:
    """Compiles substitutions in one scope."""

    def __init__(
        self,
        scope: Compiler,
        types: Mapping[str, Type],
        callees: Mapping[str, Callee],
        top: Compiler | None = None,
    ) -> None:
        self.scope = scope
        self.types = types
        self.callees = callees
        self.top = scope if top is None else top
        """The scope in which called operations are compiled: without local identifiers."""

    def inside(self, binders: Sequence[Binder], *, assigned: bool = True) -> Executor:
        """Return the executor of an inner scope; `assigned`: the binders have values from the start."""
        scope = self.scope.bind(binders)
        if not assigned:
            scope = scope.checking(b.name for b in binders)
        types = {**self.types, **{b.name: b.type for b in binders if b.type is not None}}
        return Executor(scope, types, self.callees, self.top)

    def action(self, s: Substitution) -> Action:
        """Return the compiled form of `s`."""
        match s:
            case sub.Skip():
                return deterministic(lambda env: {})
            case sub.Assign(targets, values):
                return self._assign(targets, values)
            case sub.BecomesElement():
                return self._becomes_element(s)
            case sub.BecomesSuch():
                return self._becomes_such(s)
            case sub.Precondition(condition, body):
                return self._asserted(condition, body, "precondition violated")
            case sub.Assertion(condition, body):
                return self._asserted(condition, body, "assertion violated")
            case sub.Select():
                return self._select(s)
            case sub.IfThen(branches, otherwise):
                tests = [(self.scope.code(b.condition), self.action(b.body)) for b in branches]
                return first_true(tests, self.action(otherwise or sub.Skip()))
            case sub.Case():
                return self._case(s)
            case sub.Choice(bodies):
                return choice([self.action(b) for b in bodies])
            case sub.AnyWhere(binders, condition, body) | sub.LetBe(binders, condition, body):
                return self._any(binders, condition, body)
            case sub.VarIn(binders, body):
                return self._local(binders, body)
            case sub.Parallel(parts):
                return parallel([self.action(p) for p in parts], s.span)
            case sub.Sequential(parts):
                return sequential([self.action(p) for p in parts])
            case sub.While():
                return self._while(s)
            case sub.OperationCall():
                return self._call(s)
            case _:
                assert_never(s)

    # -- assignments ------------------------------------------------------------------

    def _targets(self, targets: Sequence[Expr]) -> list[Target]:
        return [target(self.scope, t, self.types) for t in targets]

    def _assign(self, targets: Sequence[Expr], values: Sequence[Expr]) -> Action:
        codes = [self.scope.code(v) for v in values]
        places = [t.place for t in self._targets(targets) if t.whole]
        if len(places) == 1 and len(targets) == 1:
            added = addition(targets, values)
            if added is not None:
                items = [self.scope.code(item) for item in added[1].items]
                return gathering(places[0], codes[0], items)
            return _assign_one(places[0], codes[0])
        if len(places) == len(targets):
            return deterministic(_assign_places(places, codes))
        compiled = self._targets(targets)

        def assign(env: Env) -> Updates:
            values = [code(env) for code in codes]
            return _store(env, compiled, values)

        return deterministic(assign)

    def _becomes_element(self, s: sub.BecomesElement) -> Action:
        targets = self._targets(s.targets)
        names = [
            f"the new {t.text}" if isinstance(t, Name) else f"new {i}"
            for i, t in enumerate(s.targets)
        ]
        binders = [Binder(name, t.type) for name, t in zip(names, targets, strict=True)]
        inner = self.scope.bind(binders)
        element = _nested_pairs([Name(b.name) for b in binders])
        plan = plan_solutions(inner, binders, (_member(element, s.set),), NOTE)
        return nondeterministic(_store_solutions(plan.run, plan.places, targets))

    def _becomes_such(self, s: sub.BecomesSuch) -> Action:
        targets = self._targets(s.targets)
        binders = [Binder(t.text, self.types[t.text], t.span) for t in s.targets]
        scope = self.scope
        for binder in binders:
            scope = scope.bind_alias(f"{binder.name}$0", binder.name)
        plan = plan_solutions(scope.bind(binders), binders, (s.condition,), NOTE)
        return nondeterministic(_store_solutions(plan.run, plan.places, targets))

    # -- control ----------------------------------------------------------------------

    def _asserted(self, condition: Expr, body: Substitution, complaint: str) -> Action:
        test, action = self.scope.code(condition), self.action(body)

        def check(env: Env) -> None:
            if not test(env):
                raise IllDefined(complaint, condition.span)

        def one(env: Env) -> Updates | None:
            check(env)
            assert action.one is not None
            return action.one(env)

        def run(env: Env) -> Iterator[Updates]:
            check(env)
            yield from action.run(env)

        return nondeterministic(run) if action.one is None else deterministic(one)

    def _select(self, s: sub.Select) -> Action:
        branches = [(self.scope.code(b.condition), self.action(b.body)) for b in s.branches]
        otherwise = None if s.otherwise is None else self.action(s.otherwise)
        if len(branches) == 1:
            return first_true(branches, otherwise)

        def run(env: Env) -> Iterator[Updates]:
            chosen = [action for test, action in branches if test(env)]
            if not chosen and otherwise is not None:
                chosen = [otherwise]
            for action in chosen:
                yield from one_of(action, env)

        return nondeterministic(run)

    def _case(self, s: sub.Case) -> Action:
        subject = self.scope.code(s.subject)
        branches = [
            ([self.scope.code(v) for v in b.values], self.action(b.body)) for b in s.branches
        ]
        otherwise = self.action(s.otherwise or sub.Skip())

        def chosen(env: Env) -> Action:
            value = subject(env)
            for values, action in branches:
                if any(code(env) == value for code in values):
                    return action
            return otherwise

        if all(a.one is not None for _, a in branches) and otherwise.one is not None:
            return deterministic(lambda env: chosen(env).one(env))  # type: ignore[misc]
        return nondeterministic(lambda env: chosen(env).run(env))

    def _any(self, binders: Sequence[Binder], condition: Expr, body: Substitution) -> Action:
        inner = self.inside(binders)
        plan = plan_solutions(inner.scope, binders, (condition,), NOTE)
        action = inner.action(body)
        if action.one is None:

            def run(env: Env) -> Iterator[Updates]:
                for _ in plan.run(env):
                    yield from one_of(action, env)

            return nondeterministic(run)
        one = action.one

        def run_one(env: Env) -> Iterator[Updates]:
            for _ in plan.run(env):
                try:
                    updates = one(env)
                except IllDefined as error:
                    env[FAULTS].append(error)
                    continue
                if updates is not None:
                    yield updates

        return nondeterministic(run_one)

    def _local(self, binders: Sequence[Binder], body: Substitution) -> Action:
        inner = self.inside(binders, assigned=False)
        places = [inner.scope.place(b.name) for b in binders]
        return hiding(inner.action(body), places)

    def _while(self, s: sub.While) -> Action:
        before = self.scope
        names = sorted(n for n in self.types if before.varies(n) and f"{n}$0" in _used(before, s))
        start = before.bind([Binder(f"{n}$0") for n in names]).checking(f"{n}$0" for n in names)
        old = [(start.place(f"{n}$0"), before.place(n)) for n in names]
        names_added = sorted(gathered(s) & self.types.keys())
        return while_loop(
            self.scope.code(s.condition),
            self.action(s.body),
            (start.code(s.invariant), start.code(s.variant)),
            (old, [before.place(n) for n in names_added]),
            s,
        )

    def _call(self, s: sub.OperationCall) -> Action:
        callee = self.callees[s.operation]
        outer = Executor(self.top, self.types, self.callees)
        inner = outer.inside(callee.parameters).inside(callee.results, assigned=False)
        results_named = frozenset(b.name for b in callee.results)
        action = inner.action(_demanding_nothing_of(results_named, callee.body))
        arguments = [self.scope.code(a) for a in s.args]
        parameters = [inner.scope.place(b.name) for b in callee.parameters]
        results = [inner.scope.place(b.name) for b in callee.results]
        targets = self._targets(s.targets)

        def bind(env: Env) -> Env:
            values = [code(env) for code in arguments]
            called = env.copy()
            for place, value in zip(parameters, values, strict=True):
                called[place] = value
            for place in results:
                called[place] = None
            return called

        def finish(env: Env, updates: Updates) -> Updates:
            if not results:
                return updates
            kept = {p: v for p, v in updates.items() if p not in results}
            returned = [_result(updates, place, s) for place in results]
            return {**kept, **_store(env, targets, returned)} if targets else kept

        def run(env: Env) -> Iterator[Updates]:
            for updates in action.run(bind(env)):
                yield finish(env, updates)

        def one(env: Env) -> Updates | None:
            assert action.one is not None
            updates = action.one(bind(env))
            return None if updates is None else finish(env, updates)

        return nondeterministic(run) if action.one is None else deterministic(one)


def _demanding_nothing_of(results: frozenset[str], body: Substitution) -> Substitution:
    """Return `body` less what its precondition says of results: their typing, no demand."""
    if not isinstance(body, sub.Precondition):
        return body
    kept = [c for c in conjuncts(body.condition) if not free_names(c) & results]
    return sub.Precondition(conjunction(tuple(kept)), body.body, body.span) if kept else body.body


def _member(element: Expr, set_: Expr) -> Expr:
    return Apply(MEMBER, (element, set_), set_.span)


def _nested_pairs(names: Sequence[Name]) -> Expr:
    element: Expr = names[0]
    for name in names[1:]:
        element = Apply(PAIR, (element, name))
    return element


def _used(scope: Compiler, s: sub.While) -> frozenset[str]:
    return scope.free(s.invariant) | scope.free(s.variant)


def _result(updates: Updates, place: int, s: sub.OperationCall) -> Value:
    if place not in updates:
        raise IllDefined(f"{s.operation} returns without having assigned its result", s.span)
    return updates[place]


def _assign_one(place: int, code: Code) -> Action:
    def perform(env: Env, total: dict[int, Value]) -> bool:
        env[place] = total[place] = code(env)
        return True

    return deterministic(lambda env: {place: code(env)}, perform)


def _assign_places(places: Sequence[int], codes: Sequence[Code]) -> Callable[[Env], Updates]:
    pairs = list(zip(places, codes, strict=True))
    return lambda env: {place: code(env) for place, code in pairs}


def _store(env: Env, targets: Sequence[Target], values: Sequence[Value]) -> Updates:
    """Return the updates that put `values` into `targets`; parts of one variable add up."""
    updates: dict[int, Value] = {}
    for each, value in zip(targets, values, strict=True):
        old = updates.get(each.place, env[each.place])
        updates[each.place] = each.change(env, old, value)
    if len(updates) < len(targets):
        for each, value in zip(targets, values, strict=True):
            if each.read(env, updates[each.place]) != value:
                raise IllDefined("one element is assigned two values at once", each.span)
    return updates


def _store_solutions(
    run: Stage, places: Sequence[int], targets: Sequence[Target]
) -> Callable[[Env], Iterator[Updates]]:
    if all(t.whole for t in targets):
        pairs = [(t.place, place) for t, place in zip(targets, places, strict=True)]

        def whole(env: Env) -> Iterator[Updates]:
            for _ in run(env):
                yield {target: env[place] for target, place in pairs}

        return whole

    def parts(env: Env) -> Iterator[Updates]:
        for _ in run(env):
            yield _store(env, targets, [env[place] for place in places])

    return parts
