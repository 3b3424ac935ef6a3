"""What an expression becomes: kernel expressions, arranged like the value that they stand for."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

from secateur.kernel import build as k
from secateur.kernel.builder import Builder, both
from secateur.kernel.language import Bits, Expr, Lookup, Number
from secateur.kernel.ranges import bounds, can_trap
from secateur.lang.slots.spaces import (
    LARGEST_SPACE,
    Carrier,
    Pairs,
    Range,
    Records,
    Space,
    Subsets,
    Truths,
    pairs,
    records,
    subsets,
)
from secateur.maths.types import Type
from secateur.source.records import dataclass


class NotCompiled(Exception):
    """Something that is left to the evaluator; the reason is shown to the curious."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Num:
    """An integer."""

    expr: Expr


@dataclass(frozen=True, slots=True)
class Tru:
    """TRUE or FALSE."""

    expr: Expr


@dataclass(frozen=True, slots=True)
class Elem:
    """An element of a given set, by its number."""

    expr: Expr
    carrier: Carrier


@dataclass(frozen=True, slots=True)
class Duo:
    """A pair."""

    left: V
    right: V


@dataclass(frozen=True, slots=True)
class Rec:
    """A record."""

    names: tuple[str, ...]
    parts: tuple[V, ...]


@dataclass(frozen=True, slots=True)
class Opq:
    """A value known by its number in the table of its type: it can be copied and compared."""

    expr: Expr
    type: Type


class SetV(ABC):
    """A set: elements can be tested, gone through, and gathered as bits."""

    space: Space | None = None
    """Where all elements are found, as far as that is known beforehand."""
    functional: bool = False
    """Whether it is a relation that certainly has no argument with two values."""

    @abstractmethod
    def member(self, b: Builder, value: V) -> Expr:
        """Return whether `value` is an element."""

    def each(self, b: Builder, body: Callable[[V], None]) -> None:
        """Emit the code of `body` for every element once, in a loop."""
        space = self.need_space()
        with b.for_each(self.bits(b, space)) as number:
            body(at(space, number))

    def bits(self, b: Builder, space: Space) -> Expr:
        """Return the elements as bits over `space`; traps if one is not in it."""
        found = b.variable(k.empty(space.size), "set")

        def insert(value: V) -> None:
            b.assign(found, k.with_(found, checked_index(b, space, value)))

        self.each(b, insert)
        return found

    def need_space(self) -> Space:
        """Return the space, which must be known."""
        if self.space is None:
            raise NotCompiled("a set without a known bound")
        return self.space

    def is_empty(self, b: Builder) -> Expr:
        """Return whether there is no element."""
        if self.space is not None:
            return k.equal(self.bits(b, self.space), k.empty(self.space.size))
        found = b.variable(k.FALSE, "any")
        self.each(b, lambda _: b.assign(found, k.TRUE))
        return k.not_(found)

    def count(self, b: Builder) -> Expr:
        """Return the number of elements."""
        if self.space is not None:
            return k.count(self.bits(b, self.space))
        total = b.variable(k.ZERO, "count")
        self.each(b, lambda _: b.assign(total, k.add(total, k.ONE)))
        return total

    # -- what relations can do ----------------------------------------------------------------

    def apply(self, b: Builder, argument: V) -> V:
        """Return the one value at `argument`; traps unless there is exactly one."""
        spaces = self.pair_space()
        row = b.let(self.row_bits(b, argument), "row")
        b.trap_unless(k.equal(k.count(row), k.ONE), "no value, or several")
        return at(spaces.right, b.let(k.least(row), "value"))

    def defined(self, b: Builder, argument: V) -> Expr:
        """Return whether `argument` is in the domain."""
        row = self.row_bits(b, argument)
        return k.not_(k.equal(row, k.empty(self.pair_space().right.size)))

    def row_bits(self, b: Builder, argument: V) -> Expr:
        """Return the values at `argument` as bits over the right part of the space."""
        spaces = self.pair_space()
        inside, number = index(b, spaces.left, argument)
        width = spaces.right.size
        bits = self.bits(b, spaces)
        row = k.slice_(bits, k.multiply(number, Number(width)), width)
        return k.choose(inside, row, k.empty(width))

    def pair_space(self) -> Pairs:
        """Return the space, which must be known and of pairs."""
        space = self.need_space()
        if not isinstance(space, Pairs):
            raise NotCompiled("a relation over an unknown domain")
        return space


