"""Finding the values of bound identifiers: which conjunct generates, which ones test.

A plan is made once, when a formula is compiled: nested loops, outermost first, each
driven by the cheapest conjunct that binds something new, with every test as early as
its identifiers are known.  What would have to enumerate a large space (subsets,
functions, integers without a bound) is left to the constraint solver.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from enum import Enum
from functools import partial
from typing import Final

from secateur.maths.ast import Apply, Binder, Exists, Expr, Labelled, Not, Or, conjuncts
from secateur.maths.ast import conjunction as conjunction_of
from secateur.maths.evaluate.candidates import candidates, solver_only
from secateur.maths.evaluate.careful import Careful, Noticing, going_on, only_tested
from secateur.maths.evaluate.context import (
    NO_AID,
    Aid,
    Candidate,
    Conjuncts,
    in_any_order,
    is_partial,
)
from secateur.maths.evaluate.costs import guessed_share, is_costly
from secateur.maths.evaluate.environment import FAULTS, GAPS, Code, Env, Plan, Scope, Stage
from secateur.maths.evaluate.implied import enclosed, implied, not_false, presupposed, ranged
from secateur.maths.evaluate.stages import EachElement
from secateur.maths.evaluate.testing import Condition, conjunction, tolerant
from secateur.maths.evaluate.unfolded import unfolded
from secateur.maths.operators import comparison
from secateur.maths.print import show
from secateur.maths.values import IllDefined, Undecided
from secateur.source.records import dataclass


class Leniency(Enum):
    """What a plan does about a test without an answer, other than let the error out."""

    NONE = "nothing"
    NOTE_ILL_DEFINED = "what is ill-defined is taken not to hold, and noted"
    ASSUME_UNDECIDED = "likewise; what cannot be decided is taken to hold, and said to be a gap"


ASSUMED: Final = " is assumed: "
MANY: Final = 200_000
"""More rounds of nested loops than this, as far as one can guess, are the solver's work."""


VAST: Final = 500_000
"""Identifiers times conjuncts: beyond this, weighing all ways would take too long."""


def plan_solutions(
    scope: Scope,
    binders: Sequence[Binder],
    condition: Sequence[Expr],
    lenient: Leniency = Leniency.NONE,
    *,
    hints: Sequence[Expr] = (),
) -> Plan:
    """Return a plan that finds all values of `binders` with which all of `condition` holds.

    `scope` already knows the binders.  Solutions are distinct.  `hints` may serve to find
    values, too; they are not tested.  What is ill-defined for some values is told, or noted, after
    the solutions, unless another conjunct is false for the same values.
    """
    return _plan(_Task(scope, tuple(binders), _parts(condition), lenient, _parts(hints)))


def plan_in_turn(
    scope: Scope, binders: Sequence[Binder], condition: Sequence[Expr], rest: Sequence[Expr]
) -> tuple[Plan, bool]:
    """Return a plan for `condition` and, looked at in turn where that holds, the `rest`.

    And whether some of the rest is of no use to find values.

    As long as nothing before it can be ill-defined, a part of the rest is a conjunct like others: it
    may serve to find values.  Behind what can be, it would hide for which values that is so.
    """
    parts, later = _parts(condition), _parts(rest)
    known = {hint for part in parts for hint in presupposed(part)}
    useless = tuple(hint for part in later for hint in presupposed(part) if hint not in known)
    free = 0 if any(map(is_partial, parts)) else in_any_order(later)
    task = _Task(scope, tuple(binders), (*parts, *later[:free]), Leniency.NONE, useless=useless)
    return _plan(replace(task, rest=later[free:])), free < len(later)


def _subplan(
    planner: _Planner,
    scope: Scope,
    binders: Sequence[Binder],
    condition: Sequence[Expr],
    *,
    aid: Aid = NO_AID,
) -> Plan:
    """Return the plan of a part of what `planner` plans, with as much care."""
    task = planner.task
    useless = (*task.useless, *aid.useless)
    parts = _parts(condition)
    part = _Task(scope, tuple(binders), parts, task.lenient, aid.hints, useless, is_part=True)
    return _one_plan(part, planner.noticing)


