"""Substitutions in the kernel language.

Every substitution reads one buffer and writes another, which begins as a copy of the
first.  So parts that happen at once do not see each other, and `S ; T` is a buffer between.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from secateur.kernel import build as k
from secateur.kernel.language import Expr, Number
from secateur.lang.compile.assigned import check_assigned
from secateur.lang.compile.expressions import Lowering
from secateur.lang.compile.generators import Unknowns, generate
from secateur.lang.compile.scope import Scope
from secateur.lang.compile.stored import copy_cell, read
from secateur.lang.compile.targets import Target, as_element, assign, target
from secateur.lang.compile.values import Duo, NotCompiled, Num, V, same, settled
from secateur.lang.model import Operation
from secateur.lang.readwrite import of_substitution
from secateur.lang.slots.cells import Allocator, Cell, allocate
from secateur.lang.slots.shapes import Dense, Shape, Wide, shape_of_type
from secateur.maths import substitution as sub
from secateur.maths.ast import Apply, Binder, Or, conjunction, conjuncts, free_names
from secateur.maths.ast import Expr as Formula
from secateur.maths.operators.comparison import EQUAL
from secateur.maths.substitution import Substitution
from secateur.maths.types import INTEGER, Type

Then = Callable[[], None]

_TWICE: Final = "one element assigned twice"


class Execution:
    """Makes code of substitutions, in one program part."""

    def __init__(
        self,
        lowering: Lowering,
        callees: Mapping[str, Operation],
        scratch: Allocator,
        types: Mapping[str, Type],
    ) -> None:
        self.lowering = lowering
        self.b = lowering.b
        self.callees = callees
        self.scratch = scratch
        self.types = types
        self.clean: set[int] = set()
        """The buffers that are still copies of what is read."""
        self._buffers = 1

    def new_buffer(self) -> int:
        """Return a buffer that nobody uses."""
        self._buffers += 1
        return self._buffers

    # -- choices ------------------------------------------------------------------------------

    def run(self, s: Substitution, scope: Scope, to: int, then: Then) -> None:
        """Emit code that goes on with `then` for each way in which `s` can be executed."""
        if deterministic(s, self.callees):
            self.perform(s, scope, to)
            then()
            return
        match s:
            case sub.Select():
                self._select(s, scope, to, then)
            case sub.Choice(bodies):
                bodies_ = [(k.TRUE, body) for body in bodies]
                self._alternatives(bodies_, scope, to, then)
            case sub.AnyWhere(binders, condition, body) | sub.LetBe(binders, condition, body):
                saved = self._saved(scope, to)

                def chosen(inner: Scope) -> None:
                    self._restore(to, saved, scope)
                    self.run(body, inner, to, then)

                generate(self.lowering, Unknowns(binders, (condition,)), scope, chosen)
            case sub.BecomesElement():
                self._becomes_element(s, scope, to, then)
            case sub.BecomesSuch():
                self._becomes_such(s, scope, to, then)
            case _:
                self._compound(s, scope, to, then)

    def _compound(self, s: Substitution, scope: Scope, to: int, then: Then) -> None:
        match s:
            case sub.IfThen(branches, otherwise):
                tests = [(b.condition, b.body) for b in branches]
                self._first_true(tests, otherwise or sub.Skip(), (scope, to, then))
            case sub.Case():
                self._first_true(case_tests(s), s.otherwise or sub.Skip(), (scope, to, then))
            case sub.Precondition(condition, body) | sub.Assertion(condition, body):
                self.b.trap_unless(self.lowering.predicate(condition, scope), "a demand")
                self.run(body, scope, to, then)
            case sub.Parallel(parts):
                self._check_apart(parts)
                self._parallel(parts, scope, to, then)
            case sub.Sequential(parts):
                self._sequential(parts, scope, to, then)
            case sub.VarIn(binders, body):
                check_assigned(body, frozenset(b.name for b in binders), self.callees)
                self.run(body, scope.store(self.locals(binders)), to, then)
            case sub.OperationCall():
                self._call(s, scope, to, then)
            case _:
                raise NotCompiled(f"a {type(s).__name__} with choices in it")

    def _saved(self, scope: Scope, to: int) -> int:
        """Return a buffer that holds what `to` holds now, and goes on to."""
        if to in self.clean:
            return scope.buffer
        saved = self.new_buffer()
        self.b.copy(saved, to)
        return saved

    def _restore(self, to: int, saved: int, scope: Scope) -> None:
        self.b.copy(to, saved)
        if saved == scope.buffer:
            self.clean.add(to)

    def _alternatives(
        self, bodies: Sequence[tuple[Expr, Substitution]], scope: Scope, to: int, then: Then
    ) -> None:
        saved = self._saved(scope, to)
        for condition, body in bodies:
            with self.b.if_(condition):
                self._restore(to, saved, scope)
                self.run(body, scope, to, then)
        self.clean.discard(to)

    def _select(self, s: sub.Select, scope: Scope, to: int, then: Then) -> None:
        tests = [self.b.let(self.lowering.predicate(b.condition, scope)) for b in s.branches]
        bodies = [(test, branch.body) for test, branch in zip(tests, s.branches, strict=True)]
        if s.otherwise is not None:
            bodies.append((k.not_(k.any_of(tests)), s.otherwise))
        self._alternatives(bodies, scope, to, then)

    def _first_true(
        self,
        tests: Sequence[tuple[Formula, Substitution]],
        otherwise: Substitution,
        rest: tuple[Scope, int, Then],
    ) -> None:
        scope, to, then = rest
        if not tests:
            self.run(otherwise, scope, to, then)
            return
        condition, body = tests[0]
        clean = set(self.clean)
        with self.b.if_(self.lowering.predicate(condition, scope)):
            self.run(body, scope, to, then)
        after = self.clean
        self.clean = clean
        with self.b.else_():
            self._first_true(tests[1:], otherwise, rest)
        self.clean = self.clean & after

    def _parallel(self, parts: Sequence[Substitution], scope: Scope, to: int, then: Then) -> None:
        if not parts:
            then()
            return
        self.run(parts[0], scope, to, lambda: self._parallel(parts[1:], scope, to, then))

    def _check_apart(self, parts: Sequence[Substitution]) -> None:
        written: set[str] = set()
        for part in parts:
            names = of_substitution(part, self.callees).writes
            if written & names:
                raise NotCompiled("one variable is assigned by two parts at once")
            written |= names

    def _sequential(self, parts: Sequence[Substitution], scope: Scope, to: int, then: Then) -> None:
        names = frozenset[str]().union(*(of_substitution(p, self.callees).writes for p in parts))

        def go_on(rest: Sequence[Substitution], current: Scope) -> None:
            if not rest:
                self._merge(names, scope, to, current.buffer)
                then()
                return
            following = self.new_buffer()
            self.b.copy(following, current.buffer)
            self.clean.add(following)
            self.run(
                rest[0], current, following, lambda: go_on(rest[1:], current.reading(following))
            )

        go_on(parts, scope)

    def _merge(self, names: frozenset[str], scope: Scope, to: int, source: int) -> None:
        self.clean.discard(to)
        for name in sorted(names):
            cell = scope.cells.get(name)
            if cell is None:
                raise NotCompiled(f"an assignment to {name}, which is no variable")
            copy_cell(self.b, cell, to, source)

    def _becomes_element(self, s: sub.BecomesElement, scope: Scope, to: int, then: Then) -> None:
        targets = [target(self.lowering, t, scope) for t in s.targets]
        _check_distinct(targets)
        saved = self._saved(scope, to)

        def chosen(value: V) -> None:
            self._restore(to, saved, scope)
            self._assign_all(targets, _parts(value, len(targets)), scope, to)
            then()

        self.lowering.set(s.set, scope).each(self.b, chosen)

    def _becomes_such(self, s: sub.BecomesSuch, scope: Scope, to: int, then: Then) -> None:
        binders = [Binder(t.text, self.types.get(t.text), t.span) for t in s.targets]
        saved = self._saved(scope, to)
        # The old value is called x$0, and must be found although x is bound anew.
        old = {f"{t.text}$0": read(scope.cells[t.text], scope.buffer) for t in s.targets}

        def chosen(inner: Scope) -> None:
            self._restore(to, saved, scope)
            values = [inner.values[b.name] for b in binders]
            self._assign_all([Target(b.name) for b in binders], values, scope, to)
            then()

        generate(self.lowering, Unknowns(binders, (s.condition,)), scope.bind(old), chosen)

    # -- one way only -------------------------------------------------------------------------

    def perform(self, s: Substitution, scope: Scope, to: int) -> None:
        """Emit code for a substitution that can be executed in exactly one way."""
        match s:
            case sub.Skip():
                return
            case sub.Assign(targets, values):
                pairs = [as_element(*pair) for pair in zip(targets, values, strict=True)]
                found = [self.lowering.value(v, scope) for _, v in pairs]
                places = [target(self.lowering, t, scope) for t, _ in pairs]
                self._trap_if_same(places)
                self._assign_all(places, found, scope, to)
            case sub.IfThen(branches, otherwise):
                tests = [(b.condition, b.body) for b in branches]
                self._perform_first(tests, otherwise or sub.Skip(), scope, to)
            case sub.Case():
                self._perform_first(case_tests(s), s.otherwise or sub.Skip(), scope, to)
            case sub.LetBe(binders, condition, body):
                self.perform(body, self.lowering.let(binders, condition, scope), to)
            case sub.While():
                self._while(s, scope, to)
            case _:
                self._compound(s, scope, to, lambda: None)

    def _assign_all(
        self, targets: Sequence[Target], values: Sequence[V], scope: Scope, to: int
    ) -> None:
        self.clean.discard(to)
        for place, value in zip(targets, values, strict=True):
            assign(self.b, place, value, scope, to)

    def _trap_if_same(self, targets: Sequence[Target]) -> None:
        """One element that is assigned twice is an error; the evaluator reports it."""
        fixed: dict[Target, None] = {}  # told apart by their numbers; there may be very many
        others: list[Target] = []
        for one in targets:
            if _is_fixed(one):
                if one in fixed:
                    self.b.trap_if(k.TRUE, _TWICE)
                self._trap_if_one_of(one, others)
                fixed[one] = None
            else:
                self._trap_if_one_of(one, (*fixed, *others))
                others.append(one)

    def _trap_if_one_of(self, one: Target, others: Sequence[Target]) -> None:
        for other in others:
            if one.name != other.name:
                continue
            if len(one.path) != 1 or len(other.path) != 1:
                raise NotCompiled("one variable is assigned in several parts")
            first, second = one.path[0], other.path[0]
            if isinstance(first, str) or isinstance(second, str):
                if first == second:
                    raise NotCompiled("one field is assigned twice")
            else:
                self.b.trap_if(same(self.b, first, second), _TWICE)

    def _perform_first(
        self,
        tests: Sequence[tuple[Formula, Substitution]],
        otherwise: Substitution,
        scope: Scope,
        to: int,
    ) -> None:
        self.clean.discard(to)
        if not tests:
            self.perform(otherwise, scope, to)
            return
        condition, body = tests[0]
        with self.b.if_(self.lowering.predicate(condition, scope)):
            self.perform(body, scope, to)
        with self.b.else_():
            self._perform_first(tests[1:], otherwise, scope, to)

    def _while(self, s: sub.While, scope: Scope, to: int) -> None:
        """Emit a loop; its invariant and its variant are checked in every round."""
        now, following = self.new_buffer(), self.new_buffer()
        self.b.copy(now, scope.buffer)
        inside = replace(scope.reading(now), before=scope.buffer)
        before = self.b.variable(k.ZERO, "variant")
        first = self.b.variable(k.TRUE, "first")
        with self.b.loop():
            with self.b.if_(k.not_(self.lowering.predicate(s.condition, inside))):
                self.b.break_()
            self.b.trap_unless(self.lowering.predicate(s.invariant, inside), "loop invariant")
            variant = self.b.let(self.lowering.number(s.variant, inside), "variant")
            decreased = k.or_(first, k.less(variant, before))
            self.b.trap_unless(k.and_(k.less_equal(k.ZERO, variant), decreased), "loop variant")
            self.b.assign(before, variant)
            self.b.assign(first, k.FALSE)
            self.b.copy(following, now)
            self.perform(s.body, inside, following)
            self.b.copy(now, following)
        self.b.trap_unless(self.lowering.predicate(s.invariant, inside), "loop invariant")
        self._merge(of_substitution(s.body, self.callees).writes, scope, to, now)

    # -- local variables and calls --------------------------------------------------------------

    def locals(self, binders: Sequence[Binder]) -> dict[str, Cell]:
        """Return places for local variables."""
        found: dict[str, Cell] = {}
        for binder in binders:
            assert binder.type is not None
            shape = _local_shape(shape_of_type(binder.type, self.lowering.known.carriers))
            found[binder.name] = allocate(shape, 1, self.scratch)
        return found

    def _call(self, s: sub.OperationCall, scope: Scope, to: int, then: Then) -> None:
        callee = self.callees[s.operation]
        results = frozenset(b.name for b in callee.results)
        body = demanding_nothing_of(results, callee.body)
        check_assigned(body, results, self.callees, finally_all=True)
        arguments = {
            b.name: settled(self.b, self.lowering.value(a, scope))
            for b, a in zip(callee.parameters, s.args, strict=True)
        }
        cells = self.locals(callee.results)
        variables = {n: c for n, c in scope.cells.items() if n in self.types}
        inner = Scope({**variables, **cells}, arguments, scope.buffer)
        targets = [target(self.lowering, t, scope) for t in s.targets]
        _check_distinct(targets)

        def finish() -> None:
            values = [read(cells[b.name], to) for b in callee.results]
            if targets:
                self._assign_all(targets, values, scope, to)
            then()

        self.run(body, inner, to, finish)


def _check_distinct(targets: Sequence[Target]) -> None:
    if len({t.name for t in targets}) < len(targets):
        raise NotCompiled("one variable is assigned in several parts")


def _parts(value: V, count: int) -> list[V]:
    found: list[V] = []
    for _ in range(count - 1):
        if not isinstance(value, Duo):
            raise NotCompiled("a pair that is stored as a whole")
        found.append(value.right)
        value = value.left
    return [value, *reversed(found)]


def case_tests(s: sub.Case) -> list[tuple[Formula, Substitution]]:
    """Return the branches of a CASE, each with its condition."""
    tests: list[tuple[Formula, Substitution]] = []
    for branch in s.branches:
        equations = tuple(Apply(EQUAL, (s.subject, v), v.span) for v in branch.values)
        condition = equations[0] if len(equations) == 1 else Or(equations)
        tests.append((condition, branch.body))
    return tests


def _local_shape(shape: Shape) -> Shape:
    """Return the shape of a local variable: nothing is known of its integers."""
    if isinstance(shape, Dense) and shape == shape_of_type(INTEGER, {}):
        return Wide()
    return shape


def demanding_nothing_of(results: frozenset[str], body: Substitution) -> Substitution:
    """Return `body` less what its precondition says of results: their typing, no demand."""
    if not isinstance(body, sub.Precondition):
        return body
    kept = [c for c in conjuncts(body.condition) if not free_names(c) & results]
    return sub.Precondition(conjunction(tuple(kept)), body.body, body.span) if kept else body.body


def deterministic(s: Substitution, callees: Mapping[str, Operation]) -> bool:
    """Whether a substitution has exactly one outcome wherever it is not at fault."""
    match s:
        case sub.Skip() | sub.Assign():
            return True
        case sub.Select() | sub.Choice() | sub.AnyWhere():
            return False
        case sub.BecomesElement() | sub.BecomesSuch():
            return False
        case sub.LetBe(binders, condition, body):
            return _is_definition(binders, condition) and deterministic(body, callees)
        case sub.OperationCall():
            return deterministic(callees[s.operation].body, callees)
        case _:
            return all(deterministic(each, callees) for each in sub.children(s))


def _is_fixed(place: Target) -> bool:
    """Whether it is one element, whose number is known."""
    return (
        len(place.path) == 1
        and isinstance(place.path[0], Num)
        and isinstance(place.path[0].expr, Number)
    )


def _is_definition(binders: Sequence[Binder], condition: Formula) -> bool:
    return len(conjuncts(condition)) == len(binders)
