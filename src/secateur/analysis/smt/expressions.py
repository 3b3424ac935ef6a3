"""Expressions of the kernel language as formulas; `kernel/evaluate_expressions.py` is the meaning."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import field
from typing import Final

import z3

from secateur.analysis.smt import machine, sets
from secateur.analysis.smt.memory import Bits, Memory
from secateur.analysis.smt.values import (
    Num,
    Set,
    Term,
    Truth,
    Untranslatable,
    Value,
    add,
    both,
    choose,
    divide,
    either,
    equal,
    exact,
    less,
    modulo,
    multiply,
    negated,
    number,
    ranged,
    subtract,
    width_of,
    within,
)
from secateur.kernel import language as k
from secateur.kernel.evaluate_expressions import GREATEST_INT, LEAST_INT, Trapped, arithmetic
from secateur.kernel.language import Expr, Field
from secateur.kernel.operators import OF_MACHINES, Op
from secateur.kernel.places import position
from secateur.source.records import dataclass

MOST_EXPRESSIONS: Final = 20_000
"""What one piece of code may be made of when its loops are written out."""
_LARGEST_EXPONENT: Final = 16

_ARITHMETIC: Final[dict[Op, Callable[[Num, Num], tuple[Num, Truth]]]] = {
    Op.ADD: add,
    Op.SUBTRACT: subtract,
    Op.MULTIPLY: multiply,
    Op.DIVIDE: divide,
    Op.MOD: modulo,
}


@dataclass(slots=True)
class Surroundings:
    """What expressions look at."""

    buffers: dict[int, Memory]
    locals: dict[str, Value] = field(default_factory=dict)


@dataclass(slots=True)
class Expressions:
    """Translates expressions, and collects under which conditions they trap."""

    here: Surroundings
    traps: list[Truth] = field(default_factory=list)
    """When what was translated since these were last taken traps."""
    facts: dict[str, Truth] = field(default_factory=dict)
    """What is known of the variables of every lawful state."""
    _context: list[Truth] = field(default_factory=list)
    _count: int = 0

    def value(self, e: Expr) -> Value:
        """Return the value of an expression."""
        self._count += 1
        if self._count > MOST_EXPRESSIONS:
            raise Untranslatable("the code is too long")
        match e:
            case k.Number(value):
                return number(value)
            case k.Truth(truth):
                return truth
            case k.SetOf(width, mask):
                return sets.known(width, mask)
            case k.Local(name, type_):
                found = self.here.locals.get(name)
                return zero(type_) if found is None else found
            case k.Load(place, index, buffer):
                return self._load(place, self.number(index), buffer)
            case k.LoadBits(region, buffer):
                at = region.word * k.WORD + region.shift
                bits = self.here.buffers[buffer].load(at, region.width)
                if isinstance(bits, int):
                    return Set(region.width, bits)
                return Set(region.width, None, bits)
            case k.Choose(condition, then, otherwise):
                return self._choose(self.truth(condition), then, otherwise)
            case k.Lookup(table, index, type_):
                return self._lookup(table, self.number(index), type_)
            case k.Binary(op, left, right):
                return self._binary(op, left, right)
            case k.Unary(op, operand):
                return self._unary(op, self.value(operand))
            case _:
                return self._set_operation(e)

    def number(self, e: Expr) -> Num:
        """Return the value of a number."""
        found = self.value(e)
        assert isinstance(found, Num)
        return found

    def set(self, e: Expr) -> Set:
        """Return the value of a set."""
        found = self.value(e)
        assert isinstance(found, Set)
        return found

    def truth(self, e: Expr) -> Truth:
        """Return the value of a condition."""
        found = self.value(e)
        assert not isinstance(found, Num | Set)
        return found

    def take_traps(self) -> Truth:
        """Return when something since the last call of this traps."""
        found = either(*self.traps)
        self.traps.clear()
        return found

    def trap(self, condition: Truth) -> None:
        """Note that what is looked at traps under a condition."""
        whole = both(*self._context, condition)
        if whole is not False:
            self.traps.append(whole)

    @contextmanager
    def _only_if(self, condition: Truth) -> Iterator[None]:
        self._context.append(condition)
        yield
        self._context.pop()

    # -- cases ------------------------------------------------------------------------------------

    def _choose(self, condition: Truth, then: Expr, otherwise: Expr) -> Value:
        if isinstance(condition, bool):
            return self.value(then if condition else otherwise)
        with self._only_if(condition):
            first = self.value(then)
        with self._only_if(negated(condition)):
            second = self.value(otherwise)
        return choose(condition, first, second)

    def _lookup(self, table: tuple[int, ...], index: Num, type_: k.Type) -> Value:
        def entry(place: int) -> Value:
            if isinstance(type_, k.Bits):
                return sets.known(type_.width, table[place])
            return number(table[place])

        return self._among(index, len(table), entry, type_)

    def _among(self, index: Num, count: int, entry: Callable[[int], Value], type_: k.Type) -> Value:
        """Return the entry at an index, which code makes sure to be there."""
        places = sets.cases(index, count)
        if not places:
            self.trap(True)
            return zero(type_)
        found = entry(places[-1])
        for place in reversed(places[:-1]):
            found = choose(equal(index, number(place)), entry(place), found)
        return found

    def _load(self, place: Field, index: Num, buffer: int) -> Value:
        memory = self.here.buffers[buffer]

        def entry(i: int) -> Value:
            bits = memory.load(position(place, i), place.width)
            if place.width == k.WORD:
                if isinstance(bits, int):
                    return number(bits - (1 << k.WORD) if bits > GREATEST_INT else bits)
                return Num(LEAST_INT, GREATEST_INT, bits)
            if isinstance(bits, int):
                return number(bits + place.least)
            if buffer == k.STATE and place.size < 1 << place.width and _is_variable(bits):
                size = z3.BitVecVal(place.size, place.width)
                self.facts[bits.decl().name()] = z3.ULT(bits, size)
            raw = ranged(z3.ZeroExt(1, bits), 0, place.size - 1)
            return add(raw, number(place.least))[0]

        return self._among(index, place.count, entry, k.INT)

    def encoded(self, place: Field, value: Num) -> Bits:
        """Return the bits that stand for a number of a field; note where it is none."""
        if place.width == k.WORD:
            if value.term is None:
                return value.low & ((1 << k.WORD) - 1)
            return value.bits(k.WORD)
        self.trap(negated(within(value, place.least, place.least + place.size - 1)))
        if value.term is None:
            return (value.low - place.least) & ((1 << place.width) - 1)
        width = max(width_of(value.low, value.high), width_of(place.least, place.least))
        width = max(width, place.width) + 1
        moved = value.bits(width) - z3.BitVecVal(place.least, width)
        return z3.Extract(place.width - 1, 0, moved)

    def _binary(self, op: Op, left: Expr, right: Expr) -> Value:
        x = self.value(left)
        if op in (Op.AND, Op.OR):
            assert not isinstance(x, Num | Set)
            if isinstance(x, bool):
                return self.truth(right) if x == (op is Op.AND) else x
            with self._only_if(x if op is Op.AND else negated(x)):
                second = self.truth(right)
            return both(x, second) if op is Op.AND else either(x, second)
        y = self.value(right)
        match op:
            case Op.EQUAL:
                return equal(x, y)
            case Op.MEET | Op.JOIN | Op.MINUS:
                assert isinstance(x, Set)
                assert isinstance(y, Set)
                return sets.combined(op, x, y)
        assert isinstance(x, Num)
        assert isinstance(y, Num)
        match op:
            case Op.LESS:
                return less(x, y)
            case Op.LESS_EQUAL:
                return negated(less(y, x))
            case _:
                return self._arithmetic(op, x, y)

    def _arithmetic(self, op: Op, x: Num, y: Num) -> Num:
        if x.term is None and y.term is None:
            try:
                return number(arithmetic(op, x.low, y.low))
            except Trapped:
                self.trap(True)
                return number(0)
        if op in OF_MACHINES:
            result, wrong = machine.computed(op, x, y)
        else:
            result, wrong = _power(x, y) if op is Op.POWER else _ARITHMETIC[op](x, y)
        self.trap(wrong)
        return result

    def _unary(self, op: Op, x: Value) -> Value:
        match op:
            case Op.NEGATE:
                assert isinstance(x, Num)
                result, wrong = subtract(number(0), x)
                self.trap(wrong)
                return result
            case Op.NOT | Op.TO_INT:
                assert not isinstance(x, Num | Set)
                return negated(x) if op is Op.NOT else choose(x, number(1), number(0))
        assert isinstance(x, Set)
        match op:
            case Op.COMPLEMENT:
                return sets.complement(x)
            case Op.COUNT:
                return sets.cardinality(x)
            case _:
                result, wrong = sets.extreme(op, x)
                self.trap(wrong)
                return result

    def _set_operation(self, e: k.Has | k.With | k.Slice | k.Place | k.Between) -> Value:
        match e:
            case k.Has(set_, element):
                return sets.has(self.set(set_), self.number(element))
            case k.With(set_, element):
                return sets.with_element(self.set(set_), self.number(element))
            case k.Slice(set_, start, width):
                return sets.sliced(self.set(set_), self.number(start), width)
            case k.Place(set_, start, width):
                return sets.placed(self.set(set_), self.number(start), width)
            case k.Between(width, low, high):
                return sets.between(width, self.number(low), self.number(high))


def _power(x: Num, y: Num) -> tuple[Num, Truth]:
    if y.term is not None or not 0 <= y.low <= _LARGEST_EXPONENT:
        raise Untranslatable("a power")
    # products on the way are exact: once one is too large, so is the result, unless x is 0, 1, -1
    low = high = 1
    for _ in range(y.low):
        corners = [p * q for p in (low, high) for q in (x.low, x.high)]
        low, high = min(corners), max(corners)
    width = max(width_of(low, high), width_of(x.low, x.high))
    term = z3.BitVecVal(1, width)
    for _ in range(y.low):
        term = term * x.bits(width)
    return exact(term, low, high)


def _is_variable(term: Term) -> bool:
    return bool(term.decl().kind() == z3.Z3_OP_UNINTERPRETED)


def zero(type_: k.Type) -> Value:
    """Return what a local is before it is assigned."""
    if isinstance(type_, k.Bits):
        return Set(type_.width, 0)
    return number(0) if type_ is k.INT else False
