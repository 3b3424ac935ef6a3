"""The ways in which a conjunct, or a type, can produce values for unbound identifiers.

Costs are rough: they only order the loops of a plan.  An equation costs nothing, a
listed set little, an alternative more; what might be exponential goes to the solver
unless nothing but the enumeration is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, Protocol

from secateur.maths.ast import (
    Apply,
    Binder,
    Call,
    Comprehension,
    Exists,
    Expr,
    Implies,
    Lambda,
    Name,
    Not,
    Or,
    Quantified,
    Quantifier,
    children,
    conjuncts,
    walk,
)
from secateur.maths.evaluate.bounds import Bound, bound_of, guessed_width
from secateur.maths.evaluate.costs import (
    ENUMERATION_ONLY,
    LARGE,
    guessed_size,
    is_infinite,
    membership_cost,
)
from secateur.maths.evaluate.environment import Code, Env, Plan, Scope, Stage, widen
from secateur.maths.evaluate.finite import finitely_many
from secateur.maths.evaluate.implied import presupposed
from secateur.maths.evaluate.patterns import Pattern, pattern
from secateur.maths.evaluate.solver_stage import attempt_stage, solver_stage
from secateur.maths.evaluate.splits import splits
from secateur.maths.evaluate.stages import (
    LENGTHS,
    Space,
    bind_once,
    each_between,
    each_element,
    each_of_any,
    each_tried,
    first_case,
    sequences_of,
    smallest_or,
    tie,
)
from secateur.maths.operators import comparison
from secateur.maths.symbolic import power_set
from secateur.maths.types import STRING, Base, Given, Power, Product, Struct, Type
from secateur.maths.values import (
    SetValue,
    SymbolicSet,
    Undecided,
    Value,
    cardinality,
    ordered,
)


class Subplan(Protocol):
    """Makes the plan of a part of a problem; see `plan_solutions`."""

    def __call__(
        self,
        scope: Scope,
        binders: Sequence[Binder],
        condition: Sequence[Expr],
        *,
        unaided_by: Expr | None = None,
    ) -> Plan:
        """Return the plan."""


Unbound = Mapping[str, Binder]

SOLVER: Final = 50.0
"""The cost of asking the solver: whatever is cheaper is tried first."""
CASES: Final = 25.0
LAST_RESORT: Final = 30.0
WITHOUT_BOUND: Final = 40.0
SEQUENCES_OF_A_LENGTH: Final = 7.0
SMALL_TYPE: Final = 64
SMALL_SPACE: Final = 400
"""A space of functions or subsets up to this size is gone through rather than solved for."""


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """A stage that binds identifiers, and the conjuncts it settles by doing so."""

    cost: float
    stage: Stage
    binds: frozenset[str]
    settles: tuple[int, ...]
    bounded: bool = True
    size: float = 1.0
    """A guess at the number of values."""
    finite: bool = False
    """Whether there are finitely many values although `bounded` does not say so."""


@dataclass(frozen=True, slots=True)
class Conjuncts:
    """What is left to satisfy, and consequences of it that only serve to generate."""

    todo: Mapping[int, Expr]
    extra: Mapping[int, Expr]


def is_partial(e: Expr) -> bool:
    """Whether evaluating `e` can be ill-defined."""
    return any(map(_is_partial_node, walk(e)))


def _is_partial_node(e: Expr) -> bool:
    match e:
        case Call():
            return True
        case Apply(operator, _):
            return operator.partial
        case Quantified(quantifier, _, _, _):
            return quantifier is Quantifier.INTER
        case _:
            return False


def candidates(
    scope: Scope, unbound: Unbound, conditions: Conjuncts, subplan: Subplan
) -> Iterator[Candidate]:
    """Yield every way to bind some of `unbound` next, the solver's last."""
    context = _Context(scope, unbound, conditions.todo, conditions.extra, subplan)
    for number, conjunct in (*conditions.todo.items(), *conditions.extra.items()):
        match conjunct:
            case Apply(operator, (left, right)) if operator is comparison.EQUAL:
                yield from context.equation(number, left, right)
                yield from context.equation(number, right, left)
            case Apply(operator, (left, right)) if operator is comparison.MEMBER:
                yield from context.membership(number, left, right)
            case Apply(operator, (Name(), right)) if operator is comparison.SUBSET:
                yield from context.inclusion(number, conjunct.args[0], right)
            case Or():
                yield from context.alternatives(number, conjunct)
            case Exists():
                yield from context.witness(number, conjunct)
            case _:
                pass
    for conjunct in conditions.todo.values():
        for hint in presupposed(conjunct):
            assert isinstance(hint, Apply)
            yield from context.last_resort(*hint.args)
    for binder in unbound.values():
        yield from context.conditional(binder)
        yield from context.integer_range(binder)
        yield from context.small_type(binder)
    yield context.solver()


