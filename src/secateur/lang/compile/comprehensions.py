"""Comprehensions, lambdas, sums and quantified unions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from secateur.kernel import build as k
from secateur.kernel.builder import Builder, both
from secateur.kernel.language import INT, Expr, Lookup, type_of
from secateur.kernel.ranges import bounds
from secateur.lang.compile.generators import Unknowns, generate
from secateur.lang.compile.listing import listed_once
from secateur.lang.compile.patterns import tuple_names
from secateur.lang.compile.scope import Scope
from secateur.lang.compile.sets import EmptyView, IntervalView
from secateur.lang.compile.total import has_value
from secateur.lang.compile.values import (
    BitsView,
    Duo,
    Elem,
    NotCompiled,
    Num,
    Opq,
    SetV,
    Tru,
    V,
    at,
    certain,
    checked_index,
    same,
    space_of,
)
from secateur.lang.slots.spaces import LARGEST_SPACE, Range, Space, pairs, space_of_type
from secateur.maths import ast
from secateur.maths.operators import comparison, integers
from secateur.maths.types import INTEGER

_BELOW: Final = frozenset({integers.LESS, integers.LESS_EQUAL})
_ABOVE: Final = frozenset({integers.GREATER, integers.GREATER_EQUAL})

if TYPE_CHECKING:
    from secateur.lang.compile.expressions import Lowering


def view(lowering: Lowering, e: ast.Comprehension | ast.Lambda, scope: Scope) -> SetV:
    """Return a set or function that is given by a condition."""
    found = unlisted(lowering, e, scope)
    if lowering.trusting or isinstance(found, BitsView) or has_value(lowering, e, scope):
        return found
    return listed_once(lowering, found)


def unlisted(lowering: Lowering, e: ast.Comprehension | ast.Lambda, scope: Scope) -> SetV:
    """Return a set or function of which only the elements that somebody asks for are looked at."""
    conditions = _outer(e)
    spaces = [_binder_space(lowering, binder, conditions, scope) for binder in e.binders]
    if isinstance(e, ast.Lambda):
        return LambdaView(lowering, e, scope, spaces)
    if e.value is not None:
        order = tuple_names(e.value)
        if sorted(order) != sorted(b.name for b in e.binders):
            return _gathered(lowering, e, scope, spaces)
        # `{x, y . P | y |-> x}`: nothing but another order.
        by_name = {b.name: (b, s) for b, s in zip(e.binders, spaces, strict=True)}
        binders = tuple(by_name[name][0] for name in order)
        e = ast.Comprehension(binders, e.condition, None, span=e.span)
        spaces = [by_name[name][1] for name in order]
    return ComprehensionView(lowering, e, scope, spaces)


def quantified(lowering: Lowering, e: ast.Quantified, scope: Scope) -> V:
    """Return a sum, a product, or the union or intersection of a family."""
    b = lowering.b
    conditions = ast.conjuncts(e.condition)
    if e.quantifier in {ast.Quantifier.SIGMA, ast.Quantifier.PI}:
        adding = e.quantifier is ast.Quantifier.SIGMA
        total = b.variable(k.ZERO if adding else k.ONE, "total")

        def add(inner: Scope) -> None:
            more = lowering.number(e.value, inner)
            b.assign(total, k.add(total, more) if adding else k.multiply(total, more))

        generate(lowering, Unknowns(e.binders, conditions), scope, add)
        return Num(total)
    return _family(lowering, e, scope)


def _family(lowering: Lowering, e: ast.Quantified, scope: Scope) -> V:
    b = lowering.b
    conditions = _outer(e)
    spaces = [_binder_space(lowering, binder, conditions, scope) for binder in e.binders]
    sample = lowering.dry(
        lambda: lowering.value(e.value, scope.bind(_samples(lowering, e.binders, spaces)))
    )
    if isinstance(sample, EmptyView):
        return sample
    if not isinstance(sample, SetV):
        raise NotCompiled("a family of sets that are stored as a whole")
    space = sample.need_space()
    union = e.quantifier is ast.Quantifier.UNION
    found = b.variable(k.empty(space.size) if union else k.full(space.size), "family")
    some = b.variable(k.FALSE, "some")

    def gather(inner: Scope) -> None:
        bits = lowering.set(e.value, inner).bits(b, space)
        b.assign(found, k.join(found, bits) if union else k.meet(found, bits))
        b.assign(some, k.TRUE)

    generate(lowering, Unknowns(e.binders, ast.conjuncts(e.condition)), scope, gather)
    if not union:
        b.trap_unless(some, "the intersection of no sets")
    return BitsView(found, space)


def _outer(e: ast.Comprehension | ast.Lambda | ast.Quantified) -> list[ast.Expr]:
    """Return the conditions on one binder that mention no other, nor itself twice."""
    names = {b.name for b in e.binders}
    return [
        conjunct
        for conjunct in ast.conjuncts(e.condition)
        if isinstance(conjunct, ast.Apply)
        and len(conjunct.args) > 1
        and not names & ast.free_names(conjunct.args[1])
    ]


def _binder_space(
    lowering: Lowering, binder: ast.Binder, conditions: Sequence[ast.Expr], scope: Scope
) -> Space | None:
    """Return where the values of a binder are found; each condition is about no other binder."""
    assert binder.type is not None
    of_type = space_of_type(binder.type, lowering.known.carriers)
    if of_type is not None:
        return of_type
    low: int | None = None
    high: int | None = None
    for conjunct in conditions:
        match conjunct:
            case ast.Apply(comparison.MEMBER, (ast.Name(text), set_)) if text == binder.name:
                try:
                    found = lowering.dry(lambda set_=set_: lowering.value(set_, scope))  # type: ignore[misc]
                except NotCompiled:
                    continue
                if isinstance(found, SetV) and found.space is not None:
                    return found.space
                if isinstance(found, IntervalView):
                    low = bounds(found.low)[0] if found.low is not None else low
                    high = bounds(found.high)[1] if found.high is not None else high
            case ast.Apply(operator, (ast.Name(text), other)) if (
                text == binder.name and operator in _BELOW | _ABOVE
            ):
                try:
                    limit = lowering.dry(lambda other=other: lowering.value(other, scope))  # type: ignore[misc]
                except NotCompiled:
                    continue
                if isinstance(limit, Num):
                    if operator in _BELOW:
                        high = bounds(limit.expr)[1]
                    else:
                        low = bounds(limit.expr)[0]
    if binder.type is INTEGER and low is not None and high is not None:
        return Range(low, high) if 0 <= high - low < LARGEST_SPACE else None
    return None


def _samples(
    lowering: Lowering, binders: Sequence[ast.Binder], spaces: Sequence[Space | None]
) -> dict[str, V]:
    """Return a value for each binder, good for nothing but to see what becomes of it."""
    found: dict[str, V] = {}
    for binder, space in zip(binders, spaces, strict=True):
        if isinstance(space, Range):
            # A table whose entries are the bounds: the range of the values is known.
            number = lowering.b.local(INT, "sample")
            found[binder.name] = Num(Lookup((space.low, space.high), number))
        elif space is not None:
            found[binder.name] = at(space, lowering.b.local(INT, "sample"))
        elif binder.type is INTEGER:
            found[binder.name] = Num(lowering.b.local(INT, "sample"))
        else:
            raise NotCompiled(f"{binder.name} ranges over a set that is too large")
    return found


def _product(spaces: Sequence[Space | None]) -> Space | None:
    found = spaces[0]
    for space in spaces[1:]:
        found = pairs(found, space)
    return found


def _tuple(names: Sequence[str], scope: Scope) -> V:
    values = [scope.values[name] for name in names]
    found = values[0]
    for value in values[1:]:
        found = Duo(found, value)
    return found


def _untuple(names: Sequence[str], value: V) -> dict[str, V]:
    found: dict[str, V] = {}
    for name in reversed(names[1:]):
        if not isinstance(value, Duo):
            raise NotCompiled("a pair that is stored as a whole")
        found[name] = value.right
        value = value.left
    found[names[0]] = value
    return found


class ComprehensionView(SetV):
    """`{x, y | P}`."""

    def __init__(
        self,
        lowering: Lowering,
        e: ast.Comprehension,
        scope: Scope,
        spaces: Sequence[Space | None],
    ) -> None:
        self.lowering = lowering
        self.e = e
        self.scope = scope
        self.names = [binder.name for binder in e.binders]
        self.space = _product(spaces)

    def member(self, b: Builder, value: V) -> Expr:  # noqa: ARG002
        """Test the condition."""
        inner = self.scope.bind(_untuple(self.names, value))
        return self.lowering.predicate(self.e.condition, inner)

    def each(self, b: Builder, body: Callable[[V], None]) -> None:  # noqa: ARG002
        """Find the values."""
        unknowns = Unknowns(self.e.binders, ast.conjuncts(self.e.condition))
        generate(self.lowering, unknowns, self.scope, lambda inner: body(_tuple(self.names, inner)))

    def _values_at(self, argument: V, body: Callable[[V], None]) -> None:
        """Emit `body` for the last part of each tuple that begins with `argument`."""
        *first, last = self.names
        inner = self.scope.bind(_untuple(first, argument))
        unknowns = Unknowns(self.e.binders[-1:], ast.conjuncts(self.e.condition))
        generate(self.lowering, unknowns, inner, lambda found: body(found.values[last]))

    def apply(self, b: Builder, argument: V) -> V:
        """Find the only value that goes with the argument."""
        if len(self.names) == 1:
            return super().apply(b, argument)
        samples: list[V] = []
        with b.nested():
            self._values_at(argument, samples.append)
        count = b.variable(k.ZERO, "values")
        found = _Kept(b, samples[0])

        def keep(value: V) -> None:
            b.assign(count, k.add(count, k.ONE))
            found.keep(value)

        self._values_at(argument, keep)
        b.trap_unless(k.equal(count, k.ONE), "no value, or several")
        return found.value

    def defined(self, b: Builder, argument: V) -> Expr:
        """Look for a value."""
        if len(self.names) == 1:
            return super().defined(b, argument)
        found = b.variable(k.FALSE, "found")
        self._values_at(argument, lambda _: b.assign(found, k.TRUE))
        return found


class _Kept:
    """A variable for values like a sample: numbers, truth values, elements, sets with a bound."""

    def __init__(self, b: Builder, sample: V) -> None:
        self._b = b
        self._space: Space | None = None
        match sample:
            case Num(expr) | Tru(expr) | Elem(expr) | Opq(expr):
                self._local = b.variable(k.zero(type_of(expr)), "kept")
                self.value: V = replace(sample, expr=self._local)
            case SetV():
                self._space = sample.need_space()
                self._local = b.variable(k.empty(self._space.size), "kept")
                self.value = BitsView(self._local, self._space)
            case _:
                raise NotCompiled("a function whose values are pairs or records")

    def keep(self, value: V) -> None:
        """Emit the code that stores a value."""
        match value:
            case Num(expr) | Tru(expr) | Elem(expr) | Opq(expr):
                self._b.assign(self._local, expr)
            case SetV():
                assert self._space is not None
                self._b.assign(self._local, value.bits(self._b, self._space))
            case _:
                raise NotCompiled("a function whose values are pairs or records")


class LambdaView(SetV):
    """`%x.(P | E)`."""

    functional = True

    def __init__(
        self, lowering: Lowering, e: ast.Lambda, scope: Scope, spaces: Sequence[Space | None]
    ) -> None:
        self.lowering = lowering
        self.e = e
        self.scope = scope
        self.names = [binder.name for binder in e.binders]
        domain = _product(spaces)
        if domain is not None:
            samples = _samples(lowering, e.binders, spaces)
            value = lowering.dry(lambda: lowering.value(e.value, scope.bind(samples)))
            self.space = pairs(domain, space_of(value))

    def _inner(self, argument: V) -> Scope:
        return self.scope.bind(_untuple(self.names, argument))

    def member(self, b: Builder, value: V) -> Expr:
        """Compare with the value at the left part."""
        if not isinstance(value, Duo):
            raise NotCompiled("a pair that is stored as a whole")
        inner = self._inner(value.left)
        there = self.lowering.predicate(self.e.condition, inner)
        return both(
            b, there, lambda: same(b, self.lowering.value(self.e.value, inner), value.right)
        )

    def each(self, b: Builder, body: Callable[[V], None]) -> None:
        """Find the arguments."""

        def pair(inner: Scope) -> None:
            value = certain(b, self.lowering.value(self.e.value, inner))
            body(Duo(_tuple(self.names, inner), value))

        unknowns = Unknowns(self.e.binders, ast.conjuncts(self.e.condition))
        generate(self.lowering, unknowns, self.scope, pair)

    def apply(self, b: Builder, argument: V) -> V:
        """Compute the value."""
        inner = self._inner(argument)
        b.trap_unless(self.lowering.predicate(self.e.condition, inner), "outside the domain")
        return self.lowering.value(self.e.value, inner)

    def defined(self, b: Builder, argument: V) -> Expr:  # noqa: ARG002
        """Test the condition."""
        return self.lowering.predicate(self.e.condition, self._inner(argument))

    def row_bits(self, b: Builder, argument: V) -> Expr:
        """Return the value as a set of at most one element."""
        space = self.pair_space().right
        found = b.variable(k.empty(space.size), "row")
        inner = self._inner(argument)
        with b.if_(self.lowering.predicate(self.e.condition, inner)):
            value = self.lowering.value(self.e.value, inner)
            b.assign(found, k.with_(found, checked_index(b, space, value)))
        return found


def _gathered(
    lowering: Lowering,
    e: ast.Comprehension,
    scope: Scope,
    spaces: Sequence[Space | None],
) -> SetV:
    """Return `{x . P | E}`, all values gathered."""
    b = lowering.b
    assert e.value is not None
    value = e.value
    samples = _samples(lowering, e.binders, spaces)
    sample = lowering.dry(lambda: lowering.value(value, scope.bind(samples)))
    space = space_of(sample)
    if space is None:
        raise NotCompiled("a comprehension without a known bound")
    found = b.variable(k.empty(space.size), "set")

    def insert(inner: Scope) -> None:
        number = checked_index(b, space, lowering.value(value, inner))
        b.assign(found, k.with_(found, number))

    generate(lowering, Unknowns(e.binders, ast.conjuncts(e.condition)), scope, insert)
    return BitsView(found, space)
