"""Built-in operators in the kernel language: one row for each that is compiled."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from secateur.kernel import build as k
from secateur.kernel.builder import Builder, both
from secateur.kernel.language import Expr, Number
from secateur.lang.compile import function_spaces, machine_integers, sequence_operators
from secateur.lang.compile.products import (
    DirectProductView,
    ParallelProductView,
    ProjectionView,
    iteration,
)
from secateur.lang.compile.relations import (
    DomainView,
    IdentityView,
    InverseView,
    OverriddenView,
    RestrictedView,
    closure,
    composition,
    image,
    range_of,
)
from secateur.lang.compile.scope import Scope
from secateur.lang.compile.sequences import (
    JoinedSequence,
    ReversedSequence,
    as_sequence,
)
from secateur.lang.compile.sets import (
    DifferenceView,
    EmptyView,
    IntervalView,
    ProductView,
    UnionView,
    intersection,
)
from secateur.lang.compile.values import (
    BitsView,
    Duo,
    NotCompiled,
    Num,
    SetV,
    V,
    certain,
    index,
    joined,
    same,
    same_set,
    settled,
    subset,
)
from secateur.lang.slots.spaces import Range, Space, Subsets
from secateur.maths.ast import Expr as Formula
from secateur.maths.operators import comparison, eventb, integers, relations, sequences, sets
from secateur.maths.operators.protocol import Operator

if TYPE_CHECKING:
    from secateur.lang.compile.expressions import Lowering

Values = Callable[[Builder, Sequence[V]], V]


def value(lowering: Lowering, operator: Operator, args: Sequence[Formula], scope: Scope) -> V:
    """Return the value of an operator applied to operands."""
    if operator is eventb.OF_TYPE:
        return lowering.value(args[0], scope)
    special = function_spaces.view(lowering, operator, args, scope)
    if special is not None:
        return special
    of_machines = machine_integers.VALUES.get(operator)
    found = _VALUES.get(operator) or of_machines
    if found is None:
        raise NotCompiled(f"the operator {operator} ({operator.name})")
    operands = [lowering.value(a, scope) for a in args]
    if operator not in _ARITHMETIC and of_machines is None:
        operands = [certain(lowering.b, v) for v in operands]
    return found(lowering.b, operands)


def predicate(
    lowering: Lowering, operator: Operator, args: Sequence[Formula], scope: Scope
) -> Expr:
    """Return whether a comparison holds."""
    b = lowering.b
    found = _PREDICATES.get(operator)
    if found is None:
        raise NotCompiled(f"the predicate {operator} ({operator.name})")
    operands = [lowering.value(a, scope) for a in args]
    if operator not in _COMPARISONS and not _is_bounded(operands[-1]):
        operands = [certain(b, v) for v in operands]
    return found(b, operands)


def _is_bounded(v: V) -> bool:
    """Whether a number is compared with something to tell whether it is an element."""
    return isinstance(v, IntervalView) and (v.low is not None or v.high is not None)


# -- integers ---------------------------------------------------------------------------------


def _numbers(f: Callable[[Expr, Expr], Expr]) -> Values:
    def apply(b: Builder, args: Sequence[V]) -> V:  # noqa: ARG001
        left, right = args
        return Num(f(_number(left), _number(right)))

    return apply


def _number(v: V) -> Expr:
    if not isinstance(v, Num):
        raise NotCompiled("an integer that is stored as a whole")
    return v.expr


def _set(v: V) -> SetV:
    if not isinstance(v, SetV):
        raise NotCompiled("a set that is stored as a whole")
    return v


def _extreme(b: Builder, args: Sequence[V], *, greatest: bool) -> V:
    of = _set(args[0])
    if isinstance(of, EmptyView):
        raise NotCompiled("the extreme of an empty set")
    if isinstance(of, IntervalView) and of.low is not None and of.high is not None:
        b.trap_if(k.less(of.high, of.low), "an empty interval")
        return Num(of.high if greatest else of.low)
    if isinstance(of.space, Range):
        bits = of.bits(b, of.space)
        # `least` and `greatest` trap for the empty set.
        found = k.greatest(bits) if greatest else k.least(bits)
        return Num(b.let(k.add(found, Number(of.space.low)), "extreme"))
    some = b.variable(k.FALSE, "some")
    best = b.variable(k.ZERO, "best")

    def compare(v: V) -> None:
        number = b.let(_number(v))
        better = k.less(best, number) if greatest else k.less(number, best)
        with b.if_(k.or_(k.not_(some), better)):
            b.assign(best, number)
            b.assign(some, k.TRUE)

    of.each(b, compare)
    b.trap_unless(some, "the extreme of an empty set")
    return Num(best)


# -- sets -------------------------------------------------------------------------------------


def _sets(f: Callable[[SetV, SetV], SetV]) -> Values:
    return lambda b, args: f(_set(args[0]), _set(args[1]))


def _relations(f: Callable[[SetV, SetV], SetV]) -> Values:
    """Return what is empty if either set is."""

    def apply(b: Builder, args: Sequence[V]) -> V:  # noqa: ARG001
        left, right = _set(args[0]), _set(args[1])
        if isinstance(left, EmptyView) or isinstance(right, EmptyView):
            return EmptyView()
        return f(left, right)

    return apply


def _union(left: SetV, right: SetV) -> SetV:
    if isinstance(left, EmptyView):
        return right
    return left if isinstance(right, EmptyView) else UnionView(left, right)


def _difference(left: SetV, right: SetV) -> SetV:
    if isinstance(left, EmptyView) or isinstance(right, EmptyView):
        return left
    return DifferenceView(left, right)


def _meet(left: SetV, right: SetV) -> SetV:
    if isinstance(left, EmptyView) or isinstance(right, EmptyView):
        return EmptyView()
    return intersection(left, right)


def _generalized(b: Builder, args: Sequence[V], *, union: bool) -> V:
    family = _set(args[0])
    if isinstance(family, EmptyView):
        if union:
            return family
        raise NotCompiled("the intersection of no sets")
    space = _elements_of(b, family)
    if space is None:
        raise NotCompiled("a family of sets without a known bound")
    found = b.variable(k.empty(space.size) if union else k.full(space.size), "family")
    some = b.variable(k.FALSE, "some")

    def gather(v: V) -> None:
        bits = _set(v).bits(b, space)
        b.assign(found, k.join(found, bits) if union else k.meet(found, bits))
        b.assign(some, k.TRUE)

    family.each(b, gather)
    if not union:
        b.trap_unless(some, "the intersection of no sets")
    return BitsView(found, space)


def _elements_of(b: Builder, family: SetV) -> Space | None:
    """Return where the elements of the sets of a family are found."""
    if isinstance(family.space, Subsets):
        return family.space.of
    found: list[Space | None] = []
    with b.nested():  # nothing of this code is kept
        family.each(b, lambda v: found.append(_set(v).space))
    space = found[0] if found else None
    for other in found[1:]:
        space = joined(space, other)
    return space


def _interval(b: Builder, args: Sequence[V]) -> V:  # noqa: ARG001
    return IntervalView(_number(args[0]), _number(args[1]))


# -- relations ----------------------------------------------------------------------------------


def _restricted(*, left: bool, keep: bool) -> Values:
    def apply(b: Builder, args: Sequence[V]) -> V:
        of, among = (args[1], args[0]) if left else (args[0], args[1])
        relation, chosen = _set(of), _set(among)
        if chosen.space is not None and not isinstance(chosen, BitsView):
            chosen = BitsView(b.let(chosen.bits(b, chosen.space), "chosen"), chosen.space)
        if isinstance(relation, EmptyView):
            return relation

        def test(builder: Builder, v: V) -> Expr:
            inside = chosen.member(builder, v)
            return inside if keep else k.not_(inside)

        return RestrictedView(relation, test, left=left)

    return apply


def _override(b: Builder, args: Sequence[V]) -> V:  # noqa: ARG001
    below, above = _set(args[0]), _set(args[1])
    if isinstance(above, EmptyView):
        return below
    return above if isinstance(below, EmptyView) else OverriddenView(below, above)


def _inverse(b: Builder, args: Sequence[V]) -> V:  # noqa: ARG001
    of = _set(args[0])
    return of if isinstance(of, EmptyView) else InverseView(of)


def _domain(b: Builder, args: Sequence[V]) -> V:  # noqa: ARG001
    of = _set(args[0])
    return of if isinstance(of, EmptyView) else DomainView(of)


_VALUES: Final[Mapping[Operator, Values]] = {
    integers.ADD: _numbers(k.add),
    integers.SUBTRACT: _numbers(k.subtract),
    integers.MULTIPLY: _numbers(k.multiply),
    integers.DIVIDE: _numbers(k.divide),
    integers.MODULO: _numbers(k.mod),
    integers.POWER: _numbers(k.power),
    integers.NEGATE: lambda b, args: Num(k.negate(_number(args[0]))),
    integers.SUCCESSOR: lambda b, args: Num(k.add(_number(args[0]), k.ONE)),
    integers.PREDECESSOR: lambda b, args: Num(k.subtract(_number(args[0]), k.ONE)),
    integers.MAX: lambda b, args: _extreme(b, args, greatest=True),
    integers.MIN: lambda b, args: _extreme(b, args, greatest=False),
    sets.UNION: _sets(_union),
    sets.INTERSECTION: _sets(_meet),
    sets.DIFFERENCE: _sets(_difference),
    sets.SET_MINUS: _sets(_difference),
    sets.PRODUCT: _sets(ProductView),
    sets.INTERVAL: _interval,
    sets.CARD: lambda b, args: Num(b.let(_set(args[0]).count(b), "card")),
    sets.GENERALIZED_UNION: lambda b, args: _generalized(b, args, union=True),
    sets.GENERALIZED_INTERSECTION: lambda b, args: _generalized(b, args, union=False),
    sets.EMPTY_SET: lambda b, args: EmptyView(),
    relations.PAIR: lambda b, args: Duo(args[0], args[1]),
    relations.DOMAIN: _domain,
    relations.RANGE: lambda b, args: range_of(b, _set(args[0])),
    relations.INVERSE: _inverse,
    relations.IMAGE: lambda b, args: image(b, _set(args[0]), _set(args[1])),
    relations.IDENTITY: lambda b, args: IdentityView(_set(args[0])),
    relations.COMPOSITION: lambda b, args: composition(b, _set(args[0]), _set(args[1])),
    relations.DOMAIN_RESTRICTION: _restricted(left=True, keep=True),
    relations.DOMAIN_SUBTRACTION: _restricted(left=True, keep=False),
    relations.RANGE_RESTRICTION: _restricted(left=False, keep=True),
    relations.RANGE_SUBTRACTION: _restricted(left=False, keep=False),
    relations.OVERWRITE: _override,
    relations.OVERWRITE_LEFT: lambda b, args: _override(b, (args[1], args[0])),
    sequences.FIRST: lambda b, args: sequence_operators.item(b, args, first=True),
    sequences.LAST: lambda b, args: sequence_operators.item(b, args, first=False),
    sequences.FRONT: lambda b, args: sequence_operators.part(b, args, front=True),
    sequences.TAIL: lambda b, args: sequence_operators.part(b, args, front=False),
    sequences.TAKE: lambda b, args: sequence_operators.cut(b, args, take=True),
    sequences.DROP: lambda b, args: sequence_operators.cut(b, args, take=False),
    sequences.APPEND: sequence_operators.append,
    sequences.PREPEND: sequence_operators.prepend,
    sequences.SIZE.overloads[0]: lambda b, args: Num(as_sequence(b, args[0]).length),
    sequences.CONCATENATION.overloads[0]: lambda b, args: JoinedSequence(
        as_sequence(b, args[0]), as_sequence(b, args[1])
    ),
    sequences.REVERSE.overloads[0]: lambda b, args: ReversedSequence(as_sequence(b, args[0])),
    relations.FIRST_PROJECTION: _sets(lambda a, b: ProjectionView(a, b, first=True)),
    relations.SECOND_PROJECTION: _sets(lambda a, b: ProjectionView(a, b, first=False)),
    relations.DIRECT_PRODUCT: _relations(DirectProductView),
    relations.PARALLEL_PRODUCT: _relations(ParallelProductView),
    relations.ITERATE: lambda b, args: iteration(b, _set(args[0]), _number(args[1]), _set(args[2])),
    relations.CLOSURE1: lambda b, args: closure(b, _set(args[0])),
    relations.CLOSURE: lambda b, args: closure(b, _set(args[0]), reflexive_on=_set(args[1])),
}

Test = Callable[[Builder, Sequence[V]], Expr]


def _negated(test: Test) -> Test:
    return lambda b, args: k.not_(test(b, args))


def _member(b: Builder, args: Sequence[V]) -> Expr:
    return _set(args[1]).member(b, settled(b, args[0]))


def _subset(b: Builder, args: Sequence[V]) -> Expr:
    return subset(b, _set(args[0]), _set(args[1]))


def _strict_subset(b: Builder, args: Sequence[V]) -> Expr:
    left, right = _set(args[0]), _set(args[1])
    return both(b, subset(b, left, right), lambda: k.not_(same_set(b, left, right)))


def _compare(f: Callable[[Expr, Expr], Expr], *, swap: bool = False) -> Test:
    def test(b: Builder, args: Sequence[V]) -> Expr:  # noqa: ARG001
        left, right = _number(args[0]), _number(args[1])
        return f(right, left) if swap else f(left, right)

    return test


def _finite(b: Builder, args: Sequence[V]) -> Expr:  # noqa: ARG001
    of = _set(args[0])
    if of.space is not None or isinstance(of, EmptyView):
        return k.TRUE
    raise NotCompiled("whether a set without a known bound is finite")


def _partition(b: Builder, args: Sequence[V]) -> Expr:
    whole, *parts = [_set(a) for a in args]
    space = whole.need_space()
    gathered: Expr = k.empty(space.size)
    result: Expr = k.TRUE
    for part in parts:
        outside = b.variable(k.FALSE, "outside")
        bits = b.variable(k.empty(space.size), "part")

        def insert(v: V, bits: object = bits, outside: object = outside) -> None:
            inside, number = index(b, space, v)
            b.assign(bits, k.with_(bits, number))  # type: ignore[arg-type]
            b.assign(outside, k.or_(outside, k.not_(inside)))  # type: ignore[arg-type]

        part.each(b, insert)
        overlap = k.meet(gathered, bits)
        apart = k.equal(overlap, k.empty(space.size))
        result = k.and_(result, k.and_(k.not_(outside), apart))
        gathered = b.let(k.join(gathered, bits), "parts")
    return k.and_(result, k.equal(gathered, whole.bits(b, space)))


_EQUAL: Final[Test] = lambda b, args: same(b, args[0], args[1])  # noqa: E731

_ARITHMETIC: Final = frozenset(
    {
        integers.ADD,
        integers.SUBTRACT,
        integers.MULTIPLY,
        integers.DIVIDE,
        integers.MODULO,
        integers.POWER,
        integers.NEGATE,
        integers.SUCCESSOR,
        integers.PREDECESSOR,
    }
)
"""What needs the values of all of its operands."""
_COMPARISONS: Final = frozenset(
    {
        comparison.EQUAL,
        comparison.NOT_EQUAL,
        integers.LESS,
        integers.LESS_EQUAL,
        integers.GREATER,
        integers.GREATER_EQUAL,
    }
)
"""The same."""
_PREDICATES: Final[Mapping[Operator, Test]] = {
    comparison.EQUAL: _EQUAL,
    comparison.NOT_EQUAL: _negated(_EQUAL),
    comparison.MEMBER: _member,
    comparison.NOT_MEMBER: _negated(_member),
    comparison.SUBSET: _subset,
    comparison.NOT_SUBSET: _negated(_subset),
    comparison.STRICT_SUBSET: _strict_subset,
    comparison.NOT_STRICT_SUBSET: _negated(_strict_subset),
    integers.LESS: _compare(k.less),
    integers.LESS_EQUAL: _compare(k.less_equal),
    integers.GREATER: _compare(k.less, swap=True),
    integers.GREATER_EQUAL: _compare(k.less_equal, swap=True),
    eventb.FINITE: _finite,
    sets.PARTITION: _partition,
}
