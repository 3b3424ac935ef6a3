"""Conditions that test a few bits of one word; several of them are one comparison.

The guards of actions with known arguments are made of these.
"""

from __future__ import annotations

from secateur.kernel.language import (
    WORD,
    Binary,
    Expr,
    Has,
    Load,
    LoadBits,
    Number,
    SetOf,
    Unary,
)
from secateur.kernel.operators import Op
from secateur.kernel.places import WORD_MASK, position
from secateur.source.records import dataclass


@dataclass(frozen=True, slots=True)
class BitTest:
    """`word & mask = value`, for a word of a buffer."""

    buffer: int
    word: int
    mask: int
    value: int


def bit_test(e: Expr) -> BitTest | None:
    """Return an expression as a test of bits, if it is one."""
    match e:
        case Binary(Op.EQUAL, Load() as load, Number(value)) | Binary(
            Op.EQUAL, Number(value), Load() as load
        ):
            return _number(load, value)
        case Binary(Op.EQUAL, LoadBits(region, buffer), SetOf(_, mask)):
            if region.shift + region.width > WORD:
                return None
            full = (1 << region.width) - 1
            return BitTest(buffer, region.word, full << region.shift, mask << region.shift)
        case Has(LoadBits(region, buffer), Number(element)) if 0 <= element < region.width:
            at = region.shift + element
            bit = 1 << (at % WORD)
            return BitTest(buffer, region.word + at // WORD, bit, bit)
        case Unary(Op.NOT, operand):
            test = bit_test(operand)
            if test is not None and test.mask.bit_count() == 1:
                return BitTest(test.buffer, test.word, test.mask, test.value ^ test.mask)
    return None


def _number(load: Load, value: int) -> BitTest | None:
    field = load.field
    if not isinstance(load.index, Number):
        return None
    at = position(field, load.index.value)
    if field.width == WORD:
        return BitTest(load.buffer, at // WORD, WORD_MASK, value & WORD_MASK)
    bits = value - field.least
    if not 0 <= bits < 1 << field.width:
        return None
    mask = (1 << field.width) - 1
    return BitTest(load.buffer, at // WORD, mask << (at % WORD), bits << (at % WORD))


def combined(tests: list[BitTest]) -> list[BitTest] | None:
    """Return as few tests as possible that hold together as these do; None if they never do."""
    result: dict[tuple[int, int], BitTest] = {}
    for test in tests:
        place = test.buffer, test.word
        other = result.get(place, BitTest(*place, 0, 0))
        if (other.value ^ test.value) & other.mask & test.mask:
            return None
        result[place] = BitTest(*place, other.mask | test.mask, other.value | test.value)
    return list(result.values())