def _plan(task: _Task) -> Plan:
    fast = _one_plan(task)
    if not task.binders:
        return fast
    careful = _once_made(lambda: _careful(task, fast))
    run = fast.run
    if task.can_fail():
        run = going_on(fast.run, careful, fast.places, task.scope)
    ways = (fast.run, lambda: careful().run)
    return Plan(run, fast.bounded, fast.places, fast.finite, fast.asked, ways)


def _one_plan(task: _Task, noticing: Noticing | None = None) -> Plan:
    planner = _Planner(task, noticing=noticing)
    plan = planner.plan()
    if planner.rounds > MANY:
        return _Planner(task, noticing=noticing, loops_wanted=False).plan()
    return plan


def _careful(task: _Task, fast: Plan) -> Careful:
    """Return the search that goes on past what is ill-defined.

    What can be ill-defined is no way to find values, unless there is no other.
    """
    place = task.scope.bind([Binder("what was noticed")]).place("what was noticed")
    noticing = Noticing(place, strict=task.lenient is Leniency.NONE)
    if not fast.asked:
        for each in _without_risk(task):
            plan = _one_plan(each, noticing)
            if not plan.asked:
                return Careful(noticing.whole(plan.run), noticing.has_failed)
    last = replace(task, condition=tuple(sorted(task.condition, key=is_partial)))
    return Careful(noticing.whole(_one_plan(last, noticing).run), noticing.has_failed)


def _without_risk(task: _Task) -> Iterator[_Task]:
    """Yield the same task with what can be ill-defined as a test only; first without hints."""
    risky = [e for e in task.condition if is_partial(e)]
    safe = replace(task, condition=_tested(task.condition), hints=(), rest=_tested(task.rest))
    yield safe
    hints = [e for e in task.hints if not is_partial(e)]
    hints.extend(e for e in map(not_false, risky) if e is not None)
    if hints:
        yield replace(safe, hints=tuple(hints))


def _tested(condition: Sequence[Expr]) -> tuple[Expr, ...]:
    return tuple(only_tested(e) if is_partial(e) else e for e in condition)


def _once_made(make: Callable[[], Careful]) -> Callable[[], Careful]:
    careful: Careful | None = None

    def made() -> Careful:
        nonlocal careful
        if careful is None:
            careful = make()
        return careful

    return made


@dataclass(frozen=True, slots=True, eq=False)
class _Task:
    """What a plan is wanted for."""

    scope: Scope
    binders: tuple[Binder, ...]
    condition: tuple[Expr, ...]
    lenient: Leniency
    hints: tuple[Expr, ...] = ()
    useless: tuple[Expr, ...] = ()
    """Hints that proved to be of no use."""
    is_part: bool = False
    """Whether it is a part of another one, which sees to what is ill-defined."""
    rest: tuple[Expr, ...] = ()
    """What is looked at in turn where all of the condition holds."""

    def can_fail(self) -> bool:
        """Whether something in it can be ill-defined."""
        return any(map(is_partial, (*self.condition, *self.rest)))


def _parts(condition: Sequence[Expr]) -> tuple[Expr, ...]:
    return tuple(_bare(part) for each in condition for part in conjuncts(_bare(each)))


