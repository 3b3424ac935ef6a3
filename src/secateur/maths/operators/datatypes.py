"""Operators that a data type brings with it: its set, its constructors and its destructors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from secateur.maths.operators.build import call, constant, signature
from secateur.maths.operators.build import partial as partially_defined
from secateur.maths.operators.protocol import Operator
from secateur.maths.show import brief
from secateur.maths.symbolic.datatypes import DataTypeSet, arguments_of, made
from secateur.maths.types import INTEGER, DataType, DataTypeDeclaration, Power, Type
from secateur.maths.values import FreeValue, IllDefined, Value


def _operator(
    name: str, operands: tuple[Type, ...], result: Type, apply: Callable[..., Value]
) -> Operator:
    if operands:
        return call(name, name, signature(*operands, result), apply)
    return constant(name, name, result, lambda _: apply())


def _whole(declaration: DataTypeDeclaration) -> DataType:
    return DataType(declaration, declaration.parameters)


def values_of(declaration: DataTypeDeclaration) -> Operator:
    """Return the operator from sets for the parameters to the set of the data type's values."""
    operands = tuple(map(Power, declaration.parameters))
    apply = partial(DataTypeSet, declaration)
    return _operator(declaration.name, operands, Power(_whole(declaration)), apply)


def constructor(declaration: DataTypeDeclaration, number: int) -> Operator:
    """Return the constructor with this number."""
    name, types = declaration.constructors[number]

    def arguments(value: FreeValue) -> tuple[Value, ...]:
        if value.constructor != name:
            raise IllDefined(f"{brief(value)} is not made by {name}")
        return arguments_of(value, len(types))

    made_by = _operator(name, types, _whole(declaration), lambda *args: made(number, name, args))
    return replace(made_by, undo=arguments)


def counted(declaration: DataTypeDeclaration, name: str) -> Operator:
    """Return the operator from natural numbers to a data type of a zero and a successor."""
    (zero, _), (successor, _) = declaration.constructors

    def build(number: int) -> Value:
        if number < 0:
            raise IllDefined(f"{name} of the negative number {number}")
        value: Value = made(0, zero, ())
        for _ in range(number):
            value = made(1, successor, (value,))
        return value

    return partially_defined(call(name, name, signature(INTEGER, _whole(declaration)), build))


def destructor(declaration: DataTypeDeclaration, name: str, number: int, argument: int) -> Operator:
    """Return the operator that gives an argument of the values made by one constructor."""
    maker, types = declaration.constructors[number]

    def taken(value: FreeValue) -> Value:
        if value.constructor != maker:
            raise IllDefined(f"{name} of {brief(value)}, which is not made by {maker}")
        return arguments_of(value, len(types))[argument]

    typing = signature(_whole(declaration), types[argument])
    return partially_defined(call(name, name, typing, taken))
