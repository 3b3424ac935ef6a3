"""Sets of sets, of relations, of functions and of sequences: above all, membership in them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from secateur.kernel import build as k
from secateur.kernel.builder import Builder, both
from secateur.kernel.language import Expr, Number
from secateur.lang.compile.relations import (
    DomainView,
    as_pair,
    is_function,
    is_injective,
    range_of,
)
from secateur.lang.compile.scope import Scope
from secateur.lang.compile.sequences import SequenceView, sequence_if_any
from secateur.lang.compile.sets import EmptyView, PowerView
from secateur.lang.compile.values import BitsView, NotCompiled, SetV, V, subset
from secateur.lang.slots.spaces import Pairs, pairs
from secateur.maths.ast import Expr as Formula
from secateur.maths.operators import function_spaces, sequences, sets
from secateur.maths.operators.protocol import Operator
from secateur.maths.symbolic import kinds
from secateur.maths.symbolic.kinds import Kind

if TYPE_CHECKING:
    from secateur.lang.compile.expressions import Lowering

MOST_FUNCTIONS: Final = 1 << 16
"""So many functions are gone through for one step; if there are more, the solver is asked."""
_KINDS: Final[Mapping[Operator, Kind]] = {
    function_spaces.RELATIONS: kinds.RELATION,
    function_spaces.TOTAL_RELATIONS: kinds.TOTAL_RELATION,
    function_spaces.SURJECTIVE_RELATIONS: kinds.SURJECTIVE_RELATION,
    function_spaces.TOTAL_SURJECTIVE_RELATIONS: kinds.TOTAL_SURJECTIVE_RELATION,
    function_spaces.PARTIAL_FUNCTIONS: kinds.PARTIAL_FUNCTION,
    function_spaces.TOTAL_FUNCTIONS: kinds.TOTAL_FUNCTION,
    function_spaces.PARTIAL_INJECTIONS: kinds.PARTIAL_INJECTION,
    function_spaces.TOTAL_INJECTIONS: kinds.TOTAL_INJECTION,
    function_spaces.PARTIAL_SURJECTIONS: kinds.PARTIAL_SURJECTION,
    function_spaces.TOTAL_SURJECTIONS: kinds.TOTAL_SURJECTION,
    function_spaces.PARTIAL_BIJECTIONS: kinds.PARTIAL_BIJECTION,
    function_spaces.TOTAL_BIJECTIONS: kinds.TOTAL_BIJECTION,
}
_POWERS: Final[Mapping[Operator, bool]] = {
    # whether the empty set is among them
    sets.POWER_SET: True,
    sets.FINITE_SUBSETS: True,
    sets.POWER_SET1: False,
    sets.FINITE_SUBSETS1: False,
}
_SEQUENCES: Final[Mapping[Operator, tuple[bool, bool]]] = {
    # whether the empty sequence is among them, whether items may come twice
    sequences.SEQUENCES: (True, True),
    sequences.SEQUENCES1: (False, True),
    sequences.INJECTIVE_SEQUENCES: (True, False),
    sequences.INJECTIVE_SEQUENCES1: (False, False),
}


def view(
    lowering: Lowering, operator: Operator, args: Sequence[Formula], scope: Scope
) -> SetV | None:
    """Return a set of sets; None for other operators."""
    if operator in _POWERS:
        of = lowering.set(args[0], scope)
        return PowerView(of, empty_too=_POWERS[operator])
    if operator in _KINDS:
        left, right = (lowering.set(a, scope) for a in args)
        return RelationsView(_KINDS[operator], left, right)
    if operator in _SEQUENCES:
        empty_too, repeated = _SEQUENCES[operator]
        of = lowering.set(args[0], scope)
        return SequencesView(of, empty_too=empty_too, repeated=repeated)
    if operator is sequences.PERMUTATIONS:
        return PermutationsView(lowering.set(args[0], scope))
    return None


class RelationsView(SetV):
    """`A <-> B`, `A +-> B` and all the other arrows."""

    def __init__(self, kind: Kind, left: SetV, right: SetV) -> None:
        self.kind = kind
        self.left = left
        self.right = right

    def member(self, b: Builder, value: V) -> Expr:
        """Test what the arrow demands."""
        if not isinstance(value, SetV):
            raise NotCompiled("a relation that is stored as a whole")
        demands: list[Callable[[], Expr]] = [lambda: _between(b, value, self.left, self.right)]
        if self.kind.functional and not value.functional:
            demands.append(lambda: is_function(b, value))
        if self.kind.total:
            demands.append(lambda: subset(b, self.left, _domain(value)))
        if self.kind.surjective:
            demands.append(lambda: subset(b, self.right, range_of(b, value)))
        if self.kind.injective:
            demands.append(lambda: is_injective(b, value))
        result: Expr = k.TRUE
        for demand in demands:
            result = both(b, result, demand)
        return result

    def each(self, b: Builder, body: Callable[[V], None]) -> None:
        """Choose a value for each argument in turn: loops within loops."""
        left, right = self.left.need_space(), self.right.need_space()
        space = pairs(left, right)
        if not self.kind.functional or not isinstance(space, Pairs):
            raise NotCompiled("going through all relations between two sets")
        if (right.size + (not self.kind.total)) ** left.size > MOST_FUNCTIONS:
            raise NotCompiled("going through very many functions")
        arguments = b.let(self.left.bits(b, left), "arguments")
        values = b.let(self.right.bits(b, right), "values")
        _Functions(self.kind, space, arguments, values).each(b, body)


class _Functions:
    """Goes through the functions between two sets, which are there as bits."""

    def __init__(self, kind: Kind, space: Pairs, arguments: Expr, values: Expr) -> None:
        self.kind = kind
        self.space = space
        self.arguments = arguments
        self.values = values

    def each(self, b: Builder, body: Callable[[V], None]) -> None:
        """Emit `body` within all loops."""
        nothing = k.empty(self.space.size), k.empty(self.space.right.size)
        self._choose(b, 0, nothing, body)

    def _choose(
        self, b: Builder, argument: int, so_far: tuple[Expr, Expr], body: Callable[[V], None]
    ) -> None:
        """Choose the value at one argument and at those after it; -1 stands for no value."""
        function, taken = so_far
        if argument == self.space.left.size:
            complete = k.subset(self.values, taken) if self.kind.surjective else k.TRUE
            with b.if_(complete):
                body(BitsView(function, self.space))
            return
        here = k.has(self.arguments, Number(argument))
        width = self.space.right.size
        none = Number(-1)
        low = k.choose(here, k.ZERO, none) if self.kind.total else none
        with b.for_(low, k.choose(here, Number(width - 1), none), "value") as value:
            some = k.less_equal(k.ZERO, value)
            place = b.let(k.choose(some, value, k.ZERO), "place")
            fits = k.has(self.values, place)
            if self.kind.injective:
                fits = k.and_(fits, k.not_(k.has(taken, place)))
            with b.if_(k.or_(k.not_(some), fits)):
                pair = k.with_(function, k.add(Number(argument * width), place))
                more = b.let(k.choose(some, pair, function), "function")
                now = b.let(k.choose(some, k.with_(taken, place), taken), "taken")
                self._choose(b, argument + 1, (more, now), body)


def _domain(relation: SetV) -> SetV:
    return relation if isinstance(relation, EmptyView) else DomainView(relation)


def _between(b: Builder, relation: SetV, left: SetV, right: SetV) -> Expr:
    """Return whether all pairs are between two sets."""
    result = b.variable(k.TRUE, "between")
    certain = True

    def test(value: V) -> None:
        nonlocal certain
        pair = as_pair(value)
        inside = both(b, left.member(b, pair.left), lambda: right.member(b, pair.right))
        certain = certain and inside == k.TRUE
        b.assign(result, k.and_(result, inside))

    with b.nested() as code:
        relation.each(b, test)
    if certain:
        return k.TRUE
    b.extend(tuple(code))
    return result


class SequencesView(SetV):
    """`seq(A)` and its kin."""

    def __init__(self, of: SetV, *, empty_too: bool, repeated: bool) -> None:
        self.of = of
        self.empty_too = empty_too
        self.repeated = repeated

    def member(self, b: Builder, value: V) -> Expr:
        """Test the items."""
        is_one, found = sequence_if_any(b, value)
        return both(b, is_one, lambda: self._all_inside(b, found))

    def _all_inside(self, b: Builder, found: SequenceView) -> Expr:
        result: Expr = k.TRUE if self.empty_too else k.not_(found.is_empty(b))
        items = b.variable(k.TRUE, "items")

        def test(pair: V) -> None:
            b.assign(items, k.and_(items, self.of.member(b, as_pair(pair).right)))

        found.each(b, test)
        result = k.and_(result, items)
        return result if self.repeated else both(b, result, lambda: is_injective(b, found))

    def each(self, b: Builder, body: Callable[[V], None]) -> None:  # noqa: ARG002
        """Not gone through here."""
        raise NotCompiled("going through all sequences over a set")


class PermutationsView(SequencesView):
    """`perm(A)`."""

    def __init__(self, of: SetV) -> None:
        super().__init__(of, empty_too=True, repeated=False)

    def _all_inside(self, b: Builder, found: SequenceView) -> Expr:
        long_enough = k.equal(found.length, self.of.count(b))
        return both(b, long_enough, lambda: super(PermutationsView, self)._all_inside(b, found))
