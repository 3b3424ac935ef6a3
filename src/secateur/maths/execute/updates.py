"""Updates of an environment and the compiled substitutions that produce them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from secateur.maths.evaluate.environment import Env
from secateur.maths.values import IllDefined, Value
from secateur.source import Span
from secateur.source.records import dataclass

Updates = Mapping[int, Value]


Perform = Callable[[Env, dict[int, Value]], bool]


@dataclass(frozen=True, slots=True, eq=False)
class Action:
    """A compiled substitution; `one` is given if there is never more than one result.

    Then there is also `perform(env, total)`, which executes it in `env` itself, notes in
    `total` what changed, and says whether that was possible: what loops run on.
    """

    run: Callable[[Env], Iterator[Updates]]
    one: Callable[[Env], Updates | None] | None = None
    perform: Perform | None = None


def deterministic(one: Callable[[Env], Updates | None], perform: Perform | None = None) -> Action:
    """Return the action with at most one result."""

    def run(env: Env) -> Iterator[Updates]:
        updates = one(env)
        if updates is not None:
            yield updates

    def perform_one(env: Env, total: dict[int, Value]) -> bool:
        updates = one(env)
        if updates is None:
            return False
        for place, value in updates.items():
            env[place] = value
        total.update(updates)
        return True

    return Action(run, one, perform or perform_one)


def performing(perform: Perform) -> Action:
    """Return the deterministic action that is best executed in place."""

    def one(env: Env) -> Updates | None:
        total: dict[int, Value] = {}
        return total if perform(env.copy(), total) else None

    return deterministic(one, perform)


def nondeterministic(run: Callable[[Env], Iterator[Updates]]) -> Action:
    """Return the action with any number of results."""
    return Action(run)


def after(env: Env, updates: Updates) -> Env:
    """Return a copy of `env` in which `updates` have happened."""
    changed = env.copy()
    for place, value in updates.items():
        changed[place] = value
    return changed


def agreeing(left: Updates, right: Updates, span: Span) -> None:
    """Raise IllDefined where two updates give one variable different values."""
    if any(left[place] != right[place] for place in left.keys() & right.keys()):
        raise IllDefined("parallel substitutions assign different values to one variable", span)


def merged(left: Updates, right: Updates, span: Span) -> Updates:
    """Return both updates at once."""
    if not left:
        return right
    if not left.keys().isdisjoint(right):
        agreeing(left, right, span)
    return {**left, **right}
