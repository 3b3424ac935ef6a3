"""What the expressions of the kernel language mean.

A number is an `int`, a truth value a `bool`, a set an `int` that is its mask.  Assertions
state what the language demands of those who write code in it.
"""

from __future__ import annotations

from dataclasses import field
from typing import Final

from secateur.kernel.language import (
    INT,
    STATE,
    WORD,
    Between,
    Binary,
    Bits,
    Choose,
    Expr,
    Field,
    Has,
    Load,
    LoadBits,
    Local,
    Lookup,
    Number,
    Place,
    Region,
    SetOf,
    Slice,
    Truth,
    Unary,
    With,
    type_of,
)
from secateur.kernel.operators import OF_MACHINES, Op, of_machine
from secateur.kernel.places import bits_of_region, position
from secateur.source.records import dataclass

LEAST_INT: Final = -(1 << (WORD - 1))
GREATEST_INT: Final = (1 << (WORD - 1)) - 1


class Trapped(Exception):
    """The code cannot do this exactly, so somebody else has to; `args[0]` says why."""


@dataclass(slots=True)
class Buffer:
    """A copy of the state, with scratch words; `defined` are the bits that have a value."""

    bits: int = 0
    defined: int = 0

    def put(self, at: int, width: int, value: int) -> None:
        """Write `width` bits."""
        mask = ((1 << width) - 1) << at
        self.bits = (self.bits & ~mask) | (value << at)
        self.defined |= mask

    def get(self, at: int, width: int) -> int:
        """Read `width` bits, which must have been written."""
        mask = ((1 << width) - 1) << at
        assert self.defined & mask == mask, "undefined bits are read"
        return (self.bits & mask) >> at


@dataclass(slots=True)
class Memory:
    """What expressions look at."""

    buffers: dict[int, Buffer]
    locals: dict[str, int] = field(default_factory=dict)


def value_of(e: Expr, memory: Memory) -> int:
    """Return the value of an expression, or raise Trapped."""
    match e:
        case Number(value):
            assert LEAST_INT <= value <= GREATEST_INT
            return value
        case Truth(truth):
            return truth
        case SetOf(width, mask):
            assert 0 <= mask < 1 << width
            return mask
        case Local(name, type_):
            return memory.locals.get(name, 0 if isinstance(type_, Bits) or type_ is INT else False)
        case Load(place, index, buffer):
            return _load(place, value_of(index, memory), memory.buffers[buffer])
        case LoadBits(region, buffer):
            at = region.word * WORD + region.shift
            return memory.buffers[buffer].get(at, region.width)
        case Choose(condition, then, otherwise):
            return value_of(then if value_of(condition, memory) else otherwise, memory)
        case Lookup(table, index):
            at = value_of(index, memory)
            assert 0 <= at < len(table), f"entry {at} of {len(table)}"
            return table[at]
        case Binary(op, left, right):
            return _binary(op, left, right, memory)
        case Unary(op, operand):
            return _unary(op, value_of(operand, memory), operand)
        case _:
            return _set_operation(e, memory)


def _load(place: Field, index: int, buffer: Buffer) -> int:
    bits = buffer.get(position(place, index), place.width)
    if place.width == WORD:
        return bits - (1 << WORD) if bits > GREATEST_INT else bits
    assert bits < place.size, f"{bits} in {place}"
    return bits + place.least


def encoded(place: Field, value: int) -> int:
    """Return the bits that stand for a number of a field; trap if it is not one."""
    if place.width == WORD:
        return value & ((1 << WORD) - 1)
    if not 0 <= value - place.least < place.size:
        raise Trapped("a number is outside its field")
    return value - place.least


