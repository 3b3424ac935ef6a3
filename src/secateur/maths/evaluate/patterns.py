"""Patterns: `x`, `x |-> y`, `(x |-> 1) |-> y`: what can be bound by taking a value apart."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass

from secateur.maths.ast import Apply, Expr, Name
from secateur.maths.evaluate.environment import Env, Scope
from secateur.maths.operators.relations import PAIR
from secateur.maths.values import Value


@dataclass(frozen=True, slots=True, eq=False)
class Pattern:
    """`match(env, value)` binds `names` in `env`, or says that `value` does not fit."""

    names: frozenset[str]
    match: Callable[[Env, Value], bool]
    place: int | None = None
    """Where the value goes, for a pattern that is a single identifier."""


def pattern(scope: Scope, e: Expr, unbound: Collection[str]) -> Pattern | None:
    """Return `e` as a pattern for the unbound identifiers in it; None if it is none."""
    if not (scope.free(e) & set(unbound)):
        return _known(scope, e)
    match e:
        case Name(text):
            return _identifier(text, scope.place(text))
        case Apply(operator, (left, right)) if operator is PAIR:
            first, second = pattern(scope, left, unbound), pattern(scope, right, unbound)
            if first is None or second is None or first.names & second.names:
                return None
            return _pair(first, second)
        case _:
            return None


def _known(scope: Scope, e: Expr) -> Pattern:
    code = scope.code(e)
    return Pattern(frozenset(), lambda env, value: bool(code(env) == value))


def _identifier(name: str, place: int) -> Pattern:
    def match(env: Env, value: Value) -> bool:
        env[place] = value
        return True

    return Pattern(frozenset({name}), match, place)


def _pair(first: Pattern, second: Pattern) -> Pattern:
    match_first, match_second = first.match, second.match

    def match(env: Env, value: Value) -> bool:
        return match_first(env, value[0]) and match_second(env, value[1])

    return Pattern(first.names | second.names, match)