def solver_only(
    scope: Scope, unbound: Unbound, conditions: Conjuncts, subplan: Subplan
) -> Candidate:
    """Return the way that leaves everything to the solver."""
    return _Context(scope, unbound, conditions.todo, conditions.extra, subplan).solver()


@dataclass(frozen=True, slots=True)
class _Context:
    scope: Scope
    unbound: Unbound
    todo: Mapping[int, Expr]
    extra: Mapping[int, Expr]
    subplan: Subplan

    def known(self, e: Expr) -> bool:
        return not (self.scope.free(e) & self.unbound.keys())

    def out_of_turn(self, number: int, *sides: Expr) -> float:
        """What it costs to evaluate what is known of `sides` before what may protect it."""
        partial = any(map(self.is_partly_partial, sides))
        if number in self.extra:
            return 12.0 if partial else 2.0
        return 10.0 if next(iter(self.todo)) != number and partial else 0.0

    def is_partly_partial(self, e: Expr) -> bool:
        """Whether evaluating the known parts of `e` can be ill-defined."""
        return is_partial(e) and (
            self.known(e) or any(self.is_partly_partial(child) for child in children(e))
        )

    def alone(self, number: int, names: frozenset[str]) -> bool:
        """Whether no other conjunct speaks of `names`."""
        return not any(
            self.scope.free(e) & names for other, e in self.todo.items() if other != number
        )

    def has_text(self, names: frozenset[str]) -> bool:
        return any(_has_text(self.unbound[name].type) for name in names)

    def equation(self, number: int, left: Expr, right: Expr) -> Iterator[Candidate]:
        if not self.known(right):
            yield from self.recursion(number, left, right)
            return
        target = pattern(self.scope, left, self.unbound)
        if target is None or not target.names:
            yield from self.concatenation(number, left, right)
            return
        cost = self.out_of_turn(number, left, right)
        stage = bind_once(target, self.scope.code(right))
        yield Candidate(cost, stage, target.names, (number,))

    def concatenation(self, number: int, left: Expr, right: Expr) -> Iterator[Candidate]:
        """`s ^ t = known`: every way to cut the known sequence in two."""
        found = splits(self.scope, left, self.scope.code(right), self.unbound)
        if found is not None and found[0]:
            cost = 2.0 + self.out_of_turn(number, left, right)
            yield Candidate(cost, found[1], found[0], (number,), size=10)

    def conditional(self, binder: Binder) -> Iterator[Candidate]:
        """`(P => x = a) & (Q => x = b)` where P and Q are known: the case that applies binds."""
        cases: list[tuple[Code, Code]] = []
        for conjunct in self.todo.values():
            if isinstance(conjunct, Implies) and self.known(conjunct.left):
                value = self.equal_to(binder.name, conjunct.right)
                if value is not None:
                    cases.append((self.scope.code(conjunct.left), self.scope.code(value)))
        if cases and len(self.unbound) == 1:
            stage = first_case(self.scope.place(binder.name), cases, self.solver().stage)
            yield Candidate(CASES, stage, frozenset({binder.name}), (), bounded=False)

    def equal_to(self, name: str, e: Expr) -> Expr | None:
        """Return the known expression that `e` says `name` is equal to, if any."""
        for part in conjuncts(e):
            match part:
                case Apply(operator, (Name(text), side) | (side, Name(text))):
                    if operator is comparison.EQUAL and text == name and self.known(side):
                        return side
                case _:
                    pass
        return None

    def recursion(self, number: int, left: Expr, right: Expr) -> Iterator[Candidate]:
        """`f = %x.(P | E)` where E applies f, which is then tied to itself.

        A definition by recursion, not an equation with several solutions: only if f is
        nowhere used but applied, within a rule, and could not be found by trying.
        """
        if not isinstance(left, Name) or number in self.extra:
            return
        if self.scope.free(right) & self.unbound.keys() != {left.text}:
            return
        if _defines(left.text, right) and not self.is_small(self.type_of(left), 2**16):
            stage = tie(left.text, self.scope.place(left.text), self.scope.code(right))
            yield Candidate(0.9, stage, frozenset({left.text}), (number,))

    def type_of(self, name: Name) -> Type:
        type_ = self.unbound[name.text].type
        assert type_ is not None
        return type_

    def membership(self, number: int, left: Expr, right: Expr) -> Iterator[Candidate]:
        length = self.length_of(left)
        if not self.known(right) or (is_infinite(right) and length is None):
            return
        target = pattern(self.scope, left, self.unbound)
        if target is None or not target.names:
            return
        otherwise = self.otherwise(number, left)
        code = self.scope.code(right)
        size = guessed_size(right, self.scope)
        cost = membership_cost(right) + self.out_of_turn(number, left, right)
        if length is not None:
            cost = min(cost, SEQUENCES_OF_A_LENGTH)
            otherwise = sequences_of(code, length, otherwise)
        elif cost >= ENUMERATION_ONLY:
            if size <= SMALL_SPACE:
                cost += 10 + size / SMALL_SPACE - ENUMERATION_ONLY
            elif not self.alone(number, target.names):
                return
        elements = self.elements_of(code, target, otherwise)
        yield Candidate(cost, each_element(target, elements), target.names, (number,), size=size)

    def length_of(self, e: Expr) -> Code | None:
        """Return the length that a conjunct gives the unbound sequence `e`, if one does."""
        if not isinstance(e, Name) or not _is_sequence(self.unbound.get(e.text)):
            return None
        for conjunct in self.todo.values():
            match conjunct:
                case Apply(operator, (Apply(inner, (Name(text),)), side)) if text == e.text:
                    pass
                case Apply(operator, (side, Apply(inner, (Name(text),)))) if text == e.text:
                    pass
                case _:
                    continue
            if operator is comparison.EQUAL and inner in LENGTHS and self.known(side):
                return None if is_partial(side) else self.scope.code(side)
        return None

    def last_resort(self, left: Expr, right: Expr) -> Iterator[Candidate]:
        """Yield the way through a function's domain, for integers that have no bound."""
        target = pattern(self.scope, left, self.unbound)
        if target is None or not target.names or not self.known(right):
            return
        if all(self.unbound[name].type is Base.INTEGER for name in target.names):
            elements = self.elements_of(self.scope.code(right), target)
            yield Candidate(LAST_RESORT, each_element(target, elements), target.names, ())

    def inclusion(self, number: int, left: Expr, right: Expr) -> Iterator[Candidate]:
        target = pattern(self.scope, left, self.unbound)
        if target is None or not target.names or not self.known(right):
            return
        if not self.alone(number, target.names) or is_infinite(right):
            return
        elements = self.elements_of(self.subsets(right), target)
        yield Candidate(ENUMERATION_ONLY, each_element(target, elements), target.names, (number,))

    def otherwise(self, number: int, left: Expr) -> Callable[[Env], list[Value]]:
        """Return how to find the values of `left` without going through its set.

        For the case that the set turns out to be infinite: its conjunct becomes a test,
        behind two negations so that it is not taken for a generator again.
        """
        plan: Plan | None = None
        value = self.scope.code(left)
        binders = list(self.unbound.values())
        sought = [b for b in binders if b.name in self.scope.free(left)]
        numbers = all(b.type is Base.INTEGER for b in sought)
        hint = self.extra.get(number)
        conditions = [
            Not(Not(e, e.span), e.span) if n == number else e for n, e in self.todo.items()
        ]

        def values(env: Env) -> list[Value]:
            nonlocal plan
            if plan is None:
                plan = self.subplan(self.scope, binders, conditions, unaided_by=hint)
            if not numbers and any(b.name in plan.asked for b in sought):
                raise Undecided(f"{sought[0].name} ranges over an infinite set")
            widen(env, self.scope)
            return ordered({value(env) for _ in plan.run(env)})

        return values

    def elements_of(
        self, code: Code, target: Pattern, otherwise: Callable[[Env], list[Value]] | None = None
    ) -> Callable[[Env], Sequence[Value] | SetValue]:
        text = self.has_text(target.names)
        name = next(iter(sorted(target.names)))

        def elements(env: Env) -> Sequence[Value] | SetValue:
            value: SetValue = code(env)
            if isinstance(value, frozenset):
                return ordered(value) if text else value
            if _is_listable(value):
                return value
            if otherwise is None:
                raise Undecided(f"{name}: {value!r} is infinite")
            return otherwise(env)

        return elements

    def alternatives(self, number: int, disjunction: Or) -> Iterator[Candidate]:
        names = self.scope.free(disjunction) & self.unbound.keys()
        binders = [b for b in self.unbound.values() if b.name in names]
        if not all(self.scope.free(part) & names == names for part in disjunction.parts):
            return
        plans = [
            self.subplan(self.scope, binders, (*excluded, part))
            for part, excluded in _protected(disjunction)
        ]
        if all(plan.bounded for plan in plans):
            yield Candidate(8.0, each_of_any(plans), frozenset(names), (number,))

    def witness(self, number: int, exists: Exists) -> Iterator[Candidate]:
        names = self.scope.free(exists) & self.unbound.keys()
        outer = [b for b in self.unbound.values() if b.name in names]
        inner = self.scope.bind(exists.binders)
        plan = self.subplan(inner, [*outer, *exists.binders], (exists.body,))
        if plan.bounded:
            places = tuple(self.scope.place(b.name) for b in outer)
            stage = each_of_any([Plan(plan.run, bounded=True, places=places)])
            yield Candidate(9.0, stage, frozenset(names), (number,))

    def integer_range(self, binder: Binder) -> Iterator[Candidate]:
        if binder.type is not Base.INTEGER:
            return
        bounds: dict[int, Bound] = {}
        for number, conjunct in self.todo.items():
            bound = bound_of(self.scope, binder.name, conjunct, self.unbound)
            if bound is not None and not self.out_of_turn(number, *children(conjunct)):
                bounds[number] = bound
        lower = [code for bound in bounds.values() for code in bound.lower]
        upper = [code for bound in bounds.values() for code in bound.upper]
        settles = tuple(bounds)
        names = frozenset({binder.name})
        place = self.scope.place(binder.name)
        if lower and upper:
            size = guessed_width(tuple(bounds.values()))
            yield Candidate(5.0, each_between(place, lower, upper), names, settles, size=size)
        elif not any(self.scope.free(e) & names for n, e in self.todo.items() if n not in settles):
            settings = self.scope.universe.settings
            stage = each_tried(place, lower, upper, (settings.minint, settings.maxint), binder.name)
            yield Candidate(WITHOUT_BOUND, stage, names, settles, bounded=False)

    def small_type(self, binder: Binder) -> Iterator[Candidate]:
        assert binder.type is not None
        if not self.is_small(binder.type, SMALL_TYPE):
            return
        carrier = self.scope.universe.carrier(binder.type)
        size = cardinality(carrier)
        if size is not None and size <= SMALL_TYPE:
            target = pattern(self.scope, Name(binder.name), self.unbound)
            assert target is not None
            cost = 6.0 if size <= 2 else 7.0 + size / 10
            stage = each_element(target, lambda env: carrier)
            yield Candidate(cost, stage, target.names, (), size=size)

    def is_small(self, type_: Type, limit: int) -> bool:
        """Whether the type has at most `limit` values, found out without counting far beyond."""
        match type_:
            case Base.BOOL:
                return limit >= 2
            case Given(name):
                carrier = self.scope.universe.sets[name]
                return isinstance(carrier, frozenset) and len(carrier) <= limit
            case Power(element):
                return self.is_small(element, limit.bit_length() - 1)
            case Product(left, right):
                return self.is_small(left, limit) and self.is_small(right, limit)
            case Struct(fields):
                return all(self.is_small(t, limit) for _, t in fields)
            case _:
                return False

    def solver(self) -> Candidate:
        binders = list(self.unbound.values())
        constraints = [*self.todo.values(), *self.extra.values()]
        stage = solver_stage(self.scope, binders, constraints)
        spaces = [s for n, e in self.todo.items() for s in self.space(n, e)]
        if spaces:
            attempt = partial(attempt_stage, self.scope, binders, constraints)
            stage = smallest_or(spaces, stage, attempt)
        names = frozenset(self.unbound)
        finite = all(finitely_many(self.scope, b, self.todo.values()) for b in binders)
        settles = (*self.todo, *self.extra)
        return Candidate(SOLVER, stage, names, settles, bounded=False, finite=finite)

    def space(self, number: int, e: Expr) -> Iterator[Space]:
        """Yield the way through a space of subsets or functions, for when it is small."""
        match e:
            case Apply(operator, (left, right)) if operator is comparison.MEMBER:
                large = isinstance(right, Apply) and right.operator in LARGE
                code = self.scope.code(right) if large and self.known(right) else None
            case Apply(operator, (left, right)) if operator is comparison.SUBSET:
                code = self.subsets(right) if self.known(right) else None
            case _:
                return
        target = pattern(self.scope, left, self.unbound)
        if code is None or target is None or not target.names:
            return
        rest = [b for name, b in self.unbound.items() if name not in target.names]
        if not all(self.is_defined_by(b.name, target.names) for b in rest):
            return  # several unknowns are better found together
        others = [other for n, other in self.todo.items() if n != number]
        yield Space(code, each_element(target, code), lazily(self, rest, others))

    def is_defined_by(self, name: str, names: frozenset[str]) -> bool:
        """Whether an equation gives `name` in terms of `names` and of what is known."""
        for conjunct in self.todo.values():
            match conjunct:
                case Apply(operator, (Name(text), side) | (side, Name(text))):
                    unknown = self.scope.free(side) & self.unbound.keys()
                    if operator is comparison.EQUAL and text == name and unknown <= names:
                        return True
                case _:
                    pass
        return False

    def subsets(self, e: Expr) -> Code:
        code = self.scope.code(e)
        return lambda env: power_set(code(env))


