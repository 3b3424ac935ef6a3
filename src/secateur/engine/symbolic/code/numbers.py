"""Numbers that depend on the state: their bits are diagrams.

A number is in two's complement, its lowest bit first, the last one tells its sign; it has as many bits
as it needs, so that nothing overflows by itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from secateur.engine.symbolic.diagrams.protocol import Diagram, Diagrams
from secateur.kernel.language import WORD

Number = tuple[Diagram, ...]

MOST_BITS: Final = 4 * WORD
"""A number with more bits than this is not looked at."""


class Untranslatable(Exception):
    """A piece of code is too much for diagrams; says why."""


class Arithmetic:
    """Computes with such numbers."""

    def __init__(self, diagrams: Diagrams, most_nodes: int) -> None:
        self.diagrams = diagrams
        self._most_nodes = most_nodes
        self.true = diagrams.true
        self.false = diagrams.false
        self._differ = diagrams.differ

    # -- making -----------------------------------------------------------------------------------

    def constant(self, value: int) -> Number:
        """Return a number that is the same in all states."""
        width = (value if value >= 0 else ~value).bit_length() + 1
        return tuple(self.true if value >> i & 1 else self.false for i in range(width))

    def known(self, x: Number) -> int | None:
        """Return the value of a number that is the same in all states; None if it is not."""
        value = 0
        for i, bit in enumerate(x):
            if bit == self.true:
                value |= 1 << i
            elif bit != self.false:
                return None
        return value - (1 << len(x)) if x[-1] == self.true else value

    def natural(self, bits: Sequence[Diagram]) -> Number:
        """Return the number that has these bits, and is not negative."""
        return self._trimmed([*bits, self.false])

    def integer(self, bits: Sequence[Diagram]) -> Number:
        """Return the number that has these bits in two's complement."""
        return self._trimmed(list(bits))

    def _trimmed(self, bits: list[Diagram]) -> Number:
        while len(bits) > 1 and bits[-1] == bits[-2]:
            bits.pop()
        if len(bits) > MOST_BITS:
            raise Untranslatable("numbers become too large")
        self.watch()
        return tuple(bits)

    def watch(self) -> None:
        """Raise Untranslatable if there are too many nodes by now."""
        if self.diagrams.nodes() > self._most_nodes:
            self.diagrams.collect()
            if self.diagrams.nodes() > self._most_nodes:
                raise Untranslatable("its diagrams become too large")

    @staticmethod
    def wide(x: Number, width: int) -> Number:
        """Return the same number with at least so many bits."""
        return x + (x[-1],) * (width - len(x))

    # -- arithmetic -------------------------------------------------------------------------------

    def add(self, x: Number, y: Number, carry: Diagram | None = None) -> Number:
        """Return `x + y`, or one more where there is a carry."""
        width = max(len(x), len(y)) + 1
        differ = self._differ
        c = self.false if carry is None else carry
        bits: list[Diagram] = []
        for a, b in zip(self.wide(x, width), self.wide(y, width), strict=True):
            either = differ(a, b)
            bits.append(differ(either, c))
            c = (a & b) | (either & c)
            self.watch()  # bits that are far apart make it double each time
        return self._trimmed(bits)

    def negate(self, x: Number) -> Number:
        """Return `-x`."""
        return self.add(self._inverted(x), (self.false,), self.true)

    def subtract(self, x: Number, y: Number) -> Number:
        """Return `x - y`."""
        return self.add(x, self._inverted(y), self.true)

    @staticmethod
    def _inverted(x: Number) -> Number:
        return tuple(~bit for bit in x)

    def multiply(self, x: Number, y: Number) -> Number:
        """Return `x * y`: shifted copies of `x`, added where `y` has a bit, and taken for its sign."""
        total = self.constant(0)
        for i, bit in enumerate(y):
            if bit == self.false:
                continue
            row = self._trimmed([*([self.false] * i), *(a & bit for a in x)])
            total = self.subtract(total, row) if i == len(y) - 1 else self.add(total, row)
        return total

    def divide(self, x: Number, y: Number) -> tuple[Number, Number]:
        """Return the quotient of the magnitudes of `x` and `y`, and the remainder; `y` is not 0."""
        a, b = self.magnitude(x), self.magnitude(y)
        rest = self.constant(0)
        quotient: list[Diagram] = []
        for bit in reversed(a):
            rest = self._trimmed([bit, *rest])
            less = self.less(rest, b)
            rest = self.choice(less, rest, self.subtract(rest, b))
            quotient.append(~less)
        return self.natural(quotient[::-1]), rest

    def magnitude(self, x: Number) -> Number:
        """Return `x` without its sign."""
        return self.choice(x[-1], self.negate(x), x)

    def power(self, x: Number, exponent: int) -> Number:
        """Return `x` to the power of a known number."""
        found = self.constant(1)
        for _ in range(exponent):
            found = self.multiply(found, x)
        return found

    # -- comparing --------------------------------------------------------------------------------

    def equal(self, x: Number, y: Number) -> Diagram:
        """Return where two numbers are the same."""
        width = max(len(x), len(y))
        found = self.true
        for a, b in zip(self.wide(x, width), self.wide(y, width), strict=True):
            found = found & ~self._differ(a, b)
            if found == self.false:
                break
            self.watch()
        return found

    def is_value(self, x: Number, value: int) -> Diagram:
        """Return where a number has a value."""
        return self.equal(x, self.constant(value))

    def less(self, x: Number, y: Number) -> Diagram:
        """Return where `x < y`."""
        return self.subtract(x, y)[-1]

    def too_large(self, x: Number) -> Diagram:
        """Return where a number does not fit into a word."""
        found = self.false
        for bit in x[WORD:]:
            found = found | self._differ(bit, x[WORD - 1])
        return found

    def choice(self, condition: Diagram, x: Number, y: Number) -> Number:
        """Return `x` where the condition holds, and `y` elsewhere."""
        width = max(len(x), len(y))
        choice = self.diagrams.choice
        return self._trimmed(
            [
                a if a == b else choice(condition, a, b)
                for a, b in zip(self.wide(x, width), self.wide(y, width), strict=True)
            ]
        )

    def cases(self, x: Number, where: Diagram) -> Iterator[tuple[int, Diagram]]:
        """Yield the values that a number has in some states, with those in which it has them.

        From its sign down, so that what does not occur is not looked into.
        """
        return self._cases(x, len(x) - 1, 0, where)

    def _cases(
        self, x: Number, place: int, value: int, where: Diagram
    ) -> Iterator[tuple[int, Diagram]]:
        if where == self.false:
            return
        if place < 0:
            yield value, where
            return
        bit = x[place]
        weight = -(1 << place) if place == len(x) - 1 else 1 << place
        if bit in (self.true, self.false):
            yield from self._cases(x, place - 1, value + (bit == self.true) * weight, where)
            return
        chosen = where & bit
        yield from self._cases(x, place - 1, value, where & ~bit)
        yield from self._cases(x, place - 1, value + weight, chosen)

    def range_of(self, x: Number, where: Diagram) -> tuple[int, int]:
        """Return the least and the greatest value that a number has in some states (not none)."""
        return self._extreme(x, where, least=True), self._extreme(x, where, least=False)

    def _extreme(self, x: Number, where: Diagram, *, least: bool) -> int:
        value = 0
        for i in reversed(range(len(x))):
            sign = i == len(x) - 1
            wanted = x[i] if sign == least else ~x[i]
            rest = where & wanted
            if rest == self.false:
                rest, wanted = where & ~wanted, ~wanted
            where = rest
            if wanted == x[i]:
                value += -(1 << i) if sign else 1 << i
        return value
