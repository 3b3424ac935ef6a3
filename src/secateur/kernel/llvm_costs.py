"""Whether an expression is computed even where it is not needed: a jump has its price, too."""

from __future__ import annotations

from typing import Final

from secateur.kernel.bit_tests import bit_test
from secateur.kernel.evaluate_expressions import width_of
from secateur.kernel.language import (
    Between,
    Binary,
    Bits,
    Expr,
    Has,
    Load,
    LoadBits,
    Lookup,
    Number,
    Place,
    Slice,
    Unary,
    With,
    type_of,
)
from secateur.kernel.llvm_frame import Frame
from secateur.kernel.operators import Op
from secateur.kernel.places import words_needed
from secateur.kernel.ranges import bounds, operator_can_trap
from secateur.kernel.walk import operands

_CHEAP: Final = 12
_DEAR: Final = 1000
_OPERATORS: Final = {
    Op.DIVIDE: 20,
    Op.MOD: 20,
    Op.REMAINDER: 20,
    Op.POWER: 40,
    Op.SHIFT_LEFT: 4,
    Op.SHIFT_RIGHT: 4,
    Op.WRAP_SIGNED: 2,
    Op.COUNT: 2,
    Op.LEAST: 3,
    Op.GREATEST: 3,
}


def is_cheap(f: Frame, e: Expr) -> bool:
    """Whether an expression cannot trap and costs only a few instructions."""
    return _cost(f, e) <= _CHEAP


def _cost(f: Frame, e: Expr) -> int:
    """Return about how many instructions an expression takes, or many if it can trap."""
    known = f.costs.get(id(e))
    if known is None and bit_test(e) is not None:
        known = f.costs[id(e)] = 1
    if known is None:
        size = max(map(_words, (e, *operands(e))))
        known = _own_cost(f, e) * size + sum(_cost(f, part) for part in operands(e))
        if not _always_lawful(f, e):
            known = _DEAR
        f.costs[id(e)] = known
    return known


def _always_lawful(f: Frame, e: Expr) -> bool:
    """Whether the index of an expression is in range even where nobody looks at it."""
    match e:
        case Load(field, index):
            limit = field.count
        case Lookup(table, index):
            limit = len(table)
        case With(set_, index):
            limit = width_of(set_)
        case Slice(set_, index, width):
            limit = width_of(set_) - width + 1
        case Place(_, index, width):
            limit = width
        case _:
            return True
    low, high = bounds(index, f.known)
    return 0 <= low <= high < limit


def _words(e: Expr) -> int:
    type_ = type_of(e)
    return words_needed(type_.width) if isinstance(type_, Bits) else 1


def _own_cost(f: Frame, e: Expr) -> int:
    match e:
        case Binary(op) | Unary(op):
            return _DEAR if operator_can_trap(e, f.known) else _OPERATORS.get(op, 1)
        case Load() | LoadBits() | Has():
            return 2
        case With() | Slice() | Place() | Lookup():
            return 3
        case Between():
            return 6
    return 0 if isinstance(e, Number) else 1
