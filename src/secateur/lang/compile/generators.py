"""Loops that find the values of bound identifiers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from secateur.kernel import build as k
from secateur.kernel.language import Expr, Local, Number, Trap
from secateur.kernel.walk import statements
from secateur.lang.compile.kept import steady
from secateur.lang.compile.known import table
from secateur.lang.compile.patterns import by_cases, concatenated, is_pattern, is_split
from secateur.lang.compile.relations import row_of
from secateur.lang.compile.scope import Scope
from secateur.lang.compile.sequences import SequenceView, ShiftedSequence, as_sequence
from secateur.lang.compile.sets import IntervalView, PowerView
from secateur.lang.compile.values import Duo, NotCompiled, Num, SetV, V, at, same, settled
from secateur.lang.slots.spaces import space_of_type
from secateur.maths.ast import Apply, Binder, Labelled, Name, conjuncts, free_names, walk
from secateur.maths.ast import Expr as Formula
from secateur.maths.evaluate.context import is_partial
from secateur.maths.operators import comparison, integers
from secateur.maths.operators.machine_integers import REMAINDER
from secateur.maths.operators.relations import PAIR
from secateur.maths.types import INTEGER
from secateur.source.records import dataclass

if TYPE_CHECKING:
    from secateur.lang.compile.expressions import Lowering

_LESS: Final = frozenset({integers.LESS, integers.LESS_EQUAL})
_GREATER: Final = frozenset({integers.GREATER, integers.GREATER_EQUAL})

_RISKY: Final = frozenset(
    {integers.DIVIDE, integers.MODULO, integers.POWER, integers.MAX, integers.MIN, REMAINDER}
)

Body = Callable[[Scope], None]


@dataclass(frozen=True, slots=True)
class Unknowns:
    """Identifiers whose values are to be found, and what is demanded of them."""

    binders: Sequence[Binder]
    conditions: Sequence[Formula]


def generate(
    lowering: Lowering, unknowns: Unknowns, scope: Scope, body: Body, until: Local | None = None
) -> None:
    """Emit the code of `body` for all values of the unknowns that meet the conditions, each once.

    Once `until` holds, nothing more need be found.
    """
    flat = [c for each in unknowns.conditions for c in _plain(each)]
    names = [b.name for b in unknowns.binders]
    hidden = {n: v for n, v in scope.values.items() if n not in names}
    cells = {n: c for n, c in scope.cells.items() if n not in names}
    inner = Scope(cells, hidden, scope.buffer, scope.before, scope.after)
    if not names:
        # Nothing is searched for: formulas mean what they mean from left to right.
        with lowering.b.if_(lowering.all_of(flat, inner)):
            body(inner)
        return
    try:
        _Generator(lowering, body, until).go(list(unknowns.binders), flat, inner)
    except _DeeperError as error:
        raise NotCompiled(error.reason) from error


class _DeeperError(Exception):
    """What comes after a value was found is not compiled: another way to find it is no help."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def _plain(e: Formula) -> list[Formula]:
    while isinstance(e, Labelled):
        e = e.body
    parts = conjuncts(e)
    if len(parts) == 1:
        return [e]
    return [part for each in parts for part in _plain(each)]


