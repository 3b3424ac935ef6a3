"""Values that are found once: what conditions on constants alone leave of a large space.

`ANY s WHERE s : 1..n --> 1..n & hard(s) & s(1) = x`: where `hard` is about s and constants,
the functions that it allows are the same in all states.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from typing import Final

from secateur.lang.compile.scope import Constants, Scope
from secateur.lang.compile.values import NotCompiled
from secateur.maths.ast import Apply, Binder, Name, Number, free_names
from secateur.maths.ast import Expr as Formula
from secateur.maths.evaluate.costs import LARGE
from secateur.maths.evaluate.effort import within
from secateur.maths.evaluate.environment import METER, Env, every_solution, widen
from secateur.maths.evaluate.environment import Scope as Evaluator
from secateur.maths.evaluate.plan import plan_solutions
from secateur.maths.evaluate.stages import SMALL_SPACE
from secateur.maths.operators import comparison
from secateur.maths.values import IllDefined, Undecided, Value, cardinality

STEPS: Final = 500_000
"""How many steps it may take to find the values, for all solutions of the constants."""


def likeness(e: Formula) -> Hashable:
    """Return what an expression shares with those that say the same elsewhere, while it lives.

    Models name the same constants over and over.  Only what is plainly the same is taken for it.
    """
    match e:
        case Name(text):
            return text
        case Number(value):
            return value
        case Apply(operator, args):
            return (operator, *map(likeness, args))
        case _:
            return ("only this", id(e))


def steady(
    binder: Binder,
    unbound: Collection[str],
    todo: Sequence[Formula],
    scope: Scope,
    constants: Constants,
) -> list[Formula]:
    """Return the conditions that are about one identifier and constants.

    There are none if these do not choose from a large space: going through a small one does
    not take long, and there a condition that is ill-defined counts though a later one fails.
    """
    found = [
        c
        for c in todo
        if binder.name in (names := free_names(c))
        and not any(scope.knows(n) or n in unbound for n in names - {binder.name})
    ]
    spaces = [c for c in found if _space(c, binder.name) is not None]
    if len(found) == len(spaces) or not spaces:
        return []
    return found if all(_is_large(c, constants) for c in spaces) else []


def _space(c: Formula, name: str) -> Formula | None:
    """Return the set of subsets, or of functions, that a condition says something is from."""
    match c:
        case Apply(comparison.SUBSET, (Name(text), right)) if text == name:
            return right
        case Apply(comparison.MEMBER, (Name(text), Apply(operator, _) as right)):
            return right if text == name and operator in LARGE else None
    return None


def _is_large(c: Formula, constants: Constants) -> bool:
    """Whether the evaluator would leave a space to the solver, too, for some of the constants."""
    assert isinstance(c, Apply)
    try:
        sets = constants.evaluate(c.args[1])
        sizes = [cardinality(s) for s in sets]
    except (IllDefined, Undecided):
        return True
    if c.operator is comparison.SUBSET:
        return any(size is None or size >= SMALL_SPACE.bit_length() for size in sizes)
    return any(size is None or size > SMALL_SPACE for size in sizes)


def solutions(
    scope: Evaluator, environments: Sequence[Env], binder: Binder, conditions: Sequence[Formula]
) -> list[list[Value]]:
    """Return the values that meet the conditions, for each solution of the constants.

    Raises NotCompiled if that takes long, or if not all are found.
    """
    inner = scope.bind([binder])
    plan = plan_solutions(inner, [binder], conditions)
    place = inner.place(binder.name)

    def listed(env: Env) -> list[Value]:
        widen(env, inner)
        return [env[place] for _ in every_solution(plan, env, lambda: binder.name)]

    try:
        found = within(environments[0][METER], STEPS, lambda: [listed(env) for env in environments])
    except (IllDefined, Undecided) as error:
        raise NotCompiled(f"the values of {binder.name} are not known: {error}") from error
    if found is None:
        raise NotCompiled(f"to find the values of {binder.name} takes long")
    return found
