"""Between which bounds the numbers of an expression are, and whether it can trap.

Most checks that the language asks for are settled here: the sum of two fields of 0..9 does
not overflow.  Relies on what the language demands of states (the bits of a field are below
its size).  Bounds of locals come from `bounds_of_locals` or are not known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from typing import Final

from secateur.kernel.evaluate_expressions import GREATEST_INT, LEAST_INT, width_of
from secateur.kernel.language import (
    INT,
    WORD,
    Assign,
    Between,
    Binary,
    Block,
    Choose,
    Expr,
    For,
    ForEach,
    Has,
    If,
    Load,
    LoadBits,
    Local,
    Lookup,
    Loop,
    Number,
    Place,
    SetOf,
    Slice,
    Truth,
    Unary,
    With,
)
from secateur.kernel.machine_ranges import of_machine
from secateur.kernel.operators import OF_MACHINES, Op

Bounds = tuple[int, int]
Known = Mapping[str, Bounds]

EVERYTHING: Final[Bounds] = (LEAST_INT, GREATEST_INT)
NOTHING_KNOWN: Final[Known] = {}


def bounds(e: Expr, known: Known = NOTHING_KNOWN) -> Bounds:
    """Return bounds of the values of an expression that is a number."""
    low, high = _exact_bounds(e, known)
    # beyond these it traps, and has no value
    return _within_word(low), _within_word(high)


def _within_word(value: int) -> int:
    return max(LEAST_INT, min(value, GREATEST_INT))


def _exact_bounds(e: Expr, known: Known) -> Bounds:
    """Return bounds of the result before it is cut down to 64 bits."""
    match e:
        case Number(value):
            return value, value
        case Local(name, _, range_):
            return known.get(name) or range_ or EVERYTHING
        case Load(field):
            if field.width == WORD:
                return EVERYTHING
            return field.least, field.least + field.size - 1
        case Lookup(table):
            return min(table), max(table)
        case Choose(_, then, otherwise):
            return _hull(bounds(then, known), bounds(otherwise, known))
        case Unary(Op.NEGATE, operand):
            low, high = bounds(operand, known)
            return -high, -low
        case Unary(Op.COUNT, operand):
            return 0, width_of(operand)
        case Unary(Op.LEAST | Op.GREATEST, operand):
            return 0, width_of(operand) - 1
        case Unary(Op.TO_INT):
            return 0, 1
        case Binary(op, left, right):
            return _arithmetic(op, bounds(left, known), bounds(right, known))
    return EVERYTHING


def _hull(a: Bounds, b: Bounds) -> Bounds:
    return min(a[0], b[0]), max(a[1], b[1])


def _arithmetic(op: Op, x: Bounds, y: Bounds) -> Bounds:
    if op in OF_MACHINES:
        return of_machine(op, x, y)
    match op:
        case Op.ADD:
            return x[0] + y[0], x[1] + y[1]
        case Op.SUBTRACT:
            return x[0] - y[1], x[1] - y[0]
        case Op.MULTIPLY:
            corners = [a * b for a in x for b in y]
            return min(corners), max(corners)
        case Op.DIVIDE if x[0] >= 0 and y[0] > 0:
            return x[0] // y[1], x[1] // y[0]
        case Op.DIVIDE:
            most = max(abs(x[0]), abs(x[1]))
            return -most, most
        case Op.MOD:
            return 0, max(0, min(x[1], y[1] - 1))
        case Op.POWER if 0 <= y[1] < WORD:
            most = max(abs(x[0]), abs(x[1]), 1) ** y[1]
            return (0 if x[0] >= 0 else -most), most
    return 2 * LEAST_INT, 2 * GREATEST_INT


def can_trap(e: Expr, known: Known = NOTHING_KNOWN) -> bool:
    """Whether an expression may trap; false means that it cannot."""
    match e:
        case Number() | Truth() | SetOf() | Local() | LoadBits():
            return False
        case Load(_, index) | Lookup(_, index):
            return can_trap(index, known)
        case Has(set_, element) | With(set_, element):
            return can_trap(set_, known) or can_trap(element, known)
        case Slice(set_, start) | Place(set_, start):
            return can_trap(set_, known) or can_trap(start, known)
        case Between(_, low, high):
            return can_trap(low, known) or can_trap(high, known)
        case Choose(condition, then, otherwise):
            return any(can_trap(part, known) for part in (condition, then, otherwise))
        case Unary(_, operand):
            return can_trap(operand, known) or operator_can_trap(e, known)
        case Binary(_, left, right):
            return can_trap(left, known) or can_trap(right, known) or operator_can_trap(e, known)


def operator_can_trap(e: Unary | Binary, known: Known = NOTHING_KNOWN) -> bool:
    """Whether an operation may trap for operands that have values."""
    match e:
        case Unary(Op.LEAST | Op.GREATEST, operand):
            return not (isinstance(operand, With) or (isinstance(operand, SetOf) and operand.mask))
        case Binary(Op.DIVIDE, left, right):
            x, y = bounds(left, known), bounds(right, known)
            return y[0] <= 0 <= y[1] or (x[0] == LEAST_INT and y[0] <= -1 <= y[1])
        case Binary(Op.REMAINDER, _, right):
            low, high = bounds(right, known)
            return low <= 0 <= high
        case Binary(Op.MOD, left, right):
            return bounds(left, known)[0] < 0 or bounds(right, known)[0] <= 0
        case Binary(Op.POWER, _, right) if bounds(right, known)[0] < 0:
            return True
        case Binary(Op.ADD | Op.SUBTRACT | Op.MULTIPLY | Op.POWER) | Unary(Op.NEGATE):
            low, high = _exact_bounds(e, known)
            return low < LEAST_INT or high > GREATEST_INT
    return False


def bounds_of_locals(
    body: Block, scoped: Collection[str] = (), parameters: Known = NOTHING_KNOWN
) -> dict[str, Bounds]:
    """Return bounds of those locals of a program part that are assigned at one place.

    A local is 0 before that place, so that 0 is within, unless nobody looks before
    (`scoped`, see `walk.scoped_locals`).  Those of `parameters` are known beforehand.
    """
    places = Counter(target.name for target, _ in _assignments(body, {}))
    known: dict[str, Bounds] = dict(parameters)
    # what comes later in a loop is not yet known where it is used
    for target, value in _assignments(body, known):
        if places[target.name] == 1:
            known[target.name] = value if target.name in scoped else _hull(value, (0, 0))
    return known


def _assignments(block: Block, known: Known) -> Iterator[tuple[Local, Bounds]]:
    for s in block:
        match s:
            case Assign(target, value) if target.type is INT:
                yield target, bounds(value, known)
            case For(variable, low, high, body):
                first, last = bounds(low, known)[0], bounds(high, known)[1]
                # the body of a loop without rounds may think what it likes
                yield variable, (first, max(first, last))
                yield from _assignments(body, known)
            case ForEach(variable, set_, body):
                yield variable, (0, width_of(set_) - 1)
                yield from _assignments(body, known)
            case If(_, then, otherwise):
                yield from _assignments(then, known)
                yield from _assignments(otherwise, known)
            case Loop(body):
                yield from _assignments(body, known)