class _Generator:
    def __init__(self, lowering: Lowering, body: Body, until: Local | None) -> None:
        self.lowering = lowering
        self.b = lowering.b
        self.body = body
        self.until = until

    def go(self, unbound: list[Binder], todo: list[Formula], scope: Scope) -> None:
        """Test what can be tested, then bind one identifier more."""
        names = frozenset(b.name for b in unbound)
        ready, rest = self._ready(todo, names, scope)
        test = self.lowering.all_of(ready, scope)
        if test == k.FALSE:
            return
        guard = self.b.if_(test) if test != k.TRUE else nullcontext()
        with guard:
            if not unbound:
                self._unless_found(lambda: self.body(scope))
            else:
                self._bind(unbound, rest, scope)

    def _ready(
        self, todo: list[Formula], names: frozenset[str], scope: Scope
    ) -> tuple[list[Formula], list[Formula]]:
        """Return what is tested now, in order, and what is left.

        What may trap is not tested before those that stand before it, which may protect it,
        nor after those that stand behind it: they must not hide that it is ill-defined.
        """
        safe: list[Formula] = []
        risky: list[Formula] = []
        rest: list[Formula] = []
        for conjunct in todo:
            if free_names(conjunct) & names:
                rest.append(conjunct)
            elif not is_partial(conjunct) or not self._may_trap(conjunct, scope):
                (risky if risky else safe).append(conjunct)
            else:
                (rest if rest else risky).append(conjunct)
        return [*sorted(safe, key=_cost), *risky], rest

    def _may_trap(self, conjunct: Formula, scope: Scope) -> bool:
        with self.b.nested() as code:
            self.lowering.predicate(conjunct, scope)
        return any(isinstance(s, Trap) for s in statements(tuple(code))) or any(
            isinstance(e, Apply) and e.operator in _RISKY for e in walk(conjunct)
        )

    def _unless_found(self, emit: Callable[[], None]) -> None:
        if self.until is None:
            emit()
            return
        with self.b.if_(k.not_(self.until)):
            emit()

    def _bind(self, unbound: list[Binder], todo: list[Formula], scope: Scope) -> None:
        names = frozenset(b.name for b in unbound)
        reasons: list[str] = []
        ways = (
            self._by_equation,
            self._by_split,
            self._by_pair,
            self._by_kept,
            self._by_member,
            self._by_bounds,
        )
        for find in ways:
            try:
                with self.b.nested() as code:
                    found = find(unbound, names, todo, scope)
            except NotCompiled as error:
                reasons.append(error.reason)
                continue
            if found:
                self.b.extend(tuple(code))
                return
        for binder in unbound:
            assert binder.type is not None
            space = space_of_type(binder.type, self.lowering.known.carriers)
            if space is not None:
                with self.b.for_(k.ZERO, Number(space.size - 1), binder.name) as number:
                    self._bound({binder.name: at(space, number)}, unbound, todo, scope)
                return
        reasons.append(f"{unbound[0].name} ranges over a set that is too large")
        raise NotCompiled(reasons[0])

    def _bound(
        self, values: dict[str, V], unbound: list[Binder], todo: list[Formula], scope: Scope
    ) -> None:
        left = [b for b in unbound if b.name not in values]
        try:
            self._unless_found(lambda: self.go(left, todo, scope.bind(values)))
        except NotCompiled as error:
            raise _DeeperError(error.reason) from error

    def _by_equation(
        self, unbound: list[Binder], names: frozenset[str], todo: list[Formula], scope: Scope
    ) -> bool:
        for conjunct in todo:
            match conjunct:
                case Apply(comparison.EQUAL, (left, right)):
                    for pattern, other in ((left, right), (right, left)):
                        if free_names(other) & names or not is_pattern(pattern, names):
                            continue
                        found = self.lowering.value(other, scope)
                        rest = [c for c in todo if c is not conjunct]
                        self._match(pattern, found, unbound, (rest, scope))
                        return True
        for name, value in by_cases(todo, names):
            found = self.lowering.value(value, scope)
            self._match(name, found, unbound, (todo, scope))
            return True
        return False

    def _by_split(
        self, unbound: list[Binder], names: frozenset[str], todo: list[Formula], scope: Scope
    ) -> bool:
        """`s = x ^ y`: every place at which a sequence can be divided."""
        for conjunct in todo:
            match conjunct:
                case Apply(comparison.EQUAL, (left, right)):
                    for parts, other in ((left, right), (right, left)):
                        wanted = concatenated(parts)
                        if free_names(other) & names or not is_split(wanted, names):
                            continue
                        whole = as_sequence(self.b, self.lowering.value(other, scope))
                        rest = [c for c in todo if c is not conjunct]
                        self._split(whole, wanted, {}, (unbound, rest, scope))
                        return True
        return False

    def _split(
        self,
        whole: SequenceView,
        wanted: Sequence[str],
        found: dict[str, V],
        rest: tuple[list[Binder], list[Formula], Scope],
    ) -> None:
        first, *others = wanted
        if not others:
            self._bound({**found, first: whole}, *rest)
            return
        length = self.b.let(whole.length, "length")
        with self.b.for_(k.ZERO, length, "split") as at_:
            found = {**found, first: ShiftedSequence(whole, k.ZERO, at_)}
            left = self.b.let(k.subtract(length, at_), "left")
            self._split(ShiftedSequence(whole, at_, left), others, found, rest)

    def _by_pair(
        self, unbound: list[Binder], names: frozenset[str], todo: list[Formula], scope: Scope
    ) -> bool:
        """`x |-> y : r`, where `x` may be known."""
        for conjunct in todo:
            match conjunct:
                case Apply(comparison.MEMBER, (Apply(op, (left, right)) as pair, set_)) if (
                    op is PAIR and not free_names(set_) & names and is_pattern(right, names)
                ):
                    known = not free_names(left) & names
                    if not known and not is_pattern(left, names):
                        continue
                    found = self.lowering.set(set_, scope)
                    if known:
                        found = row_of(self.b, found, self.lowering.value(left, scope))
                    wanted = right if known else pair
                    self._each(found, wanted, unbound, conjunct, (todo, scope))
                    return True
        return False

    def _by_kept(
        self, unbound: list[Binder], names: frozenset[str], todo: list[Formula], scope: Scope
    ) -> bool:
        """What conditions on constants alone leave of a large space is found beforehand."""
        for binder in unbound:
            constants = self.lowering.constants
            used = steady(binder, names, todo, scope, constants)
            if not used:
                continue
            lists = constants.solve(binder, used)
            values = [value for each in lists for value in each]
            if values:
                ends = list(accumulate(map(len, lists)))
                first = table([0, *ends[:-1]], constants.number)
                last = table([end - 1 for end in ends], constants.number)
                rest = [c for c in todo if not any(c is u for u in used)]
                with self.b.for_(first, last, binder.name) as place:
                    value = self.lowering.known.lift(values, place)
                    self._bound({binder.name: settled(self.b, value)}, unbound, rest, scope)
            return True
        return False

    def _by_member(
        self, unbound: list[Binder], names: frozenset[str], todo: list[Formula], scope: Scope
    ) -> bool:
        reasons: list[str] = []
        for conjunct in todo:
            match conjunct:
                case Apply(comparison.MEMBER | comparison.SUBSET, (Name(text) as name, set_)) if (
                    text in names and not free_names(set_) & names
                ):
                    try:
                        with self.b.nested() as code:
                            found = self._elements(conjunct, set_, scope)
                            if found is None:
                                continue
                            self._each(found, name, unbound, conjunct, (todo, scope))
                    except NotCompiled as error:
                        reasons.append(error.reason)
                        continue
                    self.b.extend(tuple(code))
                    return True
        if reasons:
            raise NotCompiled(reasons[-1])
        return False

    def _elements(self, conjunct: Apply, set_: Formula, scope: Scope) -> SetV | None:
        """Return what an identifier ranges over; None if that has no end."""
        found = self.lowering.set(set_, scope)
        if conjunct.operator is comparison.SUBSET:
            return PowerView(found)
        endless = isinstance(found, IntervalView) and (found.low is None or found.high is None)
        return None if endless else found

    def _each(
        self,
        found: SetV,
        pattern: Formula,
        unbound: list[Binder],
        used: Formula,
        rest: tuple[list[Formula], Scope],
    ) -> None:
        todo, scope = rest
        left = [c for c in todo if c is not used]
        found.each(self.b, lambda value: self._match(pattern, value, unbound, (left, scope)))

    def _match(
        self,
        pattern: Formula,
        value: V,
        unbound: list[Binder],
        rest: tuple[list[Formula], Scope],
    ) -> None:
        """Bind the identifiers of a pattern; what comes twice is compared."""
        todo, scope = rest
        bound: dict[str, V] = {}
        tests: list[tuple[V, V]] = []
        _destructure(pattern, value, bound, tests)
        inner = {n: settled(self.b, v) for n, v in bound.items()}
        test: Expr = k.TRUE
        for left, right in tests:
            test = k.and_(test, same(self.b, left, right))
        with self.b.if_(test) if test != k.TRUE else nullcontext():
            self._bound(inner, unbound, todo, scope)

    def _by_bounds(
        self, unbound: list[Binder], names: frozenset[str], todo: list[Formula], scope: Scope
    ) -> bool:
        for binder in unbound:
            if binder.type is not INTEGER:
                continue
            low, high, used = self._bounds(binder.name, names, todo, scope)
            if low is None or high is None:
                continue
            rest = [c for c in todo if not any(c is u for u in used)]
            with self.b.for_(low, high, binder.name) as number:
                self._bound({binder.name: Num(number)}, unbound, rest, scope)
            return True
        return False

    def _bounds(
        self, name: str, names: frozenset[str], todo: list[Formula], scope: Scope
    ) -> tuple[Expr | None, Expr | None, list[Formula]]:
        low: Expr | None = None
        high: Expr | None = None
        used: list[Formula] = []
        for conjunct in todo:
            bound = self._bound_by(name, names, conjunct, scope)
            if bound is None:
                continue
            used.append(conjunct)
            least, greatest = bound
            if least is not None:
                low = least if low is None else _maximum(self.b.let(low), self.b.let(least))
            if greatest is not None:
                high = (
                    greatest if high is None else _minimum(self.b.let(high), self.b.let(greatest))
                )
        return low, high, used

    def _bound_by(
        self, name: str, names: frozenset[str], conjunct: Formula, scope: Scope
    ) -> tuple[Expr | None, Expr | None] | None:
        match conjunct:
            case Apply(comparison.MEMBER, (Name(text), set_)) if text == name:
                if free_names(set_) & names:
                    return None
                found = self.lowering.set(set_, scope)
                return (found.low, found.high) if isinstance(found, IntervalView) else None
            case Apply(operator, (Name(text), other)) if text == name:
                less, greater = operator in _LESS, operator in _GREATER
            case Apply(operator, (other, Name(text))) if text == name:
                less, greater = operator in _GREATER, operator in _LESS
            case _:
                return None
        if not (less or greater) or free_names(other) & names:
            return None
        limit = self.lowering.number(other, scope)
        strict = operator in {integers.LESS, integers.GREATER}
        if less:
            return None, k.subtract(limit, k.ONE) if strict else limit
        return k.add(limit, k.ONE) if strict else limit, None


def _maximum(a: Expr, b: Expr) -> Expr:
    return k.choose(k.less(a, b), b, a)


def _minimum(a: Expr, b: Expr) -> Expr:
    return k.choose(k.less(a, b), a, b)


def _destructure(pattern: Formula, value: V, bound: dict[str, V], tests: list[tuple[V, V]]) -> None:
    match pattern, value:
        case (Name(text), _):
            if text in bound:
                tests.append((bound[text], value))
            else:
                bound[text] = value
        case (Apply(_, (left, right)), Duo()):
            _destructure(left, value.left, bound, tests)
            _destructure(right, value.right, bound, tests)
        case _:
            raise NotCompiled("a pair that is stored as a whole")


def _cost(e: Formula) -> int:
    """Return a rough order of how dear a conjunct is to test."""
    return sum(1 for _ in walk(e))
