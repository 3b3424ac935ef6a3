"""Values of the kernel language that are known, or formulas.

A number knows between which bounds it is, and has just enough bits for them: arithmetic is
exact, and whether it overflows is a question only where the bounds say that it might.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

import z3

from secateur.kernel.evaluate_expressions import GREATEST_INT, LEAST_INT
from secateur.source.records import dataclass

Term = Any
"""A formula of Z3; it has no types of its own."""

Truth = bool | Any
"""A truth value that is known, or a formula."""

MOST_BITS: Final = 256
"""Numbers on the way to a result never get wider than this."""


class Untranslatable(Exception):
    """There is no formula for this code, or it would be too large; `args[0]` says why."""


@dataclass(frozen=True, slots=True)
class Num:
    """A number between `low` and `high`; `term` is None if they are the same."""

    low: int
    high: int
    term: Term = None

    def bits(self, width: int) -> Term:
        """Return the number, with sign, in so many bits."""
        if self.term is None:
            return z3.BitVecVal(self.low, width)
        own = self.term.size()
        if own < width:
            return z3.SignExt(width - own, self.term)
        return self.term if own == width else z3.Extract(width - 1, 0, self.term)


@dataclass(frozen=True, slots=True)
class Set:
    """A subset of 0..width-1: its mask, if that is known, or a bit vector."""

    width: int
    mask: int | None
    term: Term = None

    def bits(self) -> Term:
        """Return the set as a bit vector."""
        return z3.BitVecVal(self.mask, self.width) if self.mask is not None else self.term


Value = Num | Set | Truth


def width_of(low: int, high: int) -> int:
    """Return how many bits the numbers between two bounds need, with sign."""
    return max(high.bit_length(), (~low if low < 0 else low).bit_length()) + 1


def number(value: int) -> Num:
    """Return a known number."""
    return Num(value, value)


def ranged(term: Term, low: int, high: int) -> Num:
    """Return a term that is known to be between two bounds."""
    if low >= high:
        return number(low)
    width = width_of(low, high)
    if width > MOST_BITS:
        raise Untranslatable("numbers are too large")
    own = term.size()
    if own < width:
        term = z3.SignExt(width - own, term)
    elif own > width:
        term = z3.Extract(width - 1, 0, term)
    return Num(low, high, term)


# -- truth ----------------------------------------------------------------------------------------


def both(*parts: Truth) -> Truth:
    """Return whether all of them hold."""
    left = [p for p in parts if p is not True]
    if any(p is False for p in left):
        return False
    if not left:
        return True
    return left[0] if len(left) == 1 else _junction(z3.Z3_mk_and, left)


def either(*parts: Truth) -> Truth:
    """Return whether one of them holds."""
    left = [p for p in parts if p is not False]
    if any(p is True for p in left):
        return True
    if not left:
        return False
    return left[0] if len(left) == 1 else _junction(z3.Z3_mk_or, left)


def _junction(make: Callable[..., Any], parts: Sequence[Term]) -> Term:
    """Return formulas as one; `z3.And` would look at the type of each of them first."""
    context = parts[0].ctx
    listed = (z3.Ast * len(parts))(*(part.as_ast() for part in parts))
    return z3.BoolRef(make(context.ref(), len(parts), listed), context)


def negated(part: Truth) -> Truth:
    """Return whether it does not hold."""
    return not part if isinstance(part, bool) else z3.Not(part)


# -- choices --------------------------------------------------------------------------------------


def choose(condition: Truth, x: Value, y: Value) -> Value:
    """Return one of two values of one type."""
    if isinstance(condition, bool):
        return x if condition else y
    if x is y:
        return x
    if isinstance(x, Num):
        assert isinstance(y, Num)
        if x.low == x.high == y.low == y.high:
            return x
        low, high = min(x.low, y.low), max(x.high, y.high)
        width = width_of(low, high)
        return Num(low, high, z3.If(condition, x.bits(width), y.bits(width)))
    if isinstance(x, Set):
        assert isinstance(y, Set)
        if x.mask is not None and x.mask == y.mask:
            return x
        return Set(x.width, None, z3.If(condition, x.bits(), y.bits()))
    if isinstance(x, bool) or isinstance(y, bool):
        return either(both(condition, x), both(negated(condition), y))
    return z3.If(condition, x, y)


# -- comparisons ----------------------------------------------------------------------------------


def equal(x: Value, y: Value) -> Truth:
    """Return whether two values of one type are equal."""
    if isinstance(x, Num):
        assert isinstance(y, Num)
        if x.low > y.high or y.low > x.high:
            return False
        if x.term is None and y.term is None:
            return True
        width = max(width_of(x.low, x.high), width_of(y.low, y.high))
        return x.bits(width) == y.bits(width)
    if isinstance(x, Set):
        assert isinstance(y, Set)
        if x.mask is not None and y.mask is not None:
            return x.mask == y.mask
        return x.bits() == y.bits()
    if isinstance(x, bool):
        return y if x else negated(y)
    if isinstance(y, bool):
        return x if y else negated(x)
    return x == y


def less(x: Num, y: Num) -> Truth:
    """Return whether x < y."""
    if x.high < y.low:
        return True
    if x.low >= y.high:
        return False
    width = max(width_of(x.low, x.high), width_of(y.low, y.high))
    return x.bits(width) < y.bits(width)


def within(x: Num, low: int, high: int) -> Truth:
    """Return whether a number is between two bounds, both included."""
    return both(negated(less(x, number(low))), negated(less(number(high), x)))


# -- arithmetic: each result comes with whether it overflows ----------------------------------------


def exact(term: Term, low: int, high: int) -> tuple[Num, Truth]:
    """Return a result as a number of 64 bits, and whether it is none."""
    whole = ranged(term, low, high)
    if low >= LEAST_INT and high <= GREATEST_INT:
        return whole, False
    fits = within(whole, LEAST_INT, GREATEST_INT)
    low, high = max(low, LEAST_INT), min(high, GREATEST_INT)
    if low > high:
        return number(0), True
    return ranged(whole.bits(width_of(whole.low, whole.high)), low, high), negated(fits)


def add(x: Num, y: Num) -> tuple[Num, Truth]:
    """Return x + y."""
    low, high = x.low + y.low, x.high + y.high
    if low == high:
        return exact(None, low, high)
    if y.low == y.high == 0:
        return x, False
    width = _room(x, y, low, high)
    return exact(x.bits(width) + y.bits(width), low, high)


def subtract(x: Num, y: Num) -> tuple[Num, Truth]:
    """Return x - y."""
    low, high = x.low - y.high, x.high - y.low
    if low == high:
        return exact(None, low, high)
    if y.low == y.high == 0:
        return x, False
    width = _room(x, y, low, high)
    return exact(x.bits(width) - y.bits(width), low, high)


def multiply(x: Num, y: Num) -> tuple[Num, Truth]:
    """Return x * y."""
    corners = [p * q for p in (x.low, x.high) for q in (y.low, y.high)]
    low, high = min(corners), max(corners)
    if low == high:
        return exact(None, low, high)
    width = _room(x, y, low, high)
    return exact(x.bits(width) * y.bits(width), low, high)


def divide(x: Num, y: Num) -> tuple[Num, Truth]:
    """Return x / y, towards zero; it traps for a divisor of 0."""
    zero = equal(y, number(0))
    if zero is True:
        return number(0), True
    largest = max(abs(x.low), abs(x.high))
    low = 0 if x.low >= 0 and y.low >= 0 else -largest
    width = _room(x, y, low, largest)
    quotient, overflow = exact(x.bits(width) / y.bits(width), low, largest)
    return quotient, either(zero, both(negated(zero), overflow))


def modulo(x: Num, y: Num) -> tuple[Num, Truth]:
    """Return x mod y; it traps unless x is at least 0 and y greater than 0."""
    wrong = either(less(x, number(0)), less(y, number(1)))
    if wrong is True:
        return number(0), True
    width = _room(x, y, 0, 0)
    most = min(max(x.high, 0), max(y.high - 1, 0))
    return ranged(z3.URem(x.bits(width), y.bits(width)), 0, most), wrong


def _room(x: Num, y: Num, low: int, high: int) -> int:
    width = max(width_of(x.low, x.high), width_of(y.low, y.high), width_of(low, high))
    if width > MOST_BITS:
        raise Untranslatable("numbers are too large")
    return width
