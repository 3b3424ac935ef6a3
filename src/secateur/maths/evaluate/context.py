"""A plan in the making: what is known, what is left, and what candidates are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final, Protocol

from secateur.maths.ast import (
    Apply,
    Binder,
    Call,
    Expr,
    Name,
    Not,
    Quantified,
    Quantifier,
    children,
    walk,
)
from secateur.maths.evaluate.environment import Code, Env, Plan, Scope, Stage, widen
from secateur.maths.evaluate.patterns import Pattern
from secateur.maths.symbolic import power_set
from secateur.maths.types import Base, Given, Power, Product, Struct, Type, has_text
from secateur.maths.values import (
    SetValue,
    SymbolicSet,
    Undecided,
    Value,
    ordered,
)
from secateur.source.records import dataclass


@dataclass(frozen=True, slots=True)
class Aid:
    """Consequences that may help to make a plan, and some that proved to be of no use."""

    hints: tuple[Expr, ...] = ()
    useless: tuple[Expr, ...] = ()


NO_AID: Final = Aid()


class Subplan(Protocol):
    """Makes the plan of a part of a problem; see `plan_solutions`."""

    def __call__(
        self,
        scope: Scope,
        binders: Sequence[Binder],
        condition: Sequence[Expr],
        *,
        aid: Aid = ...,
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
    useless: tuple[Expr, ...] = ()
    """Consequences that proved to be of no use."""


def is_partial(e: Expr) -> bool:
    """Whether evaluating `e` can be ill-defined."""
    return any(map(is_partial_node, walk(e)))


def in_any_order(parts: Sequence[Expr]) -> int:
    """Return how many of `parts`, which are looked at in turn, can be so in any order.

    Those up to the first that can be ill-defined: one behind it might be false, and hide that.
    """
    for number, part in enumerate(parts, 1):
        if is_partial(part):
            return number
    return len(parts)


def is_partial_node(e: Expr) -> bool:
    """Whether `e` can be ill-defined although its parts are not."""
    match e:
        case Call():
            return True
        case Apply(operator, _):
            return operator.partial
        case Quantified(quantifier, _, _, _):
            return quantifier is Quantifier.INTER
        case _:
            return False


@dataclass(frozen=True, slots=True)
class Context:
    """A problem half solved: what is unbound and what is left to satisfy."""

    scope: Scope
    unbound: Unbound
    todo: Mapping[int, Expr]
    extra: Mapping[int, Expr]
    subplan: Subplan

    def known(self, e: Expr) -> bool:
        """Whether `e` speaks of nothing unbound."""
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
        """Whether values of `names` contain strings."""
        return any(has_text(self.unbound[name].type) for name in names)

    def type_of(self, name: Name) -> Type:
        """Return the type of an unbound identifier."""
        type_ = self.unbound[name.text].type
        assert type_ is not None
        return type_

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

    def otherwise(
        self, number: int, left: Expr, hint: Expr | None = None
    ) -> Callable[[Env], list[Value]]:
        """Return how to find the values of `left` without going through its set.

        For the case that the set turns out to be infinite: its conjunct becomes a test,
        behind two negations so that it is not taken for a generator again.  So does a
        `hint` that is presupposed rather than said: it holds, as if it had been used.
        """
        plan: Plan | None = None
        value = self.scope.code(left)
        binders = list(self.unbound.values())
        sought = [b for b in binders if b.name in self.scope.free(left)]
        numbers = all(b.type is Base.INTEGER for b in sought)
        useless = tuple(e for e in (hint, self.extra.get(number)) if e is not None)
        conditions = [
            Not(Not(e, e.span), e.span) if n == number else e for n, e in self.todo.items()
        ]
        if hint is not None:
            conditions.append(Not(Not(hint, hint.span), hint.span))

        def values(env: Env) -> list[Value]:
            nonlocal plan
            if plan is None:
                aid = Aid(tuple(self.extra.values()), useless)
                plan = self.subplan(self.scope, binders, conditions, aid=aid)
            if not numbers and not plan.finite and any(b.name in plan.asked for b in sought):
                raise Undecided(f"{sought[0].name} ranges over an infinite set")
            widen(env, self.scope)
            return ordered({value(env) for _ in plan.run(env)})

        return values

    def elements_of(
        self, code: Code, target: Pattern, otherwise: Callable[[Env], list[Value]] | None = None
    ) -> Callable[[Env], Iterable[Value]]:
        """Return how to go through a set; `otherwise`, if it turns out to be infinite."""
        text = self.has_text(target.names)
        name = next(iter(sorted(target.names)))

        def elements(env: Env) -> Iterable[Value]:
            value: SetValue = code(env)
            if isinstance(value, frozenset):
                return ordered(value) if text else value
            if _is_listable(value):
                return value if text else value.any_order()
            if otherwise is None:
                raise Undecided(f"{name}: {value!r} is infinite")
            return otherwise(env)

        return elements

    def subsets(self, e: Expr) -> Code:
        """Return the code of the set of all subsets of `e`."""
        code = self.scope.code(e)
        return lambda env: power_set(code(env))


def lazily(context: Context, binders: Sequence[Binder], conditions: Sequence[Expr]) -> Stage:
    """Return the plan for the rest of a problem, made when it is first wanted."""
    plan: Plan | None = None

    def run(env: Env) -> Iterator[None]:
        nonlocal plan
        if plan is None:
            plan = context.subplan(context.scope, binders, conditions)
        widen(env, context.scope)
        return plan.run(env)

    return run


def _is_listable(value: SymbolicSet) -> bool:
    try:
        return value.size() is not None
    except Undecided:
        return False
