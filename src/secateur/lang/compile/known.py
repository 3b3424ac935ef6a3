"""Values of constants, known when code is made.

Where the constants have several solutions, there is a value for each: a table, and the
number of the solution is part of the state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field

from secateur.kernel import build as k
from secateur.kernel.builder import Builder, both
from secateur.kernel.evaluate_expressions import GREATEST_INT, LEAST_INT
from secateur.kernel.language import INT, Bits, Expr, Number, Type
from secateur.lang.compile.relations import HasDomain, as_pair
from secateur.lang.compile.sets import EmptyView, IntervalView
from secateur.lang.compile.values import (
    BitsView,
    Duo,
    Elem,
    NotCompiled,
    Num,
    Opq,
    Rec,
    SetV,
    Tru,
    V,
    at,
    index,
    same,
)
from secateur.lang.slots.codec import Interned
from secateur.lang.slots.spaces import (
    LARGEST_SPACE,
    Carrier,
    Pairs,
    Range,
    Records,
    Space,
    Subsets,
    Truths,
    mask_of,
    pairs,
)
from secateur.maths.symbolic.numbers import Integers
from secateur.maths.types import STRING
from secateur.maths.values import Element, IllDefined, RecordValue, SymbolicSet, Undecided, Value
from secateur.source.records import dataclass

Maker = Callable[[Expr], V]
"""Makes the value with a number."""


@dataclass(frozen=True, slots=True)
class Known:
    """Makes kernel values of known ones."""

    carriers: Mapping[str, Carrier]
    interned: Interned
    _makers: dict[int, tuple[Sequence[Value], Maker]] = field(default_factory=dict)

    def lift(self, values: Sequence[Value], number: Expr) -> V:
        """Return the value with this number, of some values of one type."""
        found = self._makers.get(id(values))
        if found is None:
            # The values are kept: an id is only unique while its object lives.
            found = self._makers[id(values)] = (values, self._maker(values))
        return found[1](number)

    def _maker(self, values: Sequence[Value]) -> Maker:
        first = values[0]
        if isinstance(first, bool):
            truths = [int(v) for v in values]
            return lambda number: Tru(k.equal(table(truths, number), k.ONE))
        if isinstance(first, Element):
            carrier = self.carriers[first.set_name]
            places = [carrier.index(v) for v in values]
            return lambda number: Elem(table(places, number), carrier)
        if isinstance(first, int):
            if min(values) <= LEAST_INT or max(values) > GREATEST_INT:
                raise NotCompiled("an integer of more than 64 bits")
            return lambda number: Num(table(values, number))
        if isinstance(first, str):
            codes = [self.interned.number(STRING, v) for v in values]
            return lambda number: Opq(table(codes, number), STRING)
        if isinstance(first, RecordValue):
            names = first.names
            parts = [self._maker([v[i] for v in values]) for i in range(len(names))]
            return lambda number: Rec(names, tuple(make(number) for make in parts))
        if type(first) is tuple:
            left, right = self._maker([v[0] for v in values]), self._maker([v[1] for v in values])
            return lambda number: Duo(left(number), right(number))
        if isinstance(first, frozenset | SymbolicSet):
            return self._set_maker(values)
        raise NotCompiled(f"a constant of an unusual kind ({type(first).__name__})")

    def _set_maker(self, values: Sequence[Value]) -> Maker:
        if all(isinstance(v, Integers) and (v.low is None or v.high is None) for v in values):
            return lambda number: self._lift_integers(values, number)
        listed = [_listed(v) for v in values]
        elements = [e for each in listed for e in each]
        if not elements:
            return lambda _: EmptyView()
        space = self.space(elements)
        if space is None or isinstance(space, Pairs):
            if type(elements[0]) is tuple and all(len({p[0] for p in v}) == len(v) for v in listed):
                domain = self.space([p[0] for p in elements])
                if domain is not None and len(values) * domain.size <= LARGEST_SPACE * 4:
                    functions = FunctionTable(self, domain, listed)
                    return lambda number: KnownFunction(functions, number)
            if space is None:
                raise NotCompiled("a constant set that is too large")
        masks = [mask_of(space, v) for v in listed]
        return lambda number: BitsView(table(masks, number, Bits(space.size)), space)

    def _lift_integers(self, values: Sequence[Value], number: Expr) -> SetV:
        lows = [v.low for v in values]
        highs = [v.high for v in values]
        ends: list[Expr | None] = []
        for bounds in (lows, highs):
            if all(bound is None for bound in bounds):
                ends.append(None)
            elif any(bound is None for bound in bounds):
                raise NotCompiled("a set of integers that is infinite for some constants only")
            else:
                ends.append(table(bounds, number))
        return IntervalView(ends[0], ends[1])

    def space(self, values: Sequence[Value]) -> Space | None:
        """Return a space for some values of one type; None if it is too large or unknown."""
        found = self._space(values)
        return found if found is not None and 0 < found.size <= LARGEST_SPACE else None

    def _space(self, values: Sequence[Value]) -> Space | None:
        first = values[0]
        if isinstance(first, bool):
            return Truths()
        if isinstance(first, Element):
            return self.carriers.get(first.set_name)
        if isinstance(first, int):
            return Range(min(values), max(values))
        if isinstance(first, RecordValue):
            parts = [self.space([v[i] for v in values]) for i in range(len(first.names))]
            known = tuple(p for p in parts if p is not None)
            return Records(first.names, known) if len(known) == len(parts) else None
        if type(first) is tuple:
            left, right = self.space([v[0] for v in values]), self.space([v[1] for v in values])
            return pairs(left, right)
        if all(isinstance(v, frozenset) for v in values):
            elements = [e for v in values for e in v]
            of = self.space(elements) if elements else None
            return Subsets(of) if of is not None and of.size <= 12 else None
        return None


def _listed(value: Value) -> frozenset[Value]:
    if isinstance(value, frozenset):
        return value
    try:
        size = value.size() if value.worth_listing() else None
        if size is None or size > 4 * LARGEST_SPACE:
            raise NotCompiled("a constant set that is known by a rule")
        listed: frozenset[Value] = value.expand()
    except (IllDefined, Undecided) as error:
        raise NotCompiled(f"a constant set that cannot be listed: {error}") from error
    return listed


def table(entries: Sequence[int], number: Expr, type_: Type = INT) -> Expr:
    """Return the entry with a number."""
    if all(e == entries[0] for e in entries):
        return k.constant(entries[0], type_)
    return k.lookup(tuple(entries), number, type_)


class FunctionTable:
    """The values of some constant functions, one function after the other."""

    def __init__(self, known: Known, domain: Space, functions: Sequence[frozenset[Value]]) -> None:
        self.known = known
        self.domain = domain
        pairs_ = [p for f in functions for p in f]
        self.space = pairs(domain, known.space([p[1] for p in pairs_]))
        default = pairs_[0][1]
        self.masks: list[int] = []
        self.values: list[Value] = []
        for function in functions:
            by_number = {domain.index(left): right for left, right in function}
            self.masks.append(sum(1 << i for i in by_number))
            self.values += [by_number.get(i, default) for i in range(domain.size)]


class KnownFunction(HasDomain):
    """A constant function: the one with a number in a table."""

    functional = True

    def __init__(self, functions: FunctionTable, number: Expr) -> None:
        self.functions = functions
        self.number = number
        self.domain = functions.domain
        self.space = functions.space

    def value_at(self, argument: Expr) -> V:
        """Return the value at argument number `argument`."""
        place = k.add(k.multiply(self.number, Number(self.domain.size)), argument)
        return self.functions.known.lift(self.functions.values, place)

    def domain_bits(self, b: Builder) -> Expr:  # noqa: ARG002
        """Return where there is a value."""
        return table(self.functions.masks, self.number, Bits(self.domain.size))

    def member(self, b: Builder, value: V) -> Expr:
        """Compare with the value at the left part."""
        pair = as_pair(value)
        there, number = self._find(b, pair.left)
        return both(b, there, lambda: same(b, self.value_at(number), pair.right))

    def each(self, b: Builder, body: Callable[[V], None]) -> None:
        """Go through the domain."""
        with b.for_each(self.domain_bits(b), "arg") as number:
            body(Duo(at(self.domain, number), self.value_at(number)))

    def apply(self, b: Builder, argument: V) -> V:
        """Look the value up."""
        there, number = self._find(b, argument)
        b.trap_unless(there, "outside the domain")
        return self.value_at(number)

    def defined(self, b: Builder, argument: V) -> Expr:
        """Look at the domain."""
        return self._find(b, argument)[0]

    def row_bits(self, b: Builder, argument: V) -> Expr:
        """Return the value as a set of at most one element."""
        space = self.pair_space().right
        there, number = self._find(b, argument)
        _, value = index(b, space, self.value_at(number))
        return k.choose(there, k.with_(k.empty(space.size), value), k.empty(space.size))

    def count(self, b: Builder) -> Expr:
        """Count the domain."""
        return k.count(self.domain_bits(b))

    def is_empty(self, b: Builder) -> Expr:
        """Look at the domain."""
        return k.equal(self.domain_bits(b), k.empty(self.domain.size))

    def _find(self, b: Builder, argument: V) -> tuple[Expr, Expr]:
        inside, number = index(b, self.domain, argument)
        number = b.let(number, "arg")
        return k.and_(inside, k.has(self.domain_bits(b), number)), number