def _set_operation(e: Has | With | Slice | Place | Between, memory: Memory) -> int:
    match e:
        case Has(set_, element):
            mask, i = value_of(set_, memory), value_of(element, memory)
            return 0 <= i < width_of(set_) and bool(mask >> i & 1)
        case With(set_, element):
            mask, i = value_of(set_, memory), value_of(element, memory)
            assert 0 <= i < width_of(set_), f"element {i} of {width_of(set_)}"
            return mask | 1 << i
        case Slice(set_, first, width):
            mask, start = value_of(set_, memory), value_of(first, memory)
            assert 0 <= start <= start + width <= width_of(set_), f"slice at {start}"
            return (mask >> start) & ((1 << width) - 1)
        case Place(set_, first, width):
            mask, start = value_of(set_, memory), value_of(first, memory)
            assert 0 <= start < width, f"place at {start}"
            assert mask << start < 1 << width, "a bit is lost"
            return mask << start
        case Between(width, first, last):
            low, high = max(value_of(first, memory), 0), min(value_of(last, memory), width - 1)
            return (1 << (high + 1)) - (1 << low) if low <= high else 0


def width_of(e: Expr) -> int:
    """Return the width of an expression that is a set."""
    type_ = type_of(e)
    assert isinstance(type_, Bits)
    return type_.width


def _binary(op: Op, left: Expr, right: Expr, memory: Memory) -> int:
    x = value_of(left, memory)
    match op:
        case Op.AND:
            return bool(value_of(right, memory)) if x else False
        case Op.OR:
            return True if x else bool(value_of(right, memory))
    y = value_of(right, memory)
    match op:
        case Op.EQUAL:
            return x == y
        case Op.LESS:
            return x < y
        case Op.LESS_EQUAL:
            return x <= y
        case Op.MEET:
            return x & y
        case Op.JOIN:
            return x | y
        case Op.MINUS:
            return x & ~y
        case _:
            return arithmetic(op, x, y)


def arithmetic(op: Op, x: int, y: int) -> int:
    """Return `x op y` for numbers, or raise Trapped."""
    if op in OF_MACHINES:
        if op is Op.REMAINDER and y == 0:
            raise Trapped("division by zero")
        return of_machine(op, x, y)
    match op:
        case Op.ADD:
            return in_range(x + y)
        case Op.SUBTRACT:
            return in_range(x - y)
        case Op.MULTIPLY:
            return in_range(x * y)
        case Op.DIVIDE:
            if y == 0:
                raise Trapped("division by zero")
            magnitude = abs(x) // abs(y)
            return in_range(magnitude if (x < 0) == (y < 0) else -magnitude)
        case Op.MOD:
            if x < 0 or y <= 0:
                raise Trapped("mod of such numbers")
            return x % y
        case Op.POWER:
            if y < 0:
                raise Trapped("a negative exponent")
            if abs(x) > 1 and y >= WORD:
                raise Trapped("overflow")
            # for 0, 1 and -1 only the parity of a large exponent matters
            return in_range(x ** (y if y < WORD else WORD + y % 2))
    raise AssertionError(op)


def in_range(value: int) -> int:
    """Return a number as it is, or raise Trapped if it is too large for a word."""
    if not LEAST_INT <= value <= GREATEST_INT:
        raise Trapped("overflow")
    return value


def _unary(op: Op, x: int, operand: Expr) -> int:
    match op:
        case Op.NOT:
            return not x
        case Op.NEGATE:
            return in_range(-x)
        case Op.COMPLEMENT:
            return x ^ ((1 << width_of(operand)) - 1)
        case Op.COUNT:
            return x.bit_count()
        case Op.TO_INT:
            return int(x)
        case Op.LEAST | Op.GREATEST:
            if x == 0:
                raise Trapped("the empty set has no such element")
            return (x & -x if op is Op.LEAST else x).bit_length() - 1
    raise AssertionError(op)


def state_buffer(bits: int, words: int) -> dict[int, Buffer]:
    """Return the buffers at the beginning of a step: only STATE has a value."""
    return {STATE: Buffer(bits, (1 << (words * WORD)) - 1)}


def region_at(region: Region) -> tuple[int, int]:
    """Return the first bit and the width of a region, which must be one of the two kinds."""
    assert region.shift == 0 or region.shift + region.width <= WORD
    assert bits_of_region(region)
    return region.word * WORD + region.shift, region.width