class _Planner:
    """The state of making one plan."""

    def __init__(
        self, task: _Task, *, noticing: Noticing | None = None, loops_wanted: bool = True
    ) -> None:
        self.task = task
        self.noticing = noticing
        self.scope = task.scope
        self.lenient = task.lenient
        self.loops_wanted = loops_wanted
        self.unbound = {b.name: b for b in task.binders}
        self.places = tuple(task.scope.place(b.name) for b in task.binders)
        self.todo: dict[int, Expr] = {}
        self.extra: dict[int, Expr] = {}
        """Consequences, to generate from; nobody needs to test them."""
        self._demand(task.condition, task.hints)
        self.rest = task.rest
        self.late: list[Expr] = []
        self.loops: list[tuple[Stage, list[Condition]]] = [(_once, [])]
        self.bounded = self.finite = True
        self.asked: set[str] = set()
        self.rounds = 0.0
        """A guess at how often the innermost loop that still tests something is run."""
        self._width = 1.0

    def _demand(self, condition: Sequence[Expr], hints: Sequence[Expr] = ()) -> None:
        self.todo = dict(enumerate(condition))
        hints = list(hints)
        # Where a consequence is false, what it follows from may be ill-defined rather than false.
        hints.extend(hint for part in condition if not is_partial(part) for hint in implied(part))
        hints.extend(enclosed(condition))
        hints.extend(ranged(condition))
        hints.extend(unfolded(condition))
        useful = (hint for hint in hints if hint not in self.task.useless)
        self.extra = dict(enumerate(useful, len(self.todo)))

    def plan(self) -> Plan:
        """Choose stage after stage until everything is bound and tested."""
        self._test_what_is_known()
        while self.unbound:
            if self.rest and not self.todo:
                self._go_on_with_the_rest()
            else:
                self._forget_known_hints()
                self._use(self._best())
            self._test_what_is_known()
        self._test_at_last(self.late)
        if self.rest:
            self._test_at_last([conjunction_of(self.rest)])
        run = _nested(self.loops)
        return Plan(run, self.bounded, self.places, self.finite, frozenset(self.asked))

    def _go_on_with_the_rest(self) -> None:
        """Demand more, where everything so far holds."""
        self._test_at_last(self.late)
        self.late = []
        self.loops.append((_once, []))
        count = in_any_order(self.rest)
        self._demand(self.rest[:count])
        self.rest = self.rest[count:]

    def _best(self) -> Candidate:
        """Return the cheapest way to bind something next."""
        conjuncts_ = Conjuncts(self.todo, self.extra, self.task.useless)
        subplan = partial(_subplan, self)
        if len(self.unbound) * len(self.todo) > VAST:
            return solver_only(self.scope, self.unbound, conjuncts_, subplan)
        choices = []
        for candidate in candidates(self.scope, self.unbound, conjuncts_, subplan):
            if candidate.cost <= 0:
                return candidate
            choices.append(candidate)
        best = min(choices, key=lambda candidate: candidate.cost)
        asked = best.cost >= 1 and not self.loops_wanted
        return choices[-1] if asked else best  # the last one is the solver

    def _forget_known_hints(self) -> None:
        self.extra = {
            number: hint
            for number, hint in self.extra.items()
            if self.scope.free(hint) & self.unbound.keys()
        }

    def _test_what_is_known(self) -> None:
        tests = self.loops[-1][1]
        total = True
        costly = False
        for number, conjunct in self._in_order():
            out_of_turn = next(iter(self.todo)) != number
            del self.todo[number]
            self.rounds = max(self.rounds, self._width)
            self._width = max(1.0, self._width * guessed_share(conjunct))
            code = self._code(conjunct)
            if self.noticing is not None or (out_of_turn and is_partial(conjunct)):
                # An earlier conjunct may yet make this one irrelevant: what is
                # ill-defined now is asked again at the end.
                tests.append(Condition(tolerant(self.scope.code(conjunct))))
                self.late.append(conjunct)
            else:
                # What comes before must not be ill-defined where this one does not hold.
                ahead = tolerant(self.scope.code(conjunct)) if total and costly else None
                tests.append(Condition(code, ahead))
            total = total and not is_partial(conjunct)
            costly = costly or is_costly(conjunct)

    def _in_order(self) -> list[tuple[int, Expr]]:
        """Return what can be tested now: first what goes through no values of its own.

        Where nothing is searched for, what can be ill-defined keeps its place among the
        conjuncts: formulas are evaluated from left to right.
        """
        known = [
            (number, conjunct)
            for number, conjunct in self.todo.items()
            if not self.scope.free(conjunct) & self.unbound.keys()
        ]
        if not self.places and any(is_partial(conjunct) for _, conjunct in known):
            return known
        return sorted(known, key=lambda item: is_costly(item[1]))

    def _code(self, conjunct: Expr) -> Code:
        code = self.scope.code(conjunct)
        if not self.places and not self.task.is_part and self.lenient is not Leniency.NONE:
            code = _noting(code, conjunct)  # nothing is searched for: this is the end of it
        return _assuming(code, conjunct) if self.lenient is Leniency.ASSUME_UNDECIDED else code

    def _test_at_last(self, conjuncts_: Sequence[Expr]) -> None:
        codes = [self._code(conjunct) for conjunct in conjuncts_]
        if self.noticing is not None and codes:
            codes = [self.noticing.test(codes)]
        self.loops[-1][1].extend(map(Condition, codes))

    def _use(self, candidate: Candidate) -> None:
        stage = candidate.stage
        self.loops.append((stage if self.noticing is None else self.noticing.stage(stage), []))
        self.bounded = self.bounded and candidate.bounded
        self.finite = self.finite and (candidate.bounded or candidate.finite)
        self.asked |= frozenset() if candidate.bounded else candidate.binds
        self._width *= candidate.size
        for name in candidate.binds:
            del self.unbound[name]
        for number in candidate.settles:
            if self.noticing is not None and _may_fail_elsewhere(self.todo.get(number)):
                continue
            self.todo.pop(number, None)
            self.extra.pop(number, None)


