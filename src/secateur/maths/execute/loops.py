"""WHILE loops: executed, with invariant and variant checked at every turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from secateur.maths.evaluate.environment import Code, Env
from secateur.maths.execute.gathering import freeze, thaw
from secateur.maths.execute.updates import Action, Updates, after, nondeterministic, performing
from secateur.maths.substitution import While
from secateur.maths.values import IllDefined, Value


def while_loop(
    condition: Code,
    body: Action,
    checks: tuple[Code, Code],
    places: tuple[Sequence[tuple[int, int]], Sequence[int]],
    loop: While,
) -> Action:
    """Return the loop.

    `places`: those of `x$0` and of x, filled when it begins, and those of the sets that it
    only adds to.
    """
    invariant, variant = checks
    old, added_to = places

    def begin(env: Env) -> Env:
        started = env.copy()
        for place, source in old:
            started[place] = env[source]
        return started

    check = _checking(invariant, variant, loop)

    def perform(env: Env, total: dict[int, Value]) -> bool:
        assert body.perform is not None
        for place, source in old:
            env[place] = env[source]
        previous: Value | None = None
        thawed = thaw(env, added_to)
        possible = True
        while possible and condition(env):
            previous = check(env, previous)
            possible = body.perform(env, total)
        freeze(env, total, thawed)
        if possible:
            check_end(env)
        return possible

    def check_end(env: Env) -> None:
        if not invariant(env):
            raise IllDefined("loop invariant violated at the end of the loop", loop.invariant.span)

    def run(env: Env) -> Iterator[Updates]:
        # Each entry is a way to have come so far: environment, updates, last variant.
        todo: list[tuple[Env, Updates, Value | None]] = [(begin(env), {}, None)]
        while todo:
            current, total, previous = todo.pop()
            if not condition(current):
                check_end(current)
                yield total
                continue
            value = check(current, previous)
            ways = [
                (after(current, updates), {**total, **updates}, value)
                for updates in body.run(current)
            ]
            todo.extend(reversed(ways))

    return nondeterministic(run) if body.perform is None else performing(perform)


def _checking(invariant: Code, variant: Code, loop: While) -> Callable[[Env, Value | None], Value]:
    """Return what looks at a turn of the loop: given the variant before, it returns that now."""

    def check(env: Env, previous: Value | None) -> Value:
        if not invariant(env):
            raise IllDefined("loop invariant violated", loop.invariant.span)
        value = variant(env)
        if value < 0:
            raise IllDefined(f"the loop variant is {value}, below zero", loop.variant.span)
        if previous is not None and value >= previous:
            message = f"the loop variant does not decrease: {previous}, then {value}"
            raise IllDefined(message, loop.variant.span)
        return value

    return check
