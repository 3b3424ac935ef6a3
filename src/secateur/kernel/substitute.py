"""Values put in the place of locals; what becomes known by that is folded."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from secateur.kernel import build
from secateur.kernel.evaluate_expressions import width_of
from secateur.kernel.language import (
    INT,
    Between,
    Binary,
    Choose,
    Expr,
    Has,
    Load,
    Local,
    Lookup,
    Number,
    Place,
    Slice,
    Type,
    Unary,
    With,
    type_of,
)
from secateur.kernel.operators import Op
from secateur.kernel.walk import operands

_BINARY: Final[dict[Op, Callable[[Expr, Expr], Expr]]] = {
    Op.ADD: build.add,
    Op.SUBTRACT: build.subtract,
    Op.MULTIPLY: build.multiply,
    Op.DIVIDE: build.divide,
    Op.MOD: build.mod,
    Op.POWER: build.power,
    Op.REMAINDER: build.remainder,
    Op.BIT_AND: build.bit_and,
    Op.BIT_OR: build.bit_or,
    Op.BIT_XOR: build.bit_xor,
    Op.SHIFT_LEFT: build.shift_left,
    Op.SHIFT_RIGHT: build.shift_right,
    Op.WRAP_SIGNED: build.wrap_signed,
    Op.WRAP_UNSIGNED: build.wrap_unsigned,
    Op.EQUAL: build.equal,
    Op.LESS: build.less,
    Op.LESS_EQUAL: build.less_equal,
    Op.AND: build.and_,
    Op.OR: build.or_,
    Op.MEET: build.meet,
    Op.JOIN: build.join,
    Op.MINUS: build.minus,
}
_UNARY: Final[dict[Op, Callable[[Expr], Expr]]] = {
    Op.NOT: build.not_,
    Op.NEGATE: build.negate,
    Op.COMPLEMENT: build.complement,
    Op.COUNT: build.count,
    Op.LEAST: build.least,
    Op.GREATEST: build.greatest,
    Op.TO_INT: build.to_int,
}
_UNDEFINED: Final = Binary(Op.DIVIDE, build.ONE, build.ZERO)


def substituted(e: Expr, values: Mapping[str, Expr]) -> Expr:
    """Return an expression with these values in the place of locals."""
    if isinstance(e, Local):
        return values.get(e.name, e)
    old = operands(e)
    new = tuple(substituted(part, values) for part in old)
    if all(a is b for a, b in zip(old, new, strict=True)):
        return e
    return _rebuilt(e, new) if in_range(e, new) else never(type_of(e))


def in_range(e: Expr, parts: tuple[Expr, ...]) -> bool:
    """Whether an index, if it is known, is lawful; code with one that is not never runs."""
    match e:
        case Load(field):
            limit = field.count
        case Lookup(table):
            limit = len(table)
        case With(set_):
            limit = width_of(set_)
        case Slice(set_, _, width):
            limit = width_of(set_) - width + 1
        case Place(_, _, width):
            limit = width
        case _:
            return True
    index = parts[-1]
    return not isinstance(index, Number) or 0 <= index.value < limit


def never(type_: Type) -> Expr:
    """Return an expression that always traps."""
    if type_ is INT:
        return _UNDEFINED
    some = build.zero(type_)
    return Choose(Binary(Op.EQUAL, _UNDEFINED, build.ZERO), some, some)


def _rebuilt(e: Expr, parts: tuple[Expr, ...]) -> Expr:
    """Return an expression with other operands."""
    match e:
        case Load(field, _, buffer):
            return Load(field, parts[0], buffer)
        case Lookup(table, _, type_):
            return build.lookup(table, parts[0], type_)
        case Binary(op):
            return _BINARY[op](*parts)
        case Unary(op):
            return _UNARY[op](*parts)
        case Choose():
            return build.choose(*parts)
        case Has():
            return build.has(*parts)
        case With():
            return build.with_(*parts)
        case Slice(_, _, width):
            return build.slice_(parts[0], parts[1], width)
        case Place(_, _, width):
            return build.place(parts[0], parts[1], width)
        case Between(width):
            return build.between(width, *parts)
    raise AssertionError(e)
