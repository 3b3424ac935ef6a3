"""The left sides of assignments: `x`, `f(i)`, `f(i)(j)`, `r'a` and their mixtures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from secateur.maths.ast import Apply, Call, Expr, Field, Name
from secateur.maths.evaluate.compiler import Compiler
from secateur.maths.evaluate.environment import Code, Env
from secateur.maths.operators.application import apply_function
from secateur.maths.operators.relations import OVERWRITE, PAIR
from secateur.maths.types import Power, Product, Struct, Type
from secateur.maths.values import IllDefined, Value
from secateur.source import Span


@dataclass(frozen=True, slots=True, eq=False)
class Target:
    """A left side: the variable's place, and how its value changes.

    `change(env, old, new)` returns the variable's whole value after `new` was put where
    the left side points to; `whole` if that is the new value itself.
    """

    place: int
    type: Type
    whole: bool
    change: Callable[[Env, Value, Value], Value]


def target(scope: Compiler, e: Expr, types: Mapping[str, Type]) -> Target:
    """Return the left side `e`, compiled."""
    match e:
        case Name(text):
            return Target(
                scope.place(text), types[text], whole=True, change=lambda env, old, new: new
            )
        case Call(function, args):
            return _element(scope, target(scope, function, types), function, args)
        case Field(record, name):
            return _field(scope, target(scope, record, types), record, name)
        case _:
            raise AssertionError(f"typing lets no {type(e).__name__} be assigned")


def _element(scope: Compiler, base: Target, function: Expr, args: tuple[Expr, ...]) -> Target:
    assert isinstance(base.type, Power)
    assert isinstance(base.type.element, Product)
    key = _key(scope, args)
    read = _reader(scope, function)

    def change(env: Env, old: Value, new: Value) -> Value:
        return base.change(env, old, _overridden(read(env, old), key(env), new))

    return Target(base.place, base.type.element.right, whole=False, change=change)


def _field(scope: Compiler, base: Target, record: Expr, name: str) -> Target:
    assert isinstance(base.type, Struct)
    read = _reader(scope, record)

    def change(env: Env, old: Value, new: Value) -> Value:
        return base.change(env, old, read(env, old).replace(name, new))

    return Target(base.place, dict(base.type.fields)[name], whole=False, change=change)


def _reader(scope: Compiler, e: Expr) -> Callable[[Env, Value], Value]:
    """Return how to read what `e` denotes, given the whole value of its variable."""
    match e:
        case Name(text):
            return lambda env, old: _assigned(old, text, e.span)
        case Call(function, args):
            inner, key = _reader(scope, function), _key(scope, args)
            return lambda env, old: apply_function(inner(env, old), key(env))
        case Field(record, name):
            inner = _reader(scope, record)
            return lambda env, old: inner(env, old).field(name)
        case _:
            raise AssertionError(f"typing lets no {type(e).__name__} be assigned")


def _assigned(old: Value, name: str, span: Span) -> Value:
    if old is None:
        raise IllDefined(f"a part of {name} is assigned before {name} is", span)
    return old


def _key(scope: Compiler, args: tuple[Expr, ...]) -> Code:
    argument = args[0]
    for each in args[1:]:
        argument = Apply(PAIR, (argument, each), each.span)
    return scope.code(argument)


def _overridden(function: Value, key: Value, value: Value) -> Value:
    if isinstance(function, frozenset):
        return frozenset([p for p in function if p[0] != key] + [(key, value)])
    overwrite = OVERWRITE.apply
    assert overwrite is not None
    return overwrite(function, frozenset({(key, value)}))
