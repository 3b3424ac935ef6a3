"""How compiled substitutions combine: choice, parallel and sequential composition."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from secateur.maths.evaluate.environment import FAULTS, Code, Env
from secateur.maths.execute.updates import (
    Action,
    Updates,
    after,
    agreeing,
    deterministic,
    merged,
    nondeterministic,
    performing,
)
from secateur.maths.values import IllDefined, Value
from secateur.source import Span


def first_true(branches: Sequence[tuple[Code, Action]], otherwise: Action | None) -> Action:
    """Return the action of the first branch whose condition holds."""

    def chosen(env: Env) -> Action | None:
        for test, action in branches:
            if test(env):
                return action
        return otherwise

    actions = [action for _, action in branches] + ([] if otherwise is None else [otherwise])
    if all(action.one is not None for action in actions):

        def one(env: Env) -> Updates | None:
            action = chosen(env)
            return None if action is None else action.one(env)  # type: ignore[misc]

        def perform(env: Env, total: dict[int, Value]) -> bool:
            action = chosen(env)
            return action is not None and action.perform(env, total)  # type: ignore[misc]

        return deterministic(one, perform)

    def run(env: Env) -> Iterator[Updates]:
        action = chosen(env)
        if action is not None:
            yield from action.run(env)

    return nondeterministic(run)


def one_of(action: Action, env: Env) -> Iterator[Updates]:
    """Yield the updates of one choice among others, which go on if this one is ill-defined."""
    try:
        yield from action.run(env)
    except IllDefined as error:
        env[FAULTS].append(error)


def choice(actions: Sequence[Action]) -> Action:
    """Return the action that does what any of `actions` does."""

    def run(env: Env) -> Iterator[Updates]:
        for action in actions:
            yield from one_of(action, env)

    return nondeterministic(run)


def hiding(action: Action, places: Sequence[int]) -> Action:
    """Return `action` with the local variables at `places` unassigned before, dropped after."""
    hidden = frozenset(places)

    def entered(env: Env) -> Env:
        inner = env.copy()
        for place in places:
            inner[place] = None
        return inner

    def visible(updates: Updates) -> Updates:
        return {place: v for place, v in updates.items() if place not in hidden}

    if action.one is not None:
        one = action.one

        def run_one(env: Env) -> Updates | None:
            updates = one(entered(env))
            return None if updates is None else visible(updates)

        return deterministic(run_one)
    return nondeterministic(lambda env: (visible(u) for u in action.run(entered(env))))


def parallel(actions: Sequence[Action], span: Span) -> Action:
    """Return the action that does all of `actions` at once."""
    if all(action.one is not None for action in actions):
        ones = [action.one for action in actions]

        def all_at_once(env: Env) -> Updates | None:
            updates: dict[int, Value] = {}
            for one in ones:
                found = one(env)  # type: ignore[misc]
                if found is None:
                    return None
                if not updates.keys().isdisjoint(found):
                    agreeing(updates, found, span)
                updates.update(found)
            return updates

        return deterministic(all_at_once)

    def run(env: Env) -> Iterator[Updates]:
        return _product(env, actions, {}, span)

    return nondeterministic(run)


def _product(
    env: Env, actions: Sequence[Action], updates: Updates, span: Span
) -> Iterator[Updates]:
    if not actions:
        yield updates
        return
    for found in actions[0].run(env):
        yield from _product(env, actions[1:], merged(updates, found, span), span)


def sequential(actions: Sequence[Action]) -> Action:
    """Return the action that does one of `actions` after the other."""
    if all(action.perform is not None for action in actions):
        steps = [action.perform for action in actions]

        def one_by_one(env: Env, total: dict[int, Value]) -> bool:
            for perform in steps:
                if not perform(env, total):  # type: ignore[misc]
                    return False
            return True

        return performing(one_by_one)

    def run(env: Env) -> Iterator[Updates]:
        return _in_sequence(env, actions, {})

    return nondeterministic(run)


def _in_sequence(env: Env, actions: Sequence[Action], total: Updates) -> Iterator[Updates]:
    if not actions:
        yield total
        return
    for updates in actions[0].run(env):
        yield from _in_sequence(after(env, updates), actions[1:], {**total, **updates})
