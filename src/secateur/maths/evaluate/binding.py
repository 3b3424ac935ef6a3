"""The code of the nodes that bind identifiers: quantifiers, comprehensions, lambda, LET."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial, reduce
from operator import add, mul
from typing import Final

from secateur.maths import ast
from secateur.maths.ast import Binder, Expr, Quantifier
from secateur.maths.evaluate.bounds import interval_of
from secateur.maths.evaluate.boxes import arguments_of, box_of, enclosure_of, sides_of
from secateur.maths.evaluate.careful import first_error
from secateur.maths.evaluate.closures import list_or_defer, listed_if_small
from secateur.maths.evaluate.effort import within
from secateur.maths.evaluate.environment import (
    GAPS,
    METER,
    Code,
    Env,
    Plan,
    Scope,
    Stage,
    every_solution,
    late,
    wide,
    widen,
)
from secateur.maths.evaluate.plan import plan_in_turn, plan_solutions
from secateur.maths.evaluate.ranges import range_of_lambda
from secateur.maths.evaluate.rules import FunctionRule, Rule
from secateur.maths.operators import comparison, sets
from secateur.maths.print import show
from secateur.maths.types import INTEGER, Power
from secateur.maths.values import IllDefined, SetValue, Undecided, Value

NODES_PER_STEP: Final = 2
GUESSES: Final = (0, 1)
GUESSING: Final = 100
"""The steps that it may take to try one of these numbers."""
UNBOUNDED: Final = 20_000
"""The steps that it may take to try values of which only what must not be asked says anything."""
QUESTION: Final = 4
"""The steps that it takes to ask whether there is a solution, apart from the candidates."""


def exists(scope: Scope, e: ast.Exists) -> Code:
    """Return the code of `#x.(P)`: whether a solution is found."""
    inner = scope.bind(e.binders)
    plan = plan_solutions(inner, e.binders, (e.body,))
    finds = _finds(inner, plan, e)
    if any(b.type is not INTEGER for b in e.binders):
        return finds
    body = late(inner, lambda: inner.code(e.body))
    holds_for = partial(_holds_for, plan.places, body)
    unbounded = plan.asked.issuperset(b.name for b in e.binders)

    def found(env: Env) -> bool:
        if unbounded and any(holds_for(number, GUESSING, env) for number in GUESSES):
            return True
        try:
            settled: bool = finds(env)
        except Undecided:
            # One that holds settles it; compiled code does not know how long it took to find.
            if any(holds_for(number, None, env) for number in GUESSES):
                return True
            raise
        return settled

    return found


def _holds_for(places: Sequence[int], body: Code, number: int, steps: int | None, env: Env) -> bool:
    """Whether `body` plainly holds if all that it is about is `number`, within some steps.

    To ask the solver takes long, and most of what holds for some integer holds for these.
    """
    for place in places:
        env[place] = number
    gaps = env[GAPS]
    before = len(gaps)
    try:
        if steps is None:
            return body(env) is True
        return within(env[METER], steps, lambda: body(env)) is True
    except (IllDefined, Undecided):
        return False
    finally:
        del gaps[before:]


def _finds(scope: Scope, plan: Plan, e: Expr) -> Code:
    """Return the code of the question whether `plan` has a solution.

    One that is found settles it, whatever is ill-defined or undecided for other values.
    """
    assert plan.ways is not None, "there is something to be found"
    fast, careful = plan.ways

    def finds(env: Env) -> bool:
        # As `every_solution` does, for the first: this is asked so often that it must be short.
        env[METER].spend(QUESTION)
        gaps = env[GAPS]
        before = len(gaps)
        try:
            try:
                for _ in fast(env):
                    return True
            except (IllDefined, Undecided):
                del gaps[before:]
                again = careful()
                widen(env, scope)
                for _ in again(env):
                    return True
            if len(gaps) > before:
                raise Undecided(f"{gaps[before]} in {show(e)} has no bound")
        finally:
            del gaps[before:]
        return False

    return finds


def forall(scope: Scope, e: ast.Forall) -> Code:
    """Return the code of `!x.(P => Q)`: whether no solution of P fails Q.

    A body that is a conjunction of implications is asked one by one, so that each has
    its own way of finding values.
    """
    inner = scope.bind(e.binders)
    questions = [_finds(inner, plan, e) for plan in refutations(inner, e)]
    if len(questions) == 1:
        (fails,) = questions
        return lambda env: not fails(env)
    return lambda env: not _any_of(questions, env)


def _any_of(questions: Sequence[Code], env: Env) -> bool:
    """Whether the answer to one of `questions` is yes; what the others lack does not matter then."""
    errors: list[IllDefined | Undecided] = []
    for question in questions:
        try:
            if question(env):
                return True
        except (IllDefined, Undecided) as error:
            errors.append(error)
    if errors:
        raise first_error(errors)
    return False


def refutations(inner: Scope, e: ast.Forall) -> list[Plan]:
    """Return plans that find where `!x.(P => Q)` fails, part by part; `inner` knows the binders."""
    plans = []
    for part in ast.conjuncts(e.body):
        premises, conclusion = _implication(part)
        fails = refuted(conclusion)
        plan, some_useless = plan_in_turn(inner, e.binders, premises, fails)
        if some_useless and not (plan.bounded or plan.finite):
            # Only parts of the conclusion may say which values there are: one of those settles it.
            plans.append(plan_solutions(inner, e.binders, (*premises, *fails)))
            plan = _if_soon(plan, e)
        plans.append(plan)
    return plans


def _if_soon(plan: Plan, e: ast.Forall) -> Plan:
    """Return the plan that finds one solution, and gives up where that takes long."""
    assert plan.ways is not None, "there is something to be found"
    fast, careful = plan.ways

    def soon(stage: Stage) -> Stage:
        def run(env: Env) -> Iterator[None]:
            found = within(env[METER], UNBOUNDED, lambda: any(True for _ in stage(env)))
            if found is None:
                raise Undecided(f"the values in {show(e)} have no bound")
            if found:
                yield

        return run

    return replace(plan, run=soon(plan.run), ways=(soon(fast), lambda: soon(careful())))


def counterexample(scope: Scope, e: ast.Forall) -> Code:
    """Return code that finds values of the binders, with their names, for which the body fails."""
    plans = refutations(scope.bind(e.binders), e)
    names = [b.name for b in e.binders]

    def find(env: Env) -> tuple[tuple[str, Value], ...]:
        for plan in plans:
            for _ in plan.run(env):
                return tuple((n, env[i]) for n, i in zip(names, plan.places, strict=True))
        return ()

    return find


def _implication(e: Expr) -> tuple[tuple[Expr, ...], Expr]:
    """Return premises and conclusion of nested implications."""
    premises: tuple[Expr, ...] = ()
    while isinstance(e, ast.Implies | ast.Labelled):
        if isinstance(e, ast.Implies):
            premises = (*premises, e.left)
            e = e.right
        else:
            e = e.body
    return premises, e


def refuted(e: Expr) -> tuple[Expr, ...]:
    """Return what holds where `e` does not, part by part in the order of evaluation.

    Each part can then bound what is quantified: `x : S` in `x : S => P` or in `x /: S or P`.
    """
    match e:
        case ast.Labelled():
            return refuted(e.body)
        case ast.Not(body):
            return (body,)
        case ast.Or(parts):
            return tuple(part for each in parts for part in refuted(each))
        case ast.Implies(left, right):
            return (left, *refuted(right))
        case ast.Apply(operator, args) if operator in _OPPOSITES:
            return (ast.Apply(_OPPOSITES[operator], args, e.span),)
        case _:
            return (ast.Not(e, e.span),)


_OPPOSITES: Final = {
    comparison.NOT_MEMBER: comparison.MEMBER,
    comparison.NOT_EQUAL: comparison.EQUAL,
    comparison.NOT_SUBSET: comparison.SUBSET,
}


def let(scope: Scope, e: ast.Let) -> Code:
    """Return the code of `LET x BE x = a IN body END`."""
    inner = scope.bind(e.binders)
    plan = plan_solutions(inner, e.binders, (e.condition,))
    body = inner.code(e.body)
    run = plan.run

    def let_(env: Env) -> Value:
        for _ in run(env):
            return body(env)
        raise IllDefined("LET without a solution", e.span)

    return let_


# -- sets and functions by rule ---------------------------------------------------------


def comprehension(scope: Scope, e: ast.Comprehension) -> Code:
    """Return the code of `{x, y | P}` or `{x, y . P | E}`."""
    interval = interval_of(scope, e)
    if interval is not None:
        return interval
    box = box_of(scope, e.binders, e.condition) if e.value is None else None
    if box is not None:
        return lambda env: listed_if_small(box(env))
    inner = scope.bind(e.binders)
    rule = _rule(scope, inner, e, e.value)
    related = e.value is None and len(e.binders) > 1
    function = cache(lambda: _comprehended_function(scope, e)) if related else None
    return lambda env: list_or_defer(rule, function, env)


def lambda_(scope: Scope, e: ast.Lambda) -> Code:
    """Return the code of `%(x, y).(P | E)`."""
    inner = scope.bind(e.binders)
    arguments = _tuple(inner, e.binders)
    value = inner.code(e.value)
    test = late(inner, lambda: inner.code(e.condition))
    plan = plan_solutions(inner, e.binders, (e.condition,))
    bind_arguments = _destructure(inner, e.binders)
    text, captured = show(e), _captured(scope, e)

    def holds(env: Env) -> bool:
        return bool(test(env)) and bool(value(env) == env[result])

    result = inner.bind([Binder("result")]).place("result")

    def bind(env: Env, candidate: Value) -> None:
        bind_arguments(env, candidate[0])
        env[result] = candidate[1]

    box = box_of(scope, e.binders, e.condition)
    rule = Rule(
        text,
        plan,
        holds,
        lambda env: (arguments(env), value(env)),
        bind,
        captured,
        weight=_weight(e),
        box=box,
    )
    domain = Rule(f"dom({text})", plan, test, arguments, bind_arguments, captured)
    sides = sides_of(scope, e.binders, e.condition)
    bound = (
        range_of_lambda(scope, inner, list(zip(e.binders, sides, strict=True)), e.value)
        if sides
        else None
    )
    function = FunctionRule(bind_arguments, test, value, None, domain, bound)
    patient = scope.patient
    return lambda env: list_or_defer(rule, lambda: function, env, patient=patient)


def _rule(scope: Scope, inner: Scope, e: ast.Comprehension, value: Expr | None) -> Rule:
    plan = plan_solutions(inner, e.binders, (e.condition,))
    test = late(inner, lambda: inner.code(e.condition))
    element = _tuple(inner, e.binders) if value is None else inner.code(value)
    bind = _destructure(inner, e.binders) if value is None else None
    simple = not any(isinstance(b.type, Power) for b in e.binders)
    enclosure = (
        enclosure_of(scope, e.binders, e.condition, len(e.binders)) if value is None else None
    )
    related = value is None and len(e.binders) > 1
    return Rule(
        show(e),
        plan,
        test,
        element,
        bind,
        _captured(scope, e),
        simple,
        _weight(e),
        box=arguments_of(scope, e.binders, e.condition) if related else None,
        enclosure=enclosure,
    )


def _comprehended_function(scope: Scope, e: ast.Comprehension) -> FunctionRule:
    """Return how `{x, y | P}` is applied: x is bound, y is searched for."""
    *arguments, result = e.binders
    outer = scope.bind(arguments)
    inner = outer.bind([result])
    images = wide(plan_solutions(inner, [result], (e.condition,)), scope)
    place = inner.place(result.name)
    some_image = ast.Exists((result,), e.condition, e.span)
    destructure = _destructure(outer, arguments)

    def bind(env: Env, argument: Value) -> None:
        widen(env, scope)
        destructure(env, argument)

    domain = Rule(
        f"dom({show(e)})",
        wide(plan_solutions(outer, arguments, (some_image,)), scope),
        outer.code(some_image),
        _tuple(outer, arguments),
        bind,
        _captured(scope, e),
        enclosure=enclosure_of(scope, e.binders, e.condition, len(arguments)),
    )
    return FunctionRule(bind, None, None, (images, lambda env: env[place]), domain)


def _weight(e: Expr) -> float:
    """Return a guess at the steps that computing an element takes, loops in it apart."""
    return 1 + sum(1 for _ in ast.walk(e)) / NODES_PER_STEP


def _captured(scope: Scope, e: Expr) -> tuple[int, ...]:
    return tuple(scope.place(name) for name in sorted(scope.free(e)) if scope.varies(name))


def _tuple(scope: Scope, binders: Sequence[Binder]) -> Code:
    """Return the code of `x |-> y |-> z`."""
    places = [scope.place(b.name) for b in binders]
    if len(places) == 1:
        (only,) = places
        return lambda env: env[only]
    if len(places) == 2:
        left, right = places
        return lambda env: (env[left], env[right])
    return lambda env: reduce(lambda a, b: (a, b), [env[i] for i in places])


def _destructure(scope: Scope, binders: Sequence[Binder]) -> Callable[[Env, Value], None]:
    """Return what puts the components of `x |-> y |-> z` where the binders are."""
    first, *others = [scope.place(b.name) for b in binders]
    backwards = tuple(reversed(others))

    def destructure(env: Env, value: Value) -> None:
        for place in backwards:
            value, env[place] = value
        env[first] = value

    return destructure


# -- SIGMA and its kin --------------------------------------------------------------------


def quantified(scope: Scope, e: ast.Quantified) -> Code:
    """Return the code of `SIGMA(x).(P | E)` and its kin."""
    inner = scope.bind(e.binders)
    plan = plan_solutions(inner, e.binders, (e.condition,))
    value = inner.code(e.value)
    gather = _GATHER[e.quantifier]
    text = partial(show, e)

    def all_values(env: Env) -> Value:
        values = [value(env) for _ in every_solution(plan, env, text)]
        try:
            return gather(values)
        except IllDefined as error:
            error.span = e.span
            raise

    return all_values


def _union(values: list[SetValue]) -> SetValue:
    if all(isinstance(v, frozenset) for v in values):
        return frozenset[Value]().union(*values)
    union = sets.UNION.apply
    assert union is not None
    return reduce(union, values)


def _intersection(values: list[SetValue]) -> SetValue:
    if not values:
        raise IllDefined("INTER over nothing")
    intersection = sets.INTERSECTION.apply
    assert intersection is not None
    return reduce(intersection, values)


_GATHER: dict[Quantifier, Callable[[list[Value]], Value]] = {
    Quantifier.SIGMA: lambda values: reduce(add, values, 0),
    Quantifier.PI: lambda values: reduce(mul, values, 1),
    Quantifier.UNION: _union,
    Quantifier.INTER: _intersection,
}