V = Num | Tru | Elem | Duo | Rec | Opq | SetV


class BitsView(SetV):
    """A set that is there as bits."""

    def __init__(self, expr: Expr, space: Space) -> None:
        self.expr = expr
        self.space = space

    def member(self, b: Builder, value: V) -> Expr:
        """Test the bit."""
        space = self.need_space()
        inside, number = index(b, space, value)
        return k.and_(inside, k.has(self.expr, number))

    def bits(self, b: Builder, space: Space) -> Expr:
        """Return the bits as they are, if the space is the same."""
        if space == self.space:
            return self.expr
        return super().bits(b, space)


def at(space: Space, number: Expr) -> V:
    """Return the value of a space with this number."""
    match space:
        case Truths():
            return Tru(k.equal(number, k.ONE))
        case Carrier():
            return Elem(number, space)
        case Range(low):
            return Num(k.add(number, Number(low)))
        case Pairs(left, right):
            if right.size == 1:
                return Duo(at(left, number), at(right, k.ZERO))
            width = Number(right.size)
            return Duo(at(left, k.divide(number, width)), at(right, k.mod(number, width)))
        case Records(names, parts):
            values: list[V] = []
            for part in reversed(parts):
                width = Number(part.size)
                values.append(at(part, k.mod(number, width)))
                number = k.divide(number, width)
            return Rec(names, tuple(reversed(values)))
        case Subsets(of):
            table = tuple(range(space.size))
            return BitsView(Lookup(table, number, Bits(of.size)), of)


def index(b: Builder, space: Space, value: V) -> tuple[Expr, Expr]:
    """Return whether a value is in a space, and its number there: some number, if it is not."""
    match space, value:
        case (Truths(), Tru(expr)):
            return k.TRUE, k.to_int(expr)
        case (Carrier(), Elem(expr)):
            return k.TRUE, expr
        case (Range(low, high), Num(expr)):
            least, greatest = bounds(expr)
            if low <= least and greatest <= high:
                return k.TRUE, k.subtract(expr, Number(low))
            expr = b.let(expr, "n")
            inside = b.let(k.within(low, expr, high), "inside")
            # Outside, the number is not looked at; it must not overflow either.
            return inside, k.choose(inside, k.subtract(expr, Number(low)), k.ZERO)
        case (Pairs(left, right), Duo(first, second)):
            return _both_numbers(b, [(left, first), (right, second)])
        case (Records(_, parts), Rec(_, values)):
            return _both_numbers(b, list(zip(parts, values, strict=True)))
        case (Subsets(of), SetV()):
            number = b.variable(k.ZERO, "mask")
            table = tuple(1 << i for i in range(of.size))
            with b.for_each(value.bits(b, of)) as element:
                b.assign(number, k.add(number, Lookup(table, element)))
            return k.TRUE, number
    raise NotCompiled("a value of another kind than the set that it is looked for in")


def _both_numbers(b: Builder, parts: list[tuple[Space, V]]) -> tuple[Expr, Expr]:
    inside: Expr = k.TRUE
    number: Expr = k.ZERO
    for space, value in parts:
        here, place = index(b, space, value)
        inside = k.and_(inside, here)
        number = k.add(k.multiply(number, Number(space.size)), place)
    return inside, number


def checked_index(b: Builder, space: Space, value: V) -> Expr:
    """Return the number of a value in a space; traps if it is not there."""
    inside, number = index(b, space, value)
    b.trap_unless(inside, "a value outside the set provided for it")
    return number


