"""The constraint solver as a stage of a plan."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import inf
from typing import Final

from secateur.maths.ast import Binder, Expr
from secateur.maths.evaluate.effort import OutOfEffort
from secateur.maths.evaluate.environment import GAPS, METER, Code, Env, Scope, Stage, widen
from secateur.maths.operators.protocol import Settings
from secateur.maths.solve.network import OutOfWork
from secateur.maths.solve.solver import Problem
from secateur.maths.types import Type
from secateur.maths.values import IllDefined, SetValue, Undecided, Value

SOLUTION: Final = 20
"""The steps that it takes the solver to find a solution, more or less."""
ATTEMPT: Final = 300
"""How often the solver may settle at most before candidates are gone through one by one."""
_CANDIDATES: Final = 100
"""So many are gone through while the solver settles once, more or less: what a first try costs is to
be no more than what it may save."""


Attempt = Callable[[Env, int], Iterator[None]]
"""A stage that is told how many candidates there are."""


def solver_stage(scope: Scope, binders: Sequence[Binder], conjuncts: Sequence[Expr]) -> Stage:
    """Return the stage that solves `conjuncts` for `binders`."""
    places = [(b.name, scope.place(b.name)) for b in binders]
    codes = CodeCache(scope)
    problem = Problem(binders, conjuncts)

    def each(env: Env) -> Iterator[None]:
        evaluator = EnvironmentEvaluator(codes, env, frozenset(name for name, _ in places))
        meter = env[METER]
        work = None if meter.left == inf else int(meter.left // SOLUTION)
        try:
            for solution in problem.solutions(evaluator, env[GAPS].append, work):
                meter.spend(SOLUTION)
                for name, place in places:
                    env[place] = solution[name]
                yield
        except OutOfWork as error:
            raise OutOfEffort from error

    return each


def attempt_stage(
    scope: Scope, binders: Sequence[Binder], conjuncts: Sequence[Expr], otherwise: Stage
) -> Attempt:
    """Return what solves `conjuncts`, or does `otherwise` if that takes too long.

    For where going through all candidates is possible: a solver that sees no structure in
    the constraints is slower than that.
    """
    places = [(b.name, scope.place(b.name)) for b in binders]
    codes = CodeCache(scope)
    problem = Problem(binders, conjuncts)

    def each(env: Env, candidates: int) -> Iterator[None]:
        evaluator = EnvironmentEvaluator(codes, env, frozenset(name for name, _ in places))
        gaps: list[str] = []
        work = min(ATTEMPT, candidates // _CANDIDATES)
        try:
            solutions = list(problem.solutions(evaluator, gaps.append, work))
        except (IllDefined, OutOfWork, Undecided):
            yield from otherwise(env)
            return
        env[GAPS].extend(gaps)
        for solution in solutions:
            for name, place in places:
                env[place] = solution[name]
            yield

    return each


class CodeCache:
    """Code of the expressions that the solver asks for, kept from call to call."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self._codes: dict[tuple[int, frozenset[str]], tuple[Expr, Code, dict[str, int]]] = {}

    def get(self, e: Expr, bound: frozenset[str]) -> tuple[Code, dict[str, int]]:
        """Return the code of `e` and the places of the identifiers `bound` in it."""
        key = (id(e), bound)
        found = self._codes.get(key)
        if found is None:
            names = sorted(bound & self.scope.free(e))
            inner = self.scope.bind([Binder(name) for name in names])
            places = {name: inner.place(name) for name in names}
            # The expression is kept with its code: an id is only unique while it lives.
            found = self._codes[key] = (e, inner.code(e), places)
        return found[1], found[2]


class EnvironmentEvaluator:
    """Evaluates for the solver in an environment."""

    def __init__(self, codes: CodeCache, env: Env, unknowns: frozenset[str]) -> None:
        self._codes = codes
        self._env = env
        self._unknowns = unknowns

    @property
    def settings(self) -> Settings:
        """The settings that MAXINT and its kin come from."""
        return self._codes.scope.universe.settings

    def value(self, e: Expr, bindings: Mapping[str, Value]) -> Value:
        """Return the value of `e` with `bindings` for its unknown identifiers."""
        code, places = self._codes.get(e, frozenset(bindings))
        env = self._env
        widen(env, self._codes.scope)
        for name, place in places.items():
            env[place] = bindings[name]
        return code(env)

    def knows(self, name: str) -> bool:
        """Whether `name` has a value that is not to be found by the solver."""
        return name not in self._unknowns and self._codes.scope.knows(name)

    def all_values(self, type_: Type) -> SetValue:
        """Return the carrier of a type."""
        return self._codes.scope.universe.carrier(type_)