def _protected(disjunction: Or) -> Iterator[tuple[Expr, tuple[Expr, ...]]]:
    """Yield each alternative and, where it can be ill-defined, that those before it are false."""
    before: tuple[Expr, ...] = ()
    for part in disjunction.parts:
        yield part, (before if is_partial(part) else ())
        before = (*before, Not(part, part.span))


def _defines(name: str, e: Expr) -> bool:
    """Whether `e` has a rule in it, and uses `name` only to apply it."""
    nodes = list(walk(e))
    applied = sum(isinstance(n, Call) and n.function == Name(name) for n in nodes)
    used = sum(n == Name(name) for n in nodes)
    return used == applied and any(isinstance(n, Lambda | Comprehension) for n in nodes)


def lazily(context: _Context, binders: Sequence[Binder], conditions: Sequence[Expr]) -> Stage:
    """Return the plan for the rest of a problem, made when it is first wanted."""
    plan: Plan | None = None

    def run(env: Env) -> Iterator[None]:
        nonlocal plan
        if plan is None:
            plan = context.subplan(context.scope, binders, conditions)
        widen(env, context.scope)
        return plan.run(env)

    return run


def _is_sequence(binder: Binder | None) -> bool:
    """Whether the values of `binder` could be sequences, by their type."""
    match None if binder is None else binder.type:
        case Power(Product(Base.INTEGER, _)):
            return True
        case _:
            return False


def _is_listable(value: SymbolicSet) -> bool:
    try:
        return value.size() is not None
    except Undecided:
        return False


def _has_text(type_: Type | None) -> bool:
    """Whether values of the type contain strings, whose hashes differ from run to run."""
    match type_:
        case Power(element):
            return _has_text(element)
        case Product(left, right):
            return _has_text(left) or _has_text(right)
        case Struct(fields):
            return any(_has_text(t) for _, t in fields)
        case _:
            return type_ is STRING
