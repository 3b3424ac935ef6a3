"""Which conditions keep an operation from being executed with given arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from secateur.lang.guards import hints, split_guard
from secateur.lang.lower import MachineSystem
from secateur.lang.model import Operation
from secateur.maths.ast import Expr, Labelled, conjuncts, free_names
from secateur.maths.evaluate.compiler import Compiler
from secateur.maths.evaluate.environment import Env
from secateur.maths.evaluate.plan import Leniency, plan_solutions
from secateur.maths.print import show
from secateur.maths.show import brief
from secateur.maths.values import IllDefined, Undecided, Value
from secateur.source import Span
from secateur.system.system import State

Environment = Callable[[], Env]
"""Makes a fresh environment, with room for all that has been compiled."""


@dataclass(frozen=True, slots=True)
class Blocking:
    """A condition that is not met: its text, what is the matter with it, the values it is about."""

    condition: str
    problem: str
    values: tuple[tuple[str, str], ...]
    span: Span | None


def blocking(
    system: MachineSystem, operation: Operation, state: State, given: Mapping[str, Value]
) -> list[Blocking]:
    """Return the conjuncts of the guard that fail in `state`; none if the guard is met.

    If some parameters are not `given`, it is the first conjunct that no value of theirs can meet together
    with the conjuncts before it.
    """
    conditions = guard_conjuncts(operation)
    scope = system.scope.bind(operation.parameters)
    names = (*system.model.constants, *system.model.variables, *operation.parameters)
    shown = [binder.name for binder in names]

    def environment() -> Env:
        env = system.environment(state)
        for name, value in given.items():
            env[scope.place(name)] = value
        return env

    def told(condition: Expr, problem: str) -> Blocking:
        env = environment()
        used = free_names(condition)
        values = [
            (name, brief(env[scope.place(name)]))
            for name in shown
            if name in used and env[scope.place(name)] is not None
        ]
        return Blocking(_text(condition), problem, tuple(values), condition.span)

    if {b.name for b in operation.parameters} <= given.keys():
        failing = _failing(conditions, scope, environment)
    else:
        failing = _first_unmet(conditions, scope, environment, operation, given)
    return [told(condition, problem) for condition, problem in failing]


def guard_conjuncts(operation: Operation) -> list[Expr]:
    """Return what must hold before an operation can be executed, less the typing of results."""
    guard, body = split_guard(operation.body)
    results = {b.name for b in operation.results} - {b.name for b in operation.parameters}
    parts = [c for each in (*guard, *hints(body)) for c in conjuncts(each)]
    return [c for c in parts if not free_names(c) & results]


def _failing(
    conditions: Sequence[Expr], scope: Compiler, environment: Environment
) -> Iterator[tuple[Expr, str]]:
    for condition in conditions:
        code = scope.code(condition)
        try:
            if not code(environment()):
                yield condition, "does not hold"
        except IllDefined as error:
            yield condition, f"is not well-defined: {error.message}"
        except Undecided:
            continue  # nobody can say that it is this one


def _first_unmet(
    conditions: Sequence[Expr],
    scope: Compiler,
    environment: Environment,
    operation: Operation,
    given: Mapping[str, Value],
) -> Iterator[tuple[Expr, str]]:
    unknowns = [b for b in operation.parameters if b.name not in given]
    for number, condition in enumerate(conditions, 1):
        before = conditions[:number]
        used = frozenset[str]().union(*map(free_names, before))
        looked_for = [b for b in unknowns if b.name in used]
        plan = plan_solutions(scope, looked_for, before, Leniency.NOTE_ILL_DEFINED)
        try:
            met = any(True for _ in plan.run(environment()))
        except (IllDefined, Undecided):
            return
        if not met:
            yield condition, "cannot be met together with what comes before it"
            return


def _text(condition: Expr) -> str:
    """Return a condition as the user wrote it, on one line; with its label, if it has one."""
    if isinstance(condition, Labelled):
        return f"{condition.label}: {_text(condition.body)}"
    return " ".join(condition.span.text.split()) or show(condition)
