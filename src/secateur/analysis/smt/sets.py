"""Sets of the kernel language as bit vectors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import z3

from secateur.analysis.smt.values import (
    Num,
    Set,
    Term,
    Truth,
    Untranslatable,
    both,
    choose,
    either,
    equal,
    less,
    negated,
    number,
    ranged,
)
from secateur.kernel.operators import Op

MOST_CASES: Final = 256
"""Elements, entries and indices are told apart as long as they are not more than this."""


def known(width: int, mask: int) -> Set:
    """Return a known set."""
    return Set(width, mask)


def combined(op: Op, x: Set, y: Set) -> Set:
    """Return the intersection, union or difference of two sets."""
    if x.mask is not None and y.mask is not None:
        masks = {Op.MEET: x.mask & y.mask, Op.JOIN: x.mask | y.mask, Op.MINUS: x.mask & ~y.mask}
        return Set(x.width, masks[op])
    match op:
        case Op.MEET:
            return Set(x.width, None, x.bits() & y.bits())
        case Op.JOIN:
            return Set(x.width, None, x.bits() | y.bits())
        case _:
            return Set(x.width, None, x.bits() & ~y.bits())


def complement(x: Set) -> Set:
    """Return what is not in a set."""
    if x.mask is not None:
        return Set(x.width, x.mask ^ ((1 << x.width) - 1))
    return Set(x.width, None, ~x.bits())


def element(x: Set, place: int) -> Truth:
    """Return whether a known number within the width is in a set."""
    if x.mask is not None:
        return bool(x.mask >> place & 1)
    return z3.Extract(place, place, x.term) == z3.BitVecVal(1, 1)


def has(x: Set, number_: Num) -> Truth:
    """Return whether a number, any number, is in a set."""
    places = cases(number_, x.width)
    if number_.term is None:
        return element(x, places[0]) if places else False
    if x.mask is not None:
        places = [p for p in places if x.mask >> p & 1]
    return either(*(both(equal(number_, number(p)), element(x, p)) for p in places))


def cases(number_: Num, count: int) -> Sequence[int]:
    """Return the values below `count` that a number may have."""
    found = range(max(number_.low, 0), min(number_.high, count - 1) + 1)
    if len(found) > MOST_CASES:
        raise Untranslatable("there are too many cases")
    return found


def with_element(x: Set, number_: Num) -> Set:
    """Return a set with one element more."""
    places = cases(number_, x.width)
    if number_.term is None:
        return combined(Op.JOIN, x, Set(x.width, 1 << places[0] if places else 0))
    # a number below the width fits into as many bits
    one = z3.BitVecVal(1, x.width)
    return Set(x.width, None, x.bits() | one << number_.bits(x.width))


def sliced(x: Set, start: Num, width: int) -> Set:
    """Return some bits of a set as a set of its own."""
    if start.term is None:
        low = start.low
        if not 0 <= low <= x.width - width:
            return Set(width, 0)  # code that never runs
        if x.mask is not None:
            return Set(width, x.mask >> low & ((1 << width) - 1))
        return Set(width, None, z3.Extract(low + width - 1, low, x.term))
    moved = z3.LShR(x.bits(), start.bits(x.width))
    return Set(width, None, z3.Extract(width - 1, 0, moved))


def placed(x: Set, start: Num, width: int) -> Set:
    """Return a set, moved up, as a wider one."""
    if not cases(start, width):
        return Set(width, 0)  # code that never runs
    if start.term is None and x.mask is not None:
        return Set(width, x.mask << start.low & ((1 << width) - 1))
    wide = x.bits()
    if width > x.width:
        wide = z3.ZeroExt(width - x.width, wide)
    elif width < x.width:
        wide = z3.Extract(width - 1, 0, wide)
    if start.term is None and start.low == 0:
        return Set(width, None, wide)
    return Set(width, None, wide << start.bits(width))


def between(width: int, low: Num, high: Num) -> Set:
    """Return the numbers below a width that are between two others."""
    if low.term is None and high.term is None:
        first, last = max(low.low, 0), min(high.low, width - 1)
        return Set(width, (1 << (last + 1)) - (1 << first) if first <= last else 0)
    if width > MOST_CASES:
        raise Untranslatable("there are too many cases")
    bits = [
        both(negated(less(number(i), low)), negated(less(high, number(i)))) for i in range(width)
    ]
    return from_elements(bits)


def from_elements(bits: Sequence[Truth]) -> Set:
    """Return the set of the numbers for which something holds."""
    if all(isinstance(b, bool) for b in bits):
        return Set(len(bits), sum(b << i for i, b in enumerate(bits)))
    one, zero = z3.BitVecVal(1, 1), z3.BitVecVal(0, 1)
    terms = [(one if b else zero) if isinstance(b, bool) else z3.If(b, one, zero) for b in bits]
    return Set(len(bits), None, z3.Concat(*reversed(terms)) if len(terms) > 1 else terms[0])


def cardinality(x: Set) -> Num:
    """Return the number of elements."""
    if x.mask is not None:
        return number(x.mask.bit_count())
    if x.width > MOST_CASES:
        raise Untranslatable("there are too many cases")
    width = x.width.bit_length() + 1
    terms: list[Term] = [z3.ZeroExt(width - 1, z3.Extract(i, i, x.term)) for i in range(x.width)]
    while len(terms) > 1:
        paired = [p + q for p, q in zip(terms[::2], terms[1::2], strict=False)]
        terms = paired + terms[len(paired) * 2 :]
    return ranged(terms[0], 0, x.width)


def extreme(op: Op, x: Set) -> tuple[Num, Truth]:
    """Return the least or the greatest element, and whether there is none."""
    places = range(x.width) if op is Op.GREATEST else range(x.width - 1, -1, -1)
    if x.mask is not None:
        if x.mask == 0:
            return number(0), True
        least = x.mask & -x.mask if op is Op.LEAST else x.mask
        return number(least.bit_length() - 1), False
    if x.width > MOST_CASES:
        raise Untranslatable("there are too many cases")
    found = number(0)
    for place in places:  # the last one that is there is the result
        chosen = choose(element(x, place), number(place), found)
        assert isinstance(chosen, Num)
        found = chosen
    return found, equal(x, Set(x.width, 0))
