"""A state, and values of bound identifiers, in which formulas are evaluated."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from secateur.maths.ast import Binder, Expr, Forall
from secateur.maths.evaluate.binding import refutations
from secateur.maths.evaluate.compiler import Compiler
from secateur.maths.evaluate.environment import Env, Plan, widen
from secateur.maths.evaluate.plan import plan_solutions
from secateur.maths.values import IllDefined, Undecided, Value, order_key
from secateur.source.records import dataclass

_TRIED: Final = 10_000
"""Among so many solutions the smallest is looked for."""


@dataclass(frozen=True, slots=True)
class Point:
    """Where a formula is evaluated; `bound` are the identifiers that have values besides the state's."""

    scope: Compiler
    env: Env
    bound: tuple[tuple[Binder, Value], ...] = ()

    @property
    def bindings(self) -> tuple[tuple[str, Value], ...]:
        """The bound identifiers with their values."""
        return tuple({b.name: value for b, value in self.bound}.items())

    def value(self, e: Expr) -> Value:
        """Return the value of a formula here."""
        code = self.scope.code(e)
        widen(self.env, self.scope)
        return code(self.env)

    def known(self, e: Expr) -> Value | None:
        """Return the value of a formula here; None if it has none or it cannot be found out."""
        try:
            return self.value(e)
        except (IllDefined, Undecided):
            return None

    def at(self, scope: Compiler, env: Env) -> Point:
        """Return the same bound values in another state."""
        return Point(scope, env).with_values(self.bound)

    def with_values(self, bound: Sequence[tuple[Binder, Value]]) -> Point:
        """Return this point with values for further identifiers."""
        if not bound:
            return self
        scope = self.scope.bind([b for b, _ in bound])
        env = list(self.env)
        widen(env, scope)
        for binder, value in bound:
            env[scope.place(binder.name)] = value
        return Point(scope, env, (*self.bound, *bound))

    def smallest(self, binders: Sequence[Binder], condition: Sequence[Expr]) -> Point | None:
        """Return this point with the smallest solution of a condition; None if there is none."""
        scope = self.scope.bind(binders)
        return self._smallest(binders, [plan_solutions(scope, binders, condition)], scope)

    def refuting(self, e: Forall) -> Point | None:
        """Return this point with the smallest values for which a quantified formula fails."""
        scope = self.scope.bind(e.binders)
        return self._smallest(e.binders, refutations(scope, e), scope)

    def _smallest(
        self, binders: Sequence[Binder], plans: Sequence[Plan], scope: Compiler
    ) -> Point | None:
        for plan in plans:
            env = list(self.env)
            widen(env, scope)
            found = min(islice(_solutions(plan, env), _TRIED), key=_size, default=None)
            if found is not None:
                return self.with_values(list(zip(binders, found, strict=True)))
        return None


def _solutions(plan: Plan, env: Env) -> Iterator[tuple[Value, ...]]:
    try:
        for _ in plan.run(env):
            yield tuple(env[place] for place in plan.places)
    except (IllDefined, Undecided):
        return  # those that were found are as good as any


def _size(values: tuple[Value, ...]) -> tuple[object, ...]:
    """Order solutions: nothing is easier to understand than small values."""
    return tuple(map(order_key, values))
