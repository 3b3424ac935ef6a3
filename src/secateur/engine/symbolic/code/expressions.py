"""Expressions of the kernel language, evaluated in all states at once.

`kernel/evaluate_expressions.py` is the meaning.  A value counts where the code gets to (`here`); what
it is elsewhere does not matter.
"""

from __future__ import annotations

from typing import Final, cast

from secateur.engine.symbolic.code import machine
from secateur.engine.symbolic.code.memory import Memory, Set, Value
from secateur.engine.symbolic.code.numbers import Arithmetic, Number, Untranslatable
from secateur.engine.symbolic.diagrams.protocol import Diagram, Diagrams
from secateur.kernel import language as k
from secateur.kernel.language import STATE, WORD, Bits, Expr
from secateur.kernel.operators import OF_MACHINES, Op
from secateur.kernel.places import position

MOST_INDEX_BITS: Final = 16
"""A number with more bits is compared with each value instead."""


class Expressions:
    """Evaluates expressions; takes down where that traps."""

    def __init__(self, diagrams: Diagrams, memory: Memory, most_nodes: int) -> None:
        self.diagrams = diagrams
        self.numbers = Arithmetic(diagrams, most_nodes)
        self.memory = memory
        self.trapped: Diagram = diagrams.false

    def trap(self, where: Diagram, here: Diagram) -> None:
        """Take down that the code traps."""
        self.trapped = self.trapped | (where & here)

    # -- by type ----------------------------------------------------------------------------------

    def truth(self, e: Expr, here: Diagram) -> Diagram:
        """Return where an expression is true."""
        return cast(Diagram, self.value(e, here))

    def number(self, e: Expr, here: Diagram) -> Number:
        """Return the number that an expression is."""
        return cast(Number, self.value(e, here))

    def set(self, e: Expr, here: Diagram) -> Set:
        """Return the set that an expression is."""
        return cast(Set, self.value(e, here))

    def value(self, e: Expr, here: Diagram) -> Value:
        """Return the value of an expression."""
        match e:
            case k.Number(value):
                return self.numbers.constant(value)
            case k.Truth(value):
                return self.diagrams.true if value else self.diagrams.false
            case k.SetOf(width, mask):
                return [self._constant(mask >> i & 1) for i in range(width)]
            case k.Local(name, type_):
                found = self.memory.locals.get(name)
                return self.nothing(type_) if found is None else found
            case k.Load(place, index, buffer):
                return self._load(place, self.number(index, here), buffer, here)
            case k.LoadBits(region, buffer):
                start = region.word * WORD + region.shift
                return [self._bit(buffer, start + i) for i in range(region.width)]
            case k.Choose(condition, then, otherwise):
                return self._choose(condition, then, otherwise, here)
            case k.Lookup(table, index, type_):
                return self._lookup(table, self.number(index, here), type_, here)
            case k.Binary(op, left, right):
                return self._binary(op, left, right, here)
            case k.Unary(op, operand):
                return self._unary(op, operand, here)
            case _:
                return self._set_operation(e, here)

    def _constant(self, value: object) -> Diagram:
        return self.diagrams.true if value else self.diagrams.false

    def nothing(self, type_: k.Type) -> Value:
        """Return what a local is before it is assigned."""
        if isinstance(type_, Bits):
            return [self.diagrams.false] * type_.width
        return self.numbers.constant(0) if type_ is k.INT else self.diagrams.false

    def choice(self, condition: Diagram, x: Value, y: Value) -> Value:
        """Return `x` where a condition holds, and `y` elsewhere; both are of one type."""
        if condition == self.diagrams.true:
            return x
        if isinstance(x, tuple):
            return self.numbers.choice(condition, x, cast(Number, y))
        if isinstance(x, list):
            pairs = zip(x, cast(Set, y), strict=True)
            return [a if a == b else self.diagrams.choice(condition, a, b) for a, b in pairs]
        return self.diagrams.choice(condition, x, cast(Diagram, y))

    # -- reading ----------------------------------------------------------------------------------

    def _bit(self, buffer: int, bit: int) -> Diagram:
        if buffer == STATE:
            return self.memory.state(bit)
        return self.memory.buffers[buffer].get(bit, self.diagrams.false)

    def _load(self, place: k.Field, index: Number, buffer: int, here: Diagram) -> Number:
        bits = [self.diagrams.false] * place.width
        for at, where in self.cases(index, place.count, here):
            start = position(place, at)
            bits = [b | (where & self._bit(buffer, start + i)) for i, b in enumerate(bits)]
            self.numbers.watch()
        if place.width == WORD:
            return self.numbers.integer(bits)
        return self.numbers.add(self.numbers.natural(bits), self.numbers.constant(place.least))

    def cases(self, index: Number, count: int, here: Diagram) -> list[tuple[int, Diagram]]:
        """Return the values below a limit that a number can have, with where it has them."""
        known = self.numbers.known(index)
        if known is not None:
            return [(known, self.diagrams.true)] if 0 <= known < count else []
        if len(index) > MOST_INDEX_BITS:
            values = ((i, self.numbers.is_value(index, i) & here) for i in range(count))
            return [(i, where) for i, where in values if where != self.diagrams.false]
        return [(i, where) for i, where in self.numbers.cases(index, here) if 0 <= i < count]

    def _lookup(self, table: tuple[int, ...], index: Number, type_: k.Type, here: Diagram) -> Value:
        cases = self.cases(index, len(table), here)
        if isinstance(type_, Bits):
            width = type_.width
        else:
            width = 1 + max(
                ((table[i] if table[i] >= 0 else ~table[i]).bit_length() for i, _ in cases),
                default=0,
            )
        bits = [self.diagrams.false] * width
        for i, where in cases:
            bits = [b | where if table[i] >> n & 1 else b for n, b in enumerate(bits)]
        return bits if isinstance(type_, Bits) else self.numbers.integer(bits)

    def _choose(self, condition: Expr, then: Expr, otherwise: Expr, here: Diagram) -> Value:
        test = self.truth(condition, here)
        first, second = here & test, here & ~test
        if first == self.diagrams.false:
            return self.value(otherwise, here)
        if second == self.diagrams.false:
            return self.value(then, here)
        return self.choice(test, self.value(then, first), self.value(otherwise, second))

    # -- operators --------------------------------------------------------------------------------

    def _binary(self, op: Op, left: Expr, right: Expr, here: Diagram) -> Value:
        if op in (Op.AND, Op.OR):
            x = self.truth(left, here)
            rest = here & (x if op is Op.AND else ~x)
            if rest == self.diagrams.false:
                return x
            y = self.truth(right, rest)
            return x & y if op is Op.AND else x | y
        a, b = self.value(left, here), self.value(right, here)
        if isinstance(a, tuple):
            return self._of_numbers(op, a, cast(Number, b), here)
        if isinstance(a, list):
            return self._of_sets(op, a, cast(Set, b))
        assert op is Op.EQUAL
        return ~self.diagrams.differ(a, cast(Diagram, b))

    def _of_sets(self, op: Op, x: Set, y: Set) -> Value:
        pairs = zip(x, y, strict=True)
        match op:
            case Op.MEET:
                return [a & b for a, b in pairs]
            case Op.JOIN:
                return [a | b for a, b in pairs]
            case Op.MINUS:
                return [a & ~b for a, b in pairs]
        assert op is Op.EQUAL
        found = self.diagrams.true
        for a, b in pairs:
            found = found & ~self.diagrams.differ(a, b)
            self.numbers.watch()
        return found

    def _of_numbers(self, op: Op, x: Number, y: Number, here: Diagram) -> Value:
        numbers = self.numbers
        match op:
            case Op.EQUAL:
                return numbers.equal(x, y)
            case Op.LESS:
                return numbers.less(x, y)
            case Op.LESS_EQUAL:
                return ~numbers.less(y, x)
            case Op.ADD:
                found = numbers.add(x, y)
            case Op.SUBTRACT:
                found = numbers.subtract(x, y)
            case Op.MULTIPLY:
                found = numbers.multiply(x, y)
            case Op.DIVIDE:
                self.trap(numbers.is_value(y, 0), here)
                quotient, _ = numbers.divide(x, y)
                found = numbers.choice(
                    self.diagrams.differ(x[-1], y[-1]), numbers.negate(quotient), quotient
                )
            case Op.MOD:
                self.trap(x[-1] | y[-1] | numbers.is_value(y, 0), here)
                _, found = numbers.divide(x, y)
            case Op.POWER:
                found = self._power(x, y, here)
            case _ if op in OF_MACHINES:
                if op is Op.REMAINDER:
                    self.trap(numbers.is_value(y, 0), here)
                found = machine.computed(numbers, op, x, y)
            case _:
                raise AssertionError(op)
        self.trap(numbers.too_large(found), here)
        return found

    def _power(self, x: Number, y: Number, here: Diagram) -> Number:
        self.trap(y[-1], here)
        possible = here & ~self.trapped
        if possible == self.diagrams.false:
            return self.numbers.constant(0)
        first, last = self.numbers.range_of(y, possible)
        if last >= WORD:
            raise Untranslatable("exponents can be large")
        found = self.numbers.power(x, first)
        for exponent in range(first + 1, last + 1):
            where = self.numbers.is_value(y, exponent)
            found = self.numbers.choice(where, self.numbers.power(x, exponent), found)
        return found

    def _unary(self, op: Op, operand: Expr, here: Diagram) -> Value:
        x = self.value(operand, here)
        match op:
            case Op.NOT:
                return ~cast(Diagram, x)
            case Op.NEGATE:
                found = self.numbers.negate(cast(Number, x))
                self.trap(self.numbers.too_large(found), here)
                return found
            case Op.COMPLEMENT:
                return [~a for a in cast(Set, x)]
            case Op.COUNT:
                return self._count(cast(Set, x))
            case Op.TO_INT:
                return self.numbers.natural([cast(Diagram, x)])
        assert op in (Op.LEAST, Op.GREATEST)
        return self._extreme(cast(Set, x), here, least=op is Op.LEAST)

    def _count(self, x: Set) -> Number:
        """Return how many elements a set has: two halves, each counted."""
        if len(x) == 1:
            return self.numbers.natural(x)
        middle = len(x) // 2
        return self.numbers.add(self._count(x[:middle]), self._count(x[middle:]))

    def _extreme(self, x: Set, here: Diagram, *, least: bool) -> Number:
        left = self.diagrams.true
        found = self.numbers.constant(0)
        for i in range(len(x)) if least else reversed(range(len(x))):
            where = left & x[i]
            found = self.numbers.choice(where, self.numbers.constant(i), found)
            left = left & ~x[i]
        self.trap(left, here)
        return found

    # -- sets -------------------------------------------------------------------------------------

    def _set_operation(
        self, e: k.Has | k.With | k.Slice | k.Place | k.Between, here: Diagram
    ) -> Value:
        false = self.diagrams.false
        match e:
            case k.Has(set_, element):
                members = self.set(set_, here)
                found = false
                for i, where in self.cases(self.number(element, here), len(members), here):
                    found = found | (where & members[i])
                return found
            case k.With(set_, element):
                members = list(self.set(set_, here))
                for i, where in self.cases(self.number(element, here), len(members), here):
                    members[i] = members[i] | where
                return members
            case k.Slice(set_, start, width):
                members = self.set(set_, here)
                bits = [false] * width
                for i, where in self.cases(
                    self.number(start, here), len(members) - width + 1, here
                ):
                    bits = [b | (where & members[i + n]) for n, b in enumerate(bits)]
                return bits
            case k.Place(set_, start, width):
                members = self.set(set_, here)
                bits = [false] * width
                for i, where in self.cases(self.number(start, here), width, here):
                    for n, member in enumerate(members[: width - i]):
                        bits[i + n] = bits[i + n] | (where & member)
                return bits
            case k.Between(width, low, high):
                first, last = self.number(low, here), self.number(high, here)
                less, constant = self.numbers.less, self.numbers.constant
                return [~less(constant(i), first) & ~less(last, constant(i)) for i in range(width)]
