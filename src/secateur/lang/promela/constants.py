"""The values of constant expressions, with C's arithmetic on 32 bits."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Final

from secateur.lang.promela.ast import Binary, Conditional, Expr, Number, Unary

_OPERATORS: Final[dict[str, Callable[[int, int], int]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def wrapped(value: int) -> int:
    """Return the signed number of 32 bits that `value` becomes."""
    return (value + 2**31) % 2**32 - 2**31


def value_of(expr: Expr) -> int | None:
    """Return the value of an expression made of numbers; None if there is none."""
    match expr:
        case Number(value):
            return value
        case Unary(op, operand):
            inner = value_of(operand)
            return None if inner is None else _unary(op, inner)
        case Binary(op, left, right):
            first = value_of(left)
            if first is None:
                return None
            if op == "&&" and not first:
                return 0
            if op == "||" and first:
                return 1
            second = value_of(right)
            return None if second is None else _binary(op, first, second)
        case Conditional(condition, then, otherwise):
            chosen = value_of(condition)
            return None if chosen is None else value_of(then if chosen else otherwise)
        case _:
            return None


def _unary(op: str, value: int) -> int:
    match op:
        case "-":
            return wrapped(-value)
        case "~":
            return ~value
        case _:
            return int(not value)


def _binary(op: str, left: int, right: int) -> int | None:
    match op:
        case "&&" | "||":
            return int(right != 0)
        case "/" | "%":
            return None if right == 0 else _divided(op, left, right)
        case "<<":
            return wrapped(left << right) if 0 <= right < 32 else None
        case ">>":
            return left >> right if 0 <= right < 32 else None
        case _:
            return wrapped(int(_OPERATORS[op](left, right)))


def _divided(op: str, left: int, right: int) -> int:
    """Divide towards zero, as C does; the remainder has the sign of the dividend."""
    quotient = abs(left) // abs(right)
    if (left < 0) != (right < 0):
        quotient = -quotient
    return wrapped(quotient) if op == "/" else left - quotient * right
