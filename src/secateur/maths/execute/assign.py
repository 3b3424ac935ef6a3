"""The left sides of assignments: `x`, `f(i)`, `f(i)(j)`, `r'a` and their mixtures."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from secateur.maths.ast import Apply, Call, Expr, Field, Name
from secateur.maths.evaluate.compiler import Compiler
from secateur.maths.evaluate.environment import Code, Env
from secateur.maths.function_tables import overridden
from secateur.maths.operators.application import apply_function
from secateur.maths.operators.relations import OVERWRITE, PAIR
from secateur.maths.types import Power, Product, Struct, Type
from secateur.maths.values import IllDefined, Value
from secateur.source import Span
from secateur.source.records import dataclass


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
    read: Callable[[Env, Value], Value]
    """Returns what the left side denotes, given the whole value of its variable."""
    span: Span


def target(scope: Compiler, e: Expr, types: Mapping[str, Type]) -> Target:
    """Return the left side `e`, compiled."""
    match e:
        case Name(text):
            return _variable(scope, text, types[text], e.span)
        case Call(function, args):
            return _element(scope, target(scope, function, types), args, e.span)
        case Field(record, name):
            return _field(target(scope, record, types), name, e.span)
        case _:
            raise AssertionError(f"typing lets no {type(e).__name__} be assigned")


def _variable(scope: Compiler, text: str, type_: Type, span: Span) -> Target:
    def change(_: Env, __: Value, new: Value) -> Value:
        return new

    def read(_: Env, old: Value) -> Value:
        return _assigned(old, text, span)

    return Target(scope.place(text), type_, whole=True, change=change, read=read, span=span)


def _element(scope: Compiler, base: Target, args: tuple[Expr, ...], span: Span) -> Target:
    assert isinstance(base.type, Power)
    assert isinstance(base.type.element, Product)
    key = _key(scope, args)

    def change(env: Env, old: Value, new: Value) -> Value:
        return base.change(env, old, _overridden(base.read(env, old), key(env), new))

    def read(env: Env, old: Value) -> Value:
        return apply_function(base.read(env, old), key(env))

    type_ = base.type.element.right
    return Target(base.place, type_, whole=False, change=change, read=read, span=span)


def _field(base: Target, name: str, span: Span) -> Target:
    assert isinstance(base.type, Struct)

    def change(env: Env, old: Value, new: Value) -> Value:
        return base.change(env, old, base.read(env, old).replace(name, new))

    def read(env: Env, old: Value) -> Value:
        return base.read(env, old).field(name)

    type_ = dict(base.type.fields)[name]
    return Target(base.place, type_, whole=False, change=change, read=read, span=span)


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
        return overridden(function, key, value)
    overwrite = OVERWRITE.apply
    assert overwrite is not None
    return overwrite(function, frozenset({(key, value)}))