def _may_fail_elsewhere(e: Expr | None) -> bool:
    """Whether `e` can be ill-defined for values that one part of it gives, because of others."""
    return isinstance(e, Or | Exists) and is_partial(e)


def _is_weak(e: Expr) -> bool:
    """Whether `e` excludes so little that it does not make the loops after it shorter."""
    match e:
        case Not():
            return True
        case Apply(operator, _):
            return operator in _WEAK
        case _:
            return False


_WEAK: Final = frozenset({comparison.NOT_EQUAL, comparison.NOT_MEMBER})


def _bare(e: Expr) -> Expr:
    return _bare(e.body) if isinstance(e, Labelled) else e


def _assuming(code: Code, conjunct: Expr) -> Code:
    def test(env: Env) -> bool:
        try:
            return bool(code(env))
        except Undecided as error:
            env[GAPS].append(f"{show(conjunct)}{ASSUMED}{error.what}")
            return True

    return test


def _noting(code: Code, conjunct: Expr) -> Code:
    if not is_partial(conjunct):
        return code

    def test(env: Env) -> bool:
        try:
            return bool(code(env))
        except IllDefined as error:
            env[FAULTS].append(error)
            return False

    return test


def _nested(loops: Sequence[tuple[Stage, list[Condition]]]) -> Stage:
    run: Stage | None = None
    for stage, tests in reversed(loops):
        if stage is _once and not tests and run is not None:
            continue
        run = _loop(stage, conjunction(tests), run)
    assert run is not None
    return run


def _loop(stage: Stage, test: Code | None, inner: Stage | None) -> Stage:
    """Return the loop over `stage`, where `test` holds, around `inner`."""
    if inner is None:
        return stage if test is None else _filtered(stage, test)

    def nested(env: Env) -> Iterator[None]:
        for _ in stage(env):
            yield from inner(env)

    def nested_test(env: Env) -> Iterator[None]:
        assert test is not None
        for _ in stage(env):
            if test(env):
                yield from inner(env)

    return nested if test is None else nested_test


def _filtered(stage: Stage, test: Code) -> Stage:
    if isinstance(stage, EachElement):
        return stage.where(test)

    def filtered(env: Env) -> Iterator[None]:
        for _ in stage(env):
            if test(env):
                yield

    return filtered


def _once(_: Env) -> Iterator[None]:
    yield