def joined(a: Space | None, b: Space | None) -> Space | None:
    """Return a space with the values of both, if that is known and not too large."""
    return _common(a, b)


def _common(a: Space | None, b: Space | None) -> Space | None:
    if a is None or b is None or a == b:
        return a if a == b else None
    match a, b:
        case (Range(), Range()):
            both_ = Range(min(a.low, b.low), max(a.high, b.high))
            return both_ if both_.size <= LARGEST_SPACE else None
        case (Pairs(), Pairs()):
            left, right = _common(a.left, b.left), _common(a.right, b.right)
            if left is None or right is None or left.size * right.size > LARGEST_SPACE:
                return None
            return Pairs(left, right)
        case (Subsets(), Subsets()):
            of = _common(a.of, b.of)
            return Subsets(of) if of is not None and of.size <= 12 else None
    return None


def same(b: Builder, left: V, right: V) -> Expr:
    """Return whether two values of one type are equal."""
    match left, right:
        case (Num(x), Num(y)) | (Tru(x), Tru(y)) | (Elem(x), Elem(y)) | (Opq(x), Opq(y)):
            return k.equal(x, y)
        case (Duo(), Duo()):
            return both(b, same(b, left.left, right.left), lambda: same(b, left.right, right.right))
        case (Rec(_, first), Rec(_, second)):
            result: Expr = k.TRUE
            for x_, y_ in zip(first, second, strict=True):
                result = _and_same(b, result, x_, y_)
            return result
        case (SetV(), SetV()):
            return same_set(b, left, right)
    raise NotCompiled("a comparison of values that are stored in different ways")


def _and_same(b: Builder, so_far: Expr, left: V, right: V) -> Expr:
    return both(b, so_far, lambda: same(b, left, right))


def same_set(b: Builder, left: SetV, right: SetV) -> Expr:
    """Return whether two sets have the same elements."""
    if left.space == right.space is not None:
        space = left.need_space()
        return k.equal(left.bits(b, space), right.bits(b, space))
    return both(b, subset(b, left, right), lambda: subset(b, right, left))


def subset(b: Builder, left: SetV, right: SetV) -> Expr:
    """Return whether all elements of the left set are in the right one."""
    if left.space == right.space is not None and isinstance(right, BitsView):
        space = left.need_space()
        return k.subset(left.bits(b, space), right.expr)
    result = b.variable(k.TRUE, "subset")

    def test(value: V) -> None:
        inside = right.member(b, value)
        b.assign(result, k.and_(result, inside))

    left.each(b, test)
    return result


def settled(b: Builder, value: V) -> V:
    """Return a value that may be used often: what is dear to compute is computed here."""
    match value:
        case Num(expr):
            return Num(b.let(expr))
        case Tru(expr):
            return Tru(b.let(expr))
        case Elem(expr, carrier):
            return Elem(b.let(expr), carrier)
        case Opq(expr, type_):
            return Opq(b.let(expr), type_)
        case Duo(left, right):
            return Duo(settled(b, left), settled(b, right))
        case Rec(names, parts):
            return Rec(names, tuple(settled(b, p) for p in parts))
        case _:
            return value


def certain(b: Builder, value: V) -> V:
    """Return a part of a value: it is computed here if that may trap, whoever asks for it later."""
    match value:
        case Num(expr) if can_trap(expr):
            return Num(b.let(expr, "part"))
        case Tru(expr) if can_trap(expr):
            return Tru(b.let(expr, "part"))
        case _:
            return value


def space_of(value: V) -> Space | None:
    """Return a space that a value is certainly in, if one is known."""
    match value:
        case Num(expr):
            low, high = bounds(expr)
            return Range(low, high) if high - low < LARGEST_SPACE else None
        case Tru():
            return Truths()
        case Elem(_, carrier):
            return carrier
        case Duo(left, right):
            return pairs(space_of(left), space_of(right))
        case Rec(names, parts):
            return records(names, [space_of(p) for p in parts])
        case SetV():
            return subsets(value.space)
        case _:
            return None
